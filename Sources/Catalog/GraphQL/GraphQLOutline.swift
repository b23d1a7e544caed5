/// The operations in a GraphQL document, in the order of the document (GraphQL, October 2021, section 2.3).
///
/// `GraphQLOutline` also accepts a document that `GraphQLParser` rejects.
public struct GraphQLOutline: Sendable {
    private let operations: [Operation]

    /// Reads the operations of a GraphQL document.
    public init(_ document: String) { operations = Self.operations(of: document) }

    /// Whether all operations of the document are queries, not mutations or subscriptions.
    public var isQuery: Bool { operations.allSatisfy(\.isQuery) }

    /// The name of each operation; nil for an operation without a name.
    public var names: [String?] { operations.map(\.name) }

    /// The name of the document's only operation. Nil if there are several operations, or if the operation has no name.
    public var onlyName: String? { operations.count == 1 ? operations[0].name : nil }

    private struct Operation {
        let isQuery: Bool
        var name: String?
    }

    private static func operations(of document: String) -> [Operation] {
        var bytes = Array(document.utf8)[...]
        var operations: [Operation] = []
        var depth = 0
        // Whether the next word can start a definition or name an operation.
        var (isAtStart, isAtName) = (true, false)
        while let byte = bytes.first {
            switch byte {
            case UInt8(ascii: "#"): bytes = bytes.drop { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
            case UInt8(ascii: "\""): dropText(from: &bytes)
            case UInt8(ascii: "{"), UInt8(ascii: "("), UInt8(ascii: "["):
                if isAtStart, byte == UInt8(ascii: "{") { operations.append(Operation(isQuery: true)) }
                depth += 1
                (isAtStart, isAtName) = (false, false)
                bytes.removeFirst()
            case UInt8(ascii: "}"), UInt8(ascii: ")"), UInt8(ascii: "]"):
                depth = max(0, depth - 1)
                isAtStart = depth == 0 && byte == UInt8(ascii: "}")
                bytes.removeFirst()
            case _ where isNameByte(byte):
                let word = String(decoding: bytes.prefix(while: isNameByte), as: UTF8.self)
                bytes = bytes.dropFirst(word.utf8.count)
                if isAtName { operations[operations.count - 1].name = word }
                isAtName = isAtStart && ["query", "mutation", "subscription"].contains(word)
                if isAtName { operations.append(Operation(isQuery: word == "query")) }
                isAtStart = false
            default:
                if byte == UInt8(ascii: "@") { isAtName = false }
                bytes.removeFirst()
            }
        }
        return operations
    }

    /// Removes a leading string or block string (GraphQL, section 2.9.4) from `bytes`.
    private static func dropText(from bytes: inout ArraySlice<UInt8>) {
        let quote = UInt8(ascii: "\"")
        let end: [UInt8] = bytes.starts(with: [quote, quote, quote]) ? [quote, quote, quote] : [quote]
        bytes = bytes.dropFirst(end.count)
        while !bytes.isEmpty, !bytes.starts(with: end) {
            bytes = bytes.dropFirst(bytes.first == UInt8(ascii: "\\") ? (end.count == 1 ? 2 : escaped(bytes)) : 1)
        }
        bytes = bytes.dropFirst(end.count)
    }

    /// Returns the length in bytes of the escape sequence at the start of `bytes`; 1 if there is none. In a block
    /// string, the only escape sequence is a backslash before three quotes.
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
