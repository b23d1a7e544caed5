#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Detection of the framing, and the newline framing.
extension MessageDecoder {
    /// Tells the framing from the stream's first line.
    ///
    /// A text that begins with `{` or `[` is a message of the newline framing. Anything else is a header, unless its
    /// line has no field name and colon: that can be no header, and is taken for a bad line, so that what follows it
    /// is still heard.
    func detect(atEnd: Bool) {
        start = trimmed(start..<end).lowerBound
        guard start < end else { return }
        let first = byte(start)
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            framing = .newline
        } else if let newline = newline() {
            framing = headerField(in: start..<newline) == nil ? .newline : .contentLength
            searched = start
        } else if atEnd || end - start > Self.maxHeaderBytes {
            framing = .newline
        }
    }

    func nextLine() -> Frame? {
        while true {
            guard let newline = newline() else {
                if end - start > limit { isSkippingLine = true }
                if isSkippingLine { start = end }
                return nil
            }
            let line = trimmed(start..<newline)
            start = newline + 1
            if isSkippingLine || line.count > limit {
                isSkippingLine = false
                return .tooLong(limit: limit)
            }
            if !line.isEmpty { return .message(slice(line)) }
        }
    }
}

/// The index of a byte; nil where it does not occur.
func findByte(_ byte: UInt8, in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress, let found = memchr(base, Int32(byte), bytes.count) else { return nil }
    return UnsafeRawPointer(found) - base
}
