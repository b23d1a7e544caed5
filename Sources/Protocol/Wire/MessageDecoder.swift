import System

/// Splits a byte stream into messages. The decoder detects the framing from the beginning of the stream.
///
/// The caller writes received bytes into the buffer that `space` returns. The decoder does not copy the messages.
// Only the start of an incomplete message is copied. The decoder holds at most about `limit` bytes of a message.
// Exclusivity: only one thread uses a decoder, and no access to a property lasts during a call that accesses it again.
public final class MessageDecoder {
    /// The framing of the stream; nil until the decoder has detected it.
    @exclusivity(unchecked) public private(set) var framing: Framing?

    /// The maximum size of a block of headers, in bytes.
    static let maxHeaderBytes = 8192
    /// The maximum `Content-Length`, in bytes. The decoder treats a header with a greater value as invalid, and does
    /// not wait for the body.
    private static let maxPlausibleLength = 1 << 32

    private static let lengthField = Array("content-length".utf8)

    /// The greatest value of `limit` that a caller can choose, in bytes.
    // It prevents overflows in computations with message sizes.
    private static let largestLimit = 1 << 50

    private let limit: Int
    @exclusivity(unchecked) private var memory: UnsafeMutableRawPointer
    @exclusivity(unchecked) private(set) var capacity: Int
    /// The offset of the first received byte that the decoder has not processed yet.
    @exclusivity(unchecked) private var start = 0
    @exclusivity(unchecked) private(set) var end = 0
    /// The offset at which to continue the search for a newline. It is at least `start`.
    @exclusivity(unchecked) private var searched = 0
    @exclusivity(unchecked) private var isSkippingLine = false
    @exclusivity(unchecked) private var headers = HeaderState.header

    /// Creates a decoder that rejects messages of more than `limit` bytes.
    public init(limit: Int, capacity: Int = 1 << 16) {
        self.limit = min(max(1, limit), Self.largestLimit)
        self.capacity = max(64, capacity)
        memory = .allocate(byteCount: self.capacity, alignment: 16)
    }

    deinit { memory.deallocate() }

    /// Returns a buffer for the next received bytes, with room for at least one byte. Messages that the decoder has
    /// returned before become invalid.
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

    /// Records that the caller has written `count` bytes into the buffer that `space` returned.
    public func received(_ count: Int) {
        end = min(capacity, end + max(0, count))
    }

    /// Returns the next message or framing error; nil if the decoder needs more bytes.
    public func next() -> Frame? {
        if framing == nil { detect(atEnd: false) }
        switch framing {
        case nil: return nil
        case .newline: return nextLine()
        case .contentLength: return nextBody()
        }
    }

    /// Returns the next message or framing error after the end of the stream. Call this function until it returns nil.
    public func finish() -> Frame? {
        if framing == nil { detect(atEnd: true) }
        if let frame = next() { return frame }
        defer { start = end }
        if isSkippingLine {
            isSkippingLine = false
            return .tooLong(limit: limit)
        }
        if framing == .contentLength {
            return isCutOff() ? .malformed("the input ends inside a message; send the whole message") : nil
        }
        let rest = trimmed(start..<end)
        return rest.isEmpty ? nil : .message(slice(rest))
    }

    /// Returns whether the stream ended inside a message. Returns true only once.
    private func isCutOff() -> Bool {
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

    /// Returns the offset of the next newline; nil if no newline has arrived yet.
    private func newline() -> Int? {
        searched = max(searched, start)
        let found = findByte(UInt8(ascii: "\n"), in: slice(searched..<end)).map { searched + $0 }
        searched = found ?? end
        return found
    }

    /// Returns a range of bytes without surrounding whitespace.
    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (lower, upper) = (range.lowerBound, range.upperBound)
        while lower < upper, isBlank(byte(lower)) { lower += 1 }
        while lower < upper, isBlank(byte(upper - 1)) { upper -= 1 }
        return lower..<upper
    }

    /// Skips whitespace, including blank lines.
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

    /// Detects the framing from the first line of the stream. If the line is a header field, the stream uses header
    /// framing. Otherwise it uses newline framing.
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

    /// Returns the next line that is not blank, as a message. Returns an error if the line is too long. Whitespace at
    /// the end of the line counts as part of the line.
    // Trailing whitespace counts too, so that a sender cannot fill the memory with whitespace.
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

    /// Returns whether the received bytes of a line exceed the size limit. A CR at the end does not count.
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
                    return lose("the headers must have at most \(Self.maxHeaderBytes) bytes")
                } else {
                    return nil
                }
            }
        }
    }

    /// Reads the next block of headers and the empty line after it, and returns the lines of the block. Returns nil if
    /// the block is incomplete or too large.
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

    /// Parses a block of headers and prepares for the body. Returns an error if the headers are invalid or the body is
    /// too long; otherwise nil.
    private func follow(_ block: [Range<Int>]) -> Frame? {
        var length: Int?
        for line in block {
            guard let field = headerField(in: line) else {
                // A valid Content-Length may follow this line.
                start = line.upperBound
                return lose("a header must be written as 'Name: value'")
            }
            guard isLengthField(field.name) else { continue }
            guard length == nil else { return lose("Content-Length is given twice; send it once") }
            let digits = String(decoding: slice(field.value), as: UTF8.self)
            guard let value = digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) ? Int(digits) : nil else {
                return lose("Content-Length must be a number of bytes")
            }
            length = value
        }
        guard let length else { return lose("Content-Length is missing; send it before each message") }
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

    /// Moves to the next `Content-Length:` in the received bytes. Returns false if there is none yet.
    // The search looks for colons, because `memchr` finds them quickly.
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

    /// Returns whether a field's name is `Content-Length`, in upper or lower case.
    private func isLengthField(_ name: Range<Int>) -> Bool {
        name.count == Self.lengthField.count
            && slice(name).elementsEqual(Self.lengthField) { byte, letter in
                (byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte) == letter
            }
    }

    /// Splits a header line `name: value` into its name and its value. Returns nil if there is no colon, or if the name
    /// contains an invalid character (RFC 9110, section 5.1).
    private func headerField(in line: Range<Int>) -> (name: Range<Int>, value: Range<Int>)? {
        guard let colon = findByte(UInt8(ascii: ":"), in: slice(line)), colon > 0 else { return nil }
        let name = line.lowerBound..<line.lowerBound + colon
        let isToken = slice(name).allSatisfy {
            $0 > 0x20 && $0 < 0x7F && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0)
        }
        return isToken ? (name, trimmed(name.upperBound + 1..<line.upperBound)) : nil
    }
}

/// The state of the decoder for streams with headers.
private enum HeaderState: Equatable {
    /// The next byte belongs to a block of headers.
    case header
    /// The next byte is the first byte of a body. The associated value is the body's length in bytes.
    case body(Int)
    /// The decoder skips a body that is too long. The associated value is the number of bytes that are left to skip.
    case skipping(Int)
    /// The headers were invalid. The decoder searches for the next `Content-Length`.
    case lost
}

/// Returns the index of the first occurrence of a byte; nil if there is none.
private func findByte(_ byte: UInt8, in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress, let found = memchr(base, Int32(byte), bytes.count) else { return nil }
    return UnsafeRawPointer(found) - base
}

func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
}
