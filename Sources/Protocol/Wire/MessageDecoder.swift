import System

/// Cuts a byte stream into messages, in the framing that the stream's beginning shows.
///
/// Bytes are read straight into `space`, and a message is handed out where it lies: nothing is copied but the rest of a
/// message when the buffer is moved up. What a sender can make it hold is bounded by `limit`.
// Exclusivity: only one thread uses a decoder, and no access lasts over a call that makes another one.
public final class MessageDecoder {
    /// The framing; nil until enough has come to tell.
    @exclusivity(unchecked) public private(set) var framing: Framing?

    /// How large a block of headers may be.
    static let maxHeaderBytes = 8192
    /// A length over this is not taken for a message to pass over, but for a broken header.
    private static let maxPlausibleLength = 1 << 32

    private static let lengthField = Array("content-length".utf8)

    /// No limit is larger, so that sizes near it cannot overflow.
    private static let largestLimit = 1 << 50

    private let limit: Int
    @exclusivity(unchecked) private var memory: UnsafeMutableRawPointer
    @exclusivity(unchecked) private(set) var capacity: Int
    /// What has come and was not handed out lies in `start..<end`.
    @exclusivity(unchecked) private var start = 0
    @exclusivity(unchecked) private(set) var end = 0
    /// Before this offset there is no newline; `start` at least.
    @exclusivity(unchecked) private var searched = 0
    @exclusivity(unchecked) private var isSkippingLine = false
    @exclusivity(unchecked) private var headers = HeaderState.header

    /// A decoder that refuses messages of more than `limit` bytes.
    public init(limit: Int, capacity: Int = 1 << 16) {
        self.limit = min(max(1, limit), Self.largestLimit)
        self.capacity = max(64, capacity)
        memory = .allocate(byteCount: self.capacity, alignment: 16)
    }

    deinit { memory.deallocate() }

    /// Where the next bytes go: at least 1 byte. Messages handed out before are no longer valid.
    public func space() -> UnsafeMutableRawBufferPointer {
        if end == capacity || start == end { moveUp() }
        if end == capacity {
            let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity * 2, alignment: 16)
            larger.copyMemory(from: memory, byteCount: end)
            memory.deallocate()
            memory = larger
            capacity *= 2
        }
        return UnsafeMutableRawBufferPointer(start: memory + end, count: capacity - end)
    }

    /// Says how many bytes were put into `space`.
    public func received(_ count: Int) {
        end = min(capacity, end + max(0, count))
    }

    /// The next thing on the stream; nil when more bytes are needed.
    public func next() -> Frame? {
        if framing == nil { detect(atEnd: false) }
        switch framing {
        case nil: return nil
        case .newline: return nextLine()
        case .contentLength: return nextBody()
        }
    }

    /// After the stream's end: what is left of an unfinished message. Call until it returns nil.
    public func finish() -> Frame? {
        if framing == nil { detect(atEnd: true) }
        if let frame = next() { return frame }
        defer { start = end }
        if isSkippingLine {
            isSkippingLine = false
            return .tooLong(limit: limit)
        }
        if framing == .contentLength { return cutOff() ? .malformed("the stream ends inside a message") : nil }
        let rest = trimmed(start..<end)
        return rest.isEmpty ? nil : .message(slice(rest))
    }

    /// Whether the stream ended inside a message that nothing was said of yet.
    private func cutOff() -> Bool {
        defer { headers = .header }
        return switch headers {
        case .header: start < end
        case .body: true
        case .skipping, .lost: false
        }
    }

    private func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: memory + range.lowerBound, count: range.count)
    }

    private func byte(_ offset: Int) -> UInt8 { (memory + offset).load(as: UInt8.self) }

    /// The offset of the next newline; nil when none has come.
    private func newline() -> Int? {
        searched = max(searched, start)
        let found = findByte(UInt8(ascii: "\n"), in: slice(searched..<end)).map { searched + $0 }
        searched = found ?? end
        return found
    }

    /// A range of bytes without the blanks around it.
    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (lower, upper) = (range.lowerBound, range.upperBound)
        while lower < upper, isBlank(byte(lower)) { lower += 1 }
        while lower < upper, isBlank(byte(upper - 1)) { upper -= 1 }
        return lower..<upper
    }

    /// Passes over the blanks before what comes next, blank lines among them.
    private func skipBlanks() {
        while start < end, isBlank(byte(start)) { start += 1 }
    }

    private func moveUp() {
        guard start > 0 else { return }
        memory.copyMemory(from: memory + start, byteCount: end - start)
        end -= start
        searched = max(0, searched - start)
        start = 0
    }

    // MARK: Newline framing

    /// Tells the framing from the stream's first line.
    ///
    /// A text that begins with `{` or `[` is a message of the newline framing. Anything else is a header, unless its
    /// line has no field name and colon or is too long for a header: that can be no header, and is taken for a bad
    /// line, so that what follows it is still heard.
    private func detect(atEnd: Bool) {
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
    private func nextLine() -> Frame? {
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
    private func isTooLong(_ line: Range<Int>) -> Bool {
        line.count > limit + 1 || (line.count == limit + 1 && byte(line.upperBound - 1) != UInt8(ascii: "\r"))
    }

    // MARK: Header framing

    private func nextBody() -> Frame? {
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
    private func headerField(in line: Range<Int>) -> (name: Range<Int>, value: Range<Int>)? {
        guard let colon = findByte(UInt8(ascii: ":"), in: slice(line)), colon > 0 else { return nil }
        let name = line.lowerBound..<line.lowerBound + colon
        let isToken = slice(name).allSatisfy {
            $0 > 0x20 && $0 < 0x7F && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0)
        }
        return isToken ? (name, trimmed(name.upperBound + 1..<line.upperBound)) : nil
    }
}

/// Where the decoder stands in the header framing.
private enum HeaderState: Equatable {
    /// Before or inside a block of headers.
    case header
    /// Before a body of so many bytes.
    case body(Int)
    /// Inside a body that is too long: so many bytes are still to be passed over.
    case skipping(Int)
    /// After headers that cannot be followed: the next `Content-Length` is looked for.
    case lost
}

/// The index of a byte; nil where it does not occur.
private func findByte(_ byte: UInt8, in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress, let found = memchr(base, Int32(byte), bytes.count) else { return nil }
    return UnsafeRawPointer(found) - base
}

func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
}
