/// What an operation may do.
extension GraphQLOperation {
    /// Whether the document only asks: it has no definition that begins with `mutation` or `subscription`, so that it
    /// may be sent again (GraphQL, October 2021, section 2.3). Names, comments and texts of that spelling do not count.
    public var isQuery: Bool {
        var bytes = Array(query.utf8)[...]
        var depth = 0
        // Whether the next word is the first of a definition.
        var isAtStart = true
        while let byte = bytes.first {
            switch byte {
            case UInt8(ascii: "#"): bytes = bytes.drop { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
            case UInt8(ascii: "\""): Self.dropText(from: &bytes)
            case UInt8(ascii: "{"), UInt8(ascii: "("), UInt8(ascii: "["):
                depth += 1
                isAtStart = false
                bytes.removeFirst()
            case UInt8(ascii: "}"), UInt8(ascii: ")"), UInt8(ascii: "]"):
                depth = max(0, depth - 1)
                isAtStart = depth == 0 && byte == UInt8(ascii: "}")
                bytes.removeFirst()
            case _ where Self.isNameByte(byte):
                let word = bytes.prefix(while: Self.isNameByte)
                bytes = bytes[word.endIndex...]
                if isAtStart, word.elementsEqual("mutation".utf8) || word.elementsEqual("subscription".utf8) {
                    return false
                }
                isAtStart = false
            default: bytes.removeFirst()
            }
        }
        return true
    }

    /// Leaves a string or a block string behind (section 2.9.4).
    private static func dropText(from bytes: inout ArraySlice<UInt8>) {
        let quote = UInt8(ascii: "\"")
        let end: [UInt8] = bytes.starts(with: [quote, quote, quote]) ? [quote, quote, quote] : [quote]
        bytes = bytes.dropFirst(end.count)
        while !bytes.isEmpty, !bytes.starts(with: end) {
            bytes = bytes.dropFirst(bytes.first == UInt8(ascii: "\\") ? (end.count == 1 ? 2 : escaped(bytes)) : 1)
        }
        bytes = bytes.dropFirst(end.count)
    }

    /// In a block string a backslash escapes three quotes, and nothing else.
    private static func escaped(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.starts(with: Array("\\\"\"\"".utf8)) ? 4 : 1
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
