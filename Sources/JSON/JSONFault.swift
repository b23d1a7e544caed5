/// Why a text is not JSON, and where: the reason in words and the offset of the byte at fault.
public struct JSONFault: Error, Equatable, Sendable {
    /// What was wrong, as a phrase: `expected ',' or '}'`.
    public let reason: String
    /// The byte at fault, counted from 0; the text's length when the text ended too early.
    public let offset: Int

    /// A fault at a byte offset.
    public init(_ reason: String, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    /// The reason with its line and column, as a person reads it.
    public func description(in text: some Collection<UInt8>) -> String {
        let position = JSONPosition(of: offset, in: text)
        return "\(reason) at line \(position.line), column \(position.column)"
    }
}

/// A place in a text: line and column, both counted from 1; a column is one Unicode scalar.
public struct JSONPosition: Equatable, Sendable {
    /// The line, counted from 1.
    public let line: Int
    /// The column in Unicode scalars, counted from 1.
    public let column: Int

    /// The beginning of a text.
    private static let start = JSONPosition(line: 1, column: 1)

    private init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// The place of a byte offset in a text. An offset past the end is the place after the last byte.
    public init(of offset: Int, in text: some Collection<UInt8>) {
        self = Self.start.passing(text.prefix(offset))
    }

    /// The places of byte offsets in ascending order; the text is gone through once.
    public static func positions(of offsets: [Int], in text: [UInt8]) -> [JSONPosition] {
        var (position, at) = (start, 0)
        return offsets.map { offset in
            let next = max(at, min(offset, text.count))
            position = position.passing(text[at..<next])
            at = next
            return position
        }
    }

    /// The place after some more of the text.
    private func passing(_ text: some Sequence<UInt8>) -> JSONPosition {
        var (line, column) = (line, column)
        for byte in text {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        return JSONPosition(line: line, column: column)
    }
}
