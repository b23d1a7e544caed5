/// Cuts a byte stream into messages, in the framing that the stream's beginning shows.
///
/// Bytes are read straight into `space`, and a message is handed out where it lies: nothing is copied but the rest of a
/// message when the buffer is moved up. What a sender can make it hold is bounded by `limit`.
public final class MessageDecoder {
    // `@exclusivity(unchecked)`, here and below: a decoder is used by one thread, and no access lasts over a call that
    // makes another one.
    /// The framing; nil until enough has come to tell.
    @exclusivity(unchecked) public internal(set) var framing: Framing?

    /// No limit is larger, so that sizes near it cannot overflow.
    private static let largestLimit = 1 << 50

    let limit: Int
    @exclusivity(unchecked) private var memory: UnsafeMutableRawPointer
    @exclusivity(unchecked) private(set) var capacity: Int
    /// What has come and was not handed out lies in `start..<end`.
    @exclusivity(unchecked) var start = 0
    @exclusivity(unchecked) private(set) var end = 0
    /// Before this offset there is no newline; `start` at least.
    @exclusivity(unchecked) var searched = 0
    @exclusivity(unchecked) var isSkippingLine = false
    @exclusivity(unchecked) var headers = HeaderState.header

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

    func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: memory + range.lowerBound, count: range.count)
    }

    func byte(_ offset: Int) -> UInt8 { (memory + offset).load(as: UInt8.self) }

    /// The offset of the next newline; nil when none has come.
    func newline() -> Int? {
        searched = max(searched, start)
        let found = findByte(UInt8(ascii: "\n"), in: slice(searched..<end)).map { searched + $0 }
        searched = found ?? end
        return found
    }

    /// A range of bytes without the blanks around it.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (lower, upper) = (range.lowerBound, range.upperBound)
        while lower < upper, isBlank(byte(lower)) { lower += 1 }
        while lower < upper, isBlank(byte(upper - 1)) { upper -= 1 }
        return lower..<upper
    }

    /// Passes over the blanks before what comes next, blank lines among them.
    func skipBlanks() {
        while start < end, isBlank(byte(start)) { start += 1 }
    }

    private func moveUp() {
        guard start > 0 else { return }
        memory.copyMemory(from: memory + start, byteCount: end - start)
        end -= start
        searched = max(0, searched - start)
        start = 0
    }
}

func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
}
