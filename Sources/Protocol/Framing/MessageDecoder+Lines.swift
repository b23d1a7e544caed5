import System

/// Detection of the framing, and the newline framing.
extension MessageDecoder {
    /// Tells the framing from the stream's first line.
    ///
    /// A text that begins with `{` or `[` is a message of the newline framing. Anything else is a header, unless its
    /// line has no field name and colon or is too long for a header: that can be no header, and is taken for a bad
    /// line, so that what follows it is still heard.
    func detect(atEnd: Bool) {
        skipBlanks()
        guard start < end else { return }
        let first = byte(start)
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            framing = .newline
        } else if let newline = newline() {
            let isHeader = newline - start <= Self.maxHeaderBytes && headerField(in: start..<newline) != nil
            framing = isHeader ? .contentLength : .newline
            searched = start
        } else if atEnd || end - start > Self.maxHeaderBytes {
            framing = .newline
        }
    }

    /// The next line that is not blank. Its size is counted from its first byte that is no blank up to its end, CRLF or
    /// LF: blanks behind a text count, so that they cannot fill the memory, and the same in whatever pieces they come.
    func nextLine() -> Frame? {
        if !isSkippingLine { skipBlanks() }
        guard let newline = newline() else {
            if isTooLong(start..<end) { isSkippingLine = true }
            if isSkippingLine { start = end }
            return nil
        }
        let line = start..<newline
        start = newline + 1
        if isSkippingLine || isTooLong(line) {
            isSkippingLine = false
            return .tooLong(limit: limit)
        }
        return .message(slice(trimmed(line)))
    }

    /// Whether a line, or as much of it as has come, is too long. A CR at the end does not count.
    func isTooLong(_ line: Range<Int>) -> Bool {
        line.count > limit + 1 || (line.count == limit + 1 && byte(line.upperBound - 1) != UInt8(ascii: "\r"))
    }
}

/// The index of a byte; nil where it does not occur.
func findByte(_ byte: UInt8, in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress, let found = memchr(base, Int32(byte), bytes.count) else { return nil }
    return UnsafeRawPointer(found) - base
}
