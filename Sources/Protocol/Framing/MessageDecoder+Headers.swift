/// Where the decoder stands in the header framing.
enum HeaderState: Equatable {
    /// Before or inside a block of headers.
    case header
    /// Before a body of so many bytes.
    case body(Int)
    /// Inside a body that is too long: so many bytes are still to be passed over.
    case skipping(Int)
    /// After headers that cannot be followed: the next `Content-Length` is looked for.
    case lost
}

/// The header framing of the Language Server Protocol's base protocol: `Content-Length: N`, other fields, an empty
/// line, N bytes.
extension MessageDecoder {
    /// How large a block of headers may be.
    static let maxHeaderBytes = 8192
    /// A length over this is not taken for a message to pass over, but for a broken header.
    static let maxPlausibleLength = 1 << 32

    private static let lengthField = Array("content-length".utf8)

    func nextBody() -> Frame? {
        while true {
            switch headers {
            case .skipping(let count):
                let skipped = min(count, end - start)
                start += skipped
                headers = count == skipped ? .header : .skipping(count - skipped)
                if skipped < count { return nil }
            case .body(let count):
                guard end - start >= count else { return nil }
                let body = start..<start + count
                start += count
                headers = .header
                return .message(slice(body))
            case .lost:
                guard findNextLength() else { return nil }
                headers = .header
            case .header:
                skipBlanks()
                if let block = headerBlock() {
                    if let frame = follow(block) { return frame }
                } else if end - start > Self.maxHeaderBytes {
                    start += Self.maxHeaderBytes
                    return lose("the headers are larger than \(Self.maxHeaderBytes) bytes")
                } else {
                    return nil
                }
            }
        }
    }

    /// The lines up to an empty one, which is passed over; nil when they are not complete or too large.
    private func headerBlock() -> [Range<Int>]? {
        let limit = min(end, start + Self.maxHeaderBytes)
        var lines: [Range<Int>] = []
        var from = start
        while let length = findByte(UInt8(ascii: "\n"), in: slice(from..<limit)) {
            let line = trimmed(from..<from + length)
            from += length + 1
            if line.isEmpty {
                start = from
                return lines
            }
            lines.append(line)
        }
        return nil
    }

    /// Reads a block's fields and goes where they lead. Returns a frame only when something is wrong.
    private func follow(_ block: [Range<Int>]) -> Frame? {
        var length: Int?
        for line in block {
            guard let field = headerField(in: line) else {
                // The length that stands behind it may be good.
                start = line.upperBound
                return lose("a header has no field name")
            }
            guard isLengthField(field.name) else { continue }
            guard length == nil else { return lose("Content-Length stands twice") }
            let digits = String(decoding: slice(field.value), as: UTF8.self)
            guard let value = digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) ? Int(digits) : nil else {
                return lose("Content-Length must be a number of bytes")
            }
            length = value
        }
        guard let length else { return lose("there is no Content-Length") }
        if length > limit {
            headers = length > Self.maxPlausibleLength ? .lost : .skipping(length)
            return .tooLong(limit: limit)
        }
        headers = .body(length)
        return nil
    }

    private func lose(_ reason: String) -> Frame {
        headers = .lost
        return .malformed(reason)
    }

    /// Moves to the next `Content-Length:`, if it has come. It is found by its colon: `memchr` is fast over nonsense.
    private func findNextLength() -> Bool {
        let nameLength = Self.lengthField.count
        var from = start
        while let offset = findByte(UInt8(ascii: ":"), in: slice(from..<end)) {
            let name = from + offset - nameLength
            if name >= start, isLengthField(name..<from + offset) {
                start = name
                return true
            }
            from += offset + 1
        }
        start = max(start, end - nameLength)
        return false
    }

    /// Whether a field's name is `Content-Length`, in whatever case.
    private func isLengthField(_ name: Range<Int>) -> Bool {
        name.count == Self.lengthField.count
            && slice(name).elementsEqual(Self.lengthField) { byte, letter in
                (byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte) == letter
            }
    }

    /// The name and the value of `name: value`; nil where a line is no field (RFC 9110, section 5.1: a name is a
    /// token).
    func headerField(in line: Range<Int>) -> (name: Range<Int>, value: Range<Int>)? {
        guard let colon = findByte(UInt8(ascii: ":"), in: slice(line)), colon > 0 else { return nil }
        let name = line.lowerBound..<line.lowerBound + colon
        let isToken = slice(name).allSatisfy {
            $0 > 0x20 && $0 < 0x7F && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0)
        }
        return isToken ? (name, trimmed(name.upperBound + 1..<line.upperBound)) : nil
    }
}
