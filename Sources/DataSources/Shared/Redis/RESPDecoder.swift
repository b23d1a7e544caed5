/// Why what a server sent is no reply.
struct RESPFault: Error, Equatable {
    let message: String

    init(_ message: String) { self.message = message }
}

/// Makes replies of a server's bytes as they come (RESP3, and RESP2's nulls).
///
/// What is pushed between replies is skipped, and so are attributes. Streamed strings and aggregates, which no server
/// sends, are faults. Each byte is looked at once, however they come.
struct RESPDecoder {
    /// What bounds one reply.
    struct Limits {
        /// The bytes of one string.
        var blob = 8 << 20
        /// The bytes of all.
        var reply = 16 << 20
        /// The elements of all aggregates.
        var elements = 1_000_000
        /// How many aggregates stand in one another.
        var depth = 8
        /// The bytes of a line.
        var line = 64 << 10
    }

    private enum Aggregate {
        case array, map, push, attribute
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
        /// Something else was read: an opening, or what is skipped.
        case other
        case incomplete
    }

    /// For how many bytes the memory is kept.
    private static let maxKept = 1 << 20

    private let limits: Limits
    private var buffer: [UInt8] = []
    /// What stands before was read.
    private var position = 0
    /// No line ends between `position` and here.
    private var scanned = 0
    /// The string whose bytes are next.
    private var blob: (kind: Blob, count: Int)?
    private var frames: [Frame] = []
    /// How many bytes the reply under way has, with those that are announced.
    private var size = 0
    private var elements = 0

    init(limits: Limits = Limits()) { self.limits = limits }

    /// Takes what has come.
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if position == buffer.count {
            buffer.removeAll(keepingCapacity: buffer.capacity <= Self.maxKept)
            (position, scanned) = (0, 0)
        } else if position > buffer.count / 2 {
            buffer.removeFirst(position)
            (position, scanned) = (0, scanned - position)
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next reply; nil until more has come.
    ///
    /// - Throws: where what came is none, or is larger than it may be. Nothing can be made of what follows.
    mutating func next() throws(RESPFault) -> RESPValue? {
        while true {
            switch try step() {
            case .incomplete: return nil
            case .other: continue
            case .value(let value):
                guard let reply = place(value) else { continue }
                (size, elements) = (0, 0)
                return reply
            }
        }
    }

    private mutating func step() throws(RESPFault) -> Step {
        if let blob {
            guard let bytes = try takeBlob(blob.count) else { return .incomplete }
            self.blob = nil
            return .value(try Self.value(bytes, blob.kind))
        }
        guard let line = try takeLine() else { return .incomplete }
        guard let mark = line.first else { throw RESPFault("an empty line") }
        let rest = line.dropFirst()
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

    /// A value that is a line.
    private static func scalar(_ mark: UInt8, _ rest: ArraySlice<UInt8>) throws(RESPFault) -> RESPValue {
        let text = String(decoding: rest, as: UTF8.self)
        switch mark {
        case UInt8(ascii: "+"), UInt8(ascii: "("): return .text(Array(rest))
        case UInt8(ascii: "-"): return error(rest)
        case UInt8(ascii: ":"):
            guard let number = Int64(text) else { throw RESPFault("an integer that is none") }
            return .integer(number)
        case UInt8(ascii: ","):
            guard let number = Double(text) else { throw RESPFault("a double that is none") }
            return .double(number)
        case UInt8(ascii: "#"):
            guard text == "t" || text == "f" else { throw RESPFault("a boolean that is none") }
            return .bool(text == "t")
        case UInt8(ascii: "_"):
            guard rest.isEmpty else { throw RESPFault("a null that is none") }
            return .null
        default: throw RESPFault("a value of an unknown type")
        }
    }

    private static func error(_ bytes: ArraySlice<UInt8>) -> RESPValue {
        .error(
            code: String(decoding: bytes.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self),
            message: String(decoding: bytes, as: UTF8.self))
    }
}

/// Strings.
extension RESPDecoder {
    private mutating func beginBlob(_ kind: Blob, _ digits: ArraySlice<UInt8>) throws(RESPFault) -> Step {
        guard let count = try Self.count(digits) else {
            guard kind == .text else { throw RESPFault("a length that is none") }
            return .value(.null)
        }
        guard count <= limits.blob else { throw RESPFault("a string of \(count) bytes, more than \(limits.blob)") }
        try grow(by: count + 2)
        blob = (kind, count)
        return .other
    }

    private static func value(_ bytes: ArraySlice<UInt8>, _ kind: Blob) throws(RESPFault) -> RESPValue {
        switch kind {
        case .text: return .text(Array(bytes))
        case .error: return error(bytes)
        case .verbatim:
            // The first three name a format.
            guard bytes.dropFirst(3).first == UInt8(ascii: ":") else {
                throw RESPFault("a verbatim string that is none")
            }
            return .text(Array(bytes.dropFirst(4)))
        }
    }

    private mutating func takeBlob(_ count: Int) throws(RESPFault) -> ArraySlice<UInt8>? {
        guard buffer.count - position >= count + 2 else { return nil }
        let end = position + count
        guard buffer[end] == UInt8(ascii: "\r"), buffer[end + 1] == UInt8(ascii: "\n") else {
            throw RESPFault("a string that does not end where it should")
        }
        defer {
            position = end + 2
            scanned = position
        }
        return buffer[position..<end]
    }
}

/// Aggregates. They are kept on a stack, so that no input decides how deep calls go.
extension RESPDecoder {
    private mutating func beginAggregate(_ kind: Aggregate, _ digits: ArraySlice<UInt8>) throws(RESPFault) -> Step {
        guard let count = try Self.count(digits) else {
            guard kind == .array else { throw RESPFault("a length that is none") }
            return .value(.null)
        }
        if kind == .push, !frames.isEmpty { throw RESPFault("something pushed within a reply") }
        let left = kind == .map || kind == .attribute ? 2 * count : count
        guard left <= limits.elements - elements else { throw RESPFault("more than \(limits.elements) elements") }
        elements += left
        let frame = Frame(kind: kind, left: left)
        if left == 0 { return Self.whole(frame).map { Step.value($0) } ?? .other }
        guard frames.count < limits.depth else { throw RESPFault("aggregates in one another, deeper than allowed") }
        frames.append(frame)
        return .other
    }

    /// Puts a value where it belongs. Returns the reply that is complete with it.
    private mutating func place(_ value: RESPValue) -> RESPValue? {
        var value = value
        while var frame = frames.popLast() {
            frame.values.append(value)
            frame.left -= 1
            if frame.left > 0 {
                frames.append(frame)
                return nil
            }
            guard let whole = Self.whole(frame) else {
                // What comes after something pushed is another reply; an attribute belongs to what follows it.
                if frame.kind == .push { (size, elements) = (0, 0) }
                return nil
            }
            value = whole
        }
        return value
    }

    /// The value that a complete aggregate is; nil where it is skipped.
    private static func whole(_ frame: Frame) -> RESPValue? {
        switch frame.kind {
        case .array: .array(frame.values)
        case .map: .map(frame.values)
        case .push, .attribute: nil
        }
    }
}

/// Lines and lengths.
extension RESPDecoder {
    private mutating func takeLine() throws(RESPFault) -> ArraySlice<UInt8>? {
        let end = buffer[scanned...].firstIndex(of: UInt8(ascii: "\n"))
        guard (end ?? buffer.count) - position <= limits.line else {
            throw RESPFault("a line longer than \(limits.line) bytes")
        }
        guard let end else {
            scanned = buffer.count
            return nil
        }
        guard end > position, buffer[end - 1] == UInt8(ascii: "\r") else { throw RESPFault("a line without its end") }
        try grow(by: end + 1 - position)
        defer {
            position = end + 1
            scanned = position
        }
        return buffer[position..<end - 1]
    }

    private mutating func grow(by count: Int) throws(RESPFault) {
        size += count
        guard size <= limits.reply else { throw RESPFault("a reply of more than \(limits.reply) bytes") }
    }

    /// A length; nil for RESP2's mark of a null.
    private static func count(_ digits: ArraySlice<UInt8>) throws(RESPFault) -> Int? {
        if digits.elementsEqual("-1".utf8) { return nil }
        guard digits.first != UInt8(ascii: "?") else { throw RESPFault("a streamed value") }
        guard !digits.isEmpty, digits.count <= 10, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
            throw RESPFault("a length that is none")
        }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
