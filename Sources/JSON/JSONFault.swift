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

    /// The place of a byte offset in a text. An offset past the end is the place after the last byte.
    public init(of offset: Int, in text: some Collection<UInt8>) {
        var line = 1
        var column = 1
        for byte in text.prefix(offset) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        self.line = line
        self.column = column
    }
}
