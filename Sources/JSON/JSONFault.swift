/// The reason why the input is not valid JSON, and the offset of the invalid byte.
public struct JSONFault: Error, Equatable, Sendable {
    /// The reason, such as `expected ',' or '}'`.
    public let reason: String
    /// The offset of the invalid byte, counted from 0. For incomplete input, this is the length of the input.
    public let offset: Int

    public init(_ reason: String, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    /// Returns the error message: the reason with the line and column of the invalid byte.
    public func description(in text: some Collection<UInt8>) -> String {
        let position = JSONPosition(of: offset, in: text)
        return "\(reason) at line \(position.line), column \(position.column)"
    }
}

/// A position in JSON or YAML: the line and the column. Both are counted from 1. A column is one Unicode scalar.
public struct JSONPosition: Equatable, Sendable {
    /// The line, counted from 1.
    public let line: Int
    /// The column in Unicode scalars, counted from 1.
    public let column: Int

    /// The position at the start of a text: line 1, column 1.
    private static let start = JSONPosition(line: 1, column: 1)

    private init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// Converts a byte offset to a line and column. An offset past the end means the position after the last byte.
    public init(of offset: Int, in text: some Collection<UInt8>) {
        self = Self.start.advanced(by: text.prefix(offset))
    }

    /// Converts byte offsets to lines and columns. The offsets must be in ascending order.
    // In this order, one pass over the bytes is sufficient.
    public static func positions(of offsets: [Int], in text: [UInt8]) -> [JSONPosition] {
        var (position, at) = (start, 0)
        return offsets.map { offset in
            let next = max(at, min(offset, text.count))
            position = position.advanced(by: text[at..<next])
            at = next
            return position
        }
    }

    /// Returns the position directly after `text`. The text starts at the position `self`.
    private func advanced(by text: some Sequence<UInt8>) -> JSONPosition {
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
