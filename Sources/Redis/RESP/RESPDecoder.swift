/// The reason why received bytes are not a valid reply. The message contains none of the received bytes.
struct RESPFault: Error, Equatable {
    let message: String

    init(_ message: String) { self.message = message }
}

/// An incremental decoder of a Redis server's replies (RESP3, and the nulls of RESP2).
///
/// The decoder skips push messages and attributes. The skipped bytes count towards the limits of the next reply.
/// Streamed strings and aggregates are errors, because no server sends them.
struct RESPDecoder {
    /// The limits of one reply from the server.
    struct Limits {
        /// The maximum memory of one reply, in bytes. It includes the bytes of the reply, `valueCost` for each value,
        /// and the bytes skipped since the previous reply.
        // Larder never requests more than 13 values of 1 MiB in one command.
        var memory = 16 << 20
        /// The maximum depth of nested aggregates.
        var depth = 8
        /// The maximum length of one line in a reply, in bytes.
        var line = 64 << 10
    }

    /// The memory that a decoded value uses in addition to its content, in bytes, rounded up.
    static let valueCost = 96

    private enum Aggregate {
        case array, map, push, attribute

        var isSkipped: Bool {
            switch self {
            case .push, .attribute: true
            case .array, .map: false
            }
        }
    }

    private enum Blob {
        case text, verbatim, error
    }

    private struct Frame {
        let kind: Aggregate
        var left: Int
        var values: [RESPValue] = []
    }

    private enum Step {
        case value(RESPValue)
        /// The decoder has read a part of a value, or has skipped input. The buffer may contain more bytes to decode.
        case other
        case incomplete
    }

    /// The total number of reply bytes received. Push messages and attributes are not counted.
    private(set) var received = 0
    /// The memory that the last returned reply uses, in bytes.
    private(set) var lastMemory = 0

    private let limits: Limits
    /// The received bytes that are not decoded yet: at most the beginning of a line, and the bytes of the last
    /// `append`.
    private var buffer: [UInt8] = []
    /// The index in `buffer` of the first unread byte.
    private var position = 0
    /// The index in `buffer` at which the search for the end of a line continues. The unread bytes before this index
    /// contain no end of a line.
    private var scanned = 0
    /// The kind of the string whose content is being received. Nil between strings; the next input is then a line.
    private var blob: Blob?
    /// The total size of the current string in bytes. `blobBytes` contains the received part.
    private var blobSize = 0
    private var blobBytes: [UInt8] = []
    private var frames: [Frame] = []
    /// The number of open aggregates whose values are skipped (push messages and attributes).
    private var skippedFrames = 0
    /// The memory that the current reply uses so far, in bytes. A string counts in full as soon as its size is known.
    private var memory = 0

    init(limits: Limits = Limits()) { self.limits = limits }

    /// Appends bytes received from the server to the buffer.
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if position == buffer.count {
            buffer.removeAll(keepingCapacity: true)
            (position, scanned) = (0, 0)
        } else if position > buffer.count / 2 {
            buffer.removeFirst(position)
            (position, scanned) = (0, scanned - position)
        }
        buffer.append(contentsOf: bytes)
    }

    /// Returns the next reply; nil if more bytes are needed.
    ///
    /// - Throws: `RESPFault` if the bytes are not a valid reply or exceed a limit. The decoder must not be used after
    ///   an error.
    mutating func next() throws(RESPFault) -> RESPValue? {
        while true {
            switch try step() {
            case .incomplete: return nil
            case .other: continue
            case .value(let value):
                guard let reply = place(value) else { continue }
                (lastMemory, memory) = (memory, 0)
                return reply
            }
        }
    }

    private mutating func step() throws(RESPFault) -> Step {
        if let blob {
            guard let bytes = try takeBlob() else { return .incomplete }
            self.blob = nil
            return .value(try Self.value(bytes, blob))
        }
        guard let line = try takeLine() else { return .incomplete }
        guard let mark = line.first else { throw RESPFault("an empty line") }
        let rest = line.dropFirst()
        if mark != UInt8(ascii: ">"), mark != UInt8(ascii: "|") { note(received: line.count + 2) }
        switch mark {
        case UInt8(ascii: "$"): return try beginBlob(.text, rest)
        case UInt8(ascii: "="): return try beginBlob(.verbatim, rest)
        case UInt8(ascii: "!"): return try beginBlob(.error, rest)
        case UInt8(ascii: "*"), UInt8(ascii: "~"): return try beginAggregate(.array, rest)
        case UInt8(ascii: "%"): return try beginAggregate(.map, rest)
        case UInt8(ascii: ">"): return try beginAggregate(.push, rest)
        case UInt8(ascii: "|"): return try beginAggregate(.attribute, rest)
        default: return .value(try Self.scalar(mark, rest))
        }
    }

    /// Decodes a value that consists of one line.
    private static func scalar(_ mark: UInt8, _ rest: ArraySlice<UInt8>) throws(RESPFault) -> RESPValue {
        let text = String(decoding: rest, as: UTF8.self)
        switch mark {
        case UInt8(ascii: "+"), UInt8(ascii: "("): return .text(Array(rest))
        case UInt8(ascii: "-"): return .error(RedisErrorReply(rest))
        case UInt8(ascii: ":"):
            guard let number = Int64(text) else { throw RESPFault("an invalid integer") }
            return .integer(number)
        case UInt8(ascii: ","):
            guard let number = Double(text) else { throw RESPFault("an invalid double") }
            return .double(number)
        case UInt8(ascii: "#"):
            guard text == "t" || text == "f" else { throw RESPFault("an invalid boolean") }
            return .bool(text == "t")
        case UInt8(ascii: "_"):
            guard rest.isEmpty else { throw RESPFault("an invalid null") }
            return .null
        default: throw RESPFault("an unknown type")
        }
    }
}

/// Decodes strings of RESP, the protocol of Redis.
extension RESPDecoder {
    private mutating func beginBlob(_ kind: Blob, _ digits: ArraySlice<UInt8>) throws(RESPFault) -> Step {
        guard let count = try Self.count(digits) else {
            guard kind == .text else { throw RESPFault("an invalid length") }
            return .value(.null)
        }
        try grow(by: count + 2)
        (blob, blobSize) = (kind, count)
        blobBytes.reserveCapacity(count)
        return .other
    }

    private static func value(_ bytes: [UInt8], _ kind: Blob) throws(RESPFault) -> RESPValue {
        switch kind {
        case .text: return .text(bytes)
        case .error: return .error(RedisErrorReply(bytes))
        case .verbatim:
            // A verbatim string begins with a format of three bytes and a colon.
            guard bytes.dropFirst(3).first == UInt8(ascii: ":") else { throw RESPFault("an invalid verbatim string") }
            return .text(Array(bytes.dropFirst(4)))
        }
    }

    /// Moves received bytes of the current string out of the buffer. Returns the string when all of its bytes have
    /// arrived.
    private mutating func takeBlob() throws(RESPFault) -> [UInt8]? {
        let count = min(blobSize - blobBytes.count, buffer.count - position)
        blobBytes.append(contentsOf: buffer[position..<position + count])
        position += count
        scanned = position
        note(received: count)
        guard blobBytes.count == blobSize, buffer.count - position >= 2 else { return nil }
        guard buffer[position] == UInt8(ascii: "\r"), buffer[position + 1] == UInt8(ascii: "\n") else {
            throw RESPFault("no CR LF after a string")
        }
        position += 2
        scanned = position
        defer { blobBytes = [] }
        return blobBytes
    }
}

/// Decodes the aggregates of RESP, the protocol of Redis. Examples of aggregates are arrays and maps.
// The open aggregates are in an array instead of on the call stack, so that deeply nested input cannot overflow the
// stack.
extension RESPDecoder {
    private mutating func beginAggregate(_ kind: Aggregate, _ digits: ArraySlice<UInt8>) throws(RESPFault) -> Step {
        guard let count = try Self.count(digits) else {
            guard kind == .array else { throw RESPFault("an invalid length") }
            return .value(.null)
        }
        if kind == .push, !frames.isEmpty { throw RESPFault("a nested push") }
        let left = kind == .map || kind == .attribute ? 2 * count : count
        // Each value is counted when it arrives. A count for which the memory limit leaves too little room is rejected
        // immediately.
        guard left <= (limits.memory - memory) / Self.valueCost else { throw excess }
        let frame = Frame(kind: kind, left: left)
        if left == 0 { return Self.whole(frame).map { Step.value($0) } ?? .other }
        guard frames.count < limits.depth else {
            throw RESPFault("values nested more than \(limits.depth) levels deep")
        }
        frames.append(frame)
        if kind.isSkipped { skippedFrames += 1 }
        return .other
    }

    /// Appends a value to the innermost open aggregate. Returns the reply if this value completes the reply; otherwise
    /// nil.
    private mutating func place(_ value: RESPValue) -> RESPValue? {
        var value = value
        while var frame = frames.popLast() {
            frame.values.append(value)
            frame.left -= 1
            if frame.left > 0 {
                frames.append(frame)
                return nil
            }
            if frame.kind.isSkipped { skippedFrames -= 1 }
            guard let whole = Self.whole(frame) else { return nil }
            value = whole
        }
        return value
    }

    /// Returns the value of a complete array or map; nil for push messages and attributes, which are skipped.
    private static func whole(_ frame: Frame) -> RESPValue? {
        switch frame.kind {
        case .array: .array(frame.values)
        case .map: .map(frame.values)
        case .push, .attribute: nil
        }
    }
}

/// Decodes lines of RESP, the protocol of Redis, and the lengths of strings and aggregates.
extension RESPDecoder {
    private mutating func takeLine() throws(RESPFault) -> ArraySlice<UInt8>? {
        let end = buffer[scanned...].firstIndex(of: UInt8(ascii: "\n"))
        guard (end ?? buffer.count) - position <= limits.line else {
            throw RESPFault("a line over \(limits.line) bytes")
        }
        guard let end else {
            scanned = buffer.count
            return nil
        }
        guard end > position, buffer[end - 1] == UInt8(ascii: "\r") else {
            throw RESPFault("no CR LF after a line")
        }
        try grow(by: end + 1 - position + Self.valueCost)
        defer {
            position = end + 1
            scanned = position
        }
        return buffer[position..<end - 1]
    }

    private mutating func grow(by count: Int) throws(RESPFault) {
        memory += count
        guard memory <= limits.memory else { throw excess }
    }

    private var excess: RESPFault { RESPFault("over \(limits.memory) bytes of memory") }

    private mutating func note(received count: Int) {
        if skippedFrames == 0 { received += count }
    }

    /// Parses the length of a string or aggregate. Returns nil for the length -1, which means null in RESP2.
    private static func count(_ digits: ArraySlice<UInt8>) throws(RESPFault) -> Int? {
        if digits.elementsEqual("-1".utf8) { return nil }
        guard digits.first != UInt8(ascii: "?") else { throw RESPFault("a streamed value") }
        guard !digits.isEmpty, digits.count <= 10, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
            throw RESPFault("an invalid length")
        }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
