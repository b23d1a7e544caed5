import JSON

/// A query with the values of its variables.
public struct GraphQLOperation: Equatable, Sendable {
    public let query: String
    /// The variables by name; equal operations have them in equal order.
    public let variables: [Variable]
    /// What tells an answer that is an error, before the rules of the API. It is not sent.
    public let errors: [ErrorRule]
    private let chosen: String?

    public struct Variable: Equatable, Sendable {
        /// The name without `$`.
        public let name: String
        public let value: GraphQLVariable

        public init(_ name: String, _ value: GraphQLVariable) {
            self.name = name
            self.value = value
        }
    }

    /// - Parameter name: which of the document's operations is meant; nil where it has only one.
    public init(query: String, name: String? = nil, variables: [Variable] = [], errors: [ErrorRule] = []) {
        self.query = query
        chosen = name
        self.variables = variables
        self.errors = errors
    }

    /// The body of the POST that asks for it: `{"query", "operationName"?, "variables"}` (GraphQL over HTTP,
    /// section 5).
    public var body: [UInt8] {
        let name = name.map { [("operationName", JSONValue.string($0))] } ?? []
        let variables = JSONValue.object(JSONObject(variables.map { ($0.name, $0.value.json) }))
        let members = [("query", .string(query))] + name + [("variables", variables)]
        return Array(JSONValue.object(JSONObject(members)).text.utf8)
    }
}

/// What a document says of its operations (GraphQL, October 2021, section 2.3).
extension GraphQLOperation {
    /// Whether the document only asks: it has no definition that begins with `mutation` or `subscription`, so that it
    /// may be sent again. Names, comments and texts of that spelling do not count.
    public var isQuery: Bool { operations.allSatisfy(\.isQuery) }

    /// The names of the document's operations, in order; nil for one without a name.
    public var names: [String?] { operations.map(\.name) }

    /// The name of the operation that is meant: the one that was chosen, else that of the document's only one.
    public var name: String? {
        if let chosen { return chosen }
        let operations = operations
        return operations.count == 1 ? operations[0].name : nil
    }

    private struct Operation {
        let isQuery: Bool
        var name: String?
    }

    /// The document's operations, in order.
    private var operations: [Operation] {
        var bytes = Array(query.utf8)[...]
        var operations: [Operation] = []
        var depth = 0
        // Whether the next word is the first of a definition, or an operation's name.
        var (isAtStart, isAtName) = (true, false)
        while let byte = bytes.first {
            switch byte {
            case UInt8(ascii: "#"): bytes = bytes.drop { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
            case UInt8(ascii: "\""): Self.dropText(from: &bytes)
            case UInt8(ascii: "{"), UInt8(ascii: "("), UInt8(ascii: "["):
                if isAtStart, byte == UInt8(ascii: "{") { operations.append(Operation(isQuery: true)) }
                depth += 1
                (isAtStart, isAtName) = (false, false)
                bytes.removeFirst()
            case UInt8(ascii: "}"), UInt8(ascii: ")"), UInt8(ascii: "]"):
                depth = max(0, depth - 1)
                isAtStart = depth == 0 && byte == UInt8(ascii: "}")
                bytes.removeFirst()
            case _ where Self.isNameByte(byte):
                let word = String(decoding: bytes.prefix(while: Self.isNameByte), as: UTF8.self)
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

/// The value of a variable (GraphQL, October 2021, section 2.10).
public enum GraphQLVariable: Equatable, Sendable {
    case string(String)
    case int(Int)
    case double(Double)
    case bool(Bool)
    case null
    case list([GraphQLVariable])
    case object([(name: String, value: GraphQLVariable)])
    /// A number that must keep its digits, such as an id past 64 bits.
    case number(String)

    /// A string, a number or a boolean of a filter.
    public init(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .number(let digits): self = Int(digits).map { .int($0) } ?? .number(digits)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .list(elements.map { GraphQLVariable($0) })
        case .object(let object): self = .object(object.members.map { ($0.key, GraphQLVariable($0.value)) })
        }
    }

    /// The variable as JSON. A double that JSON cannot say (infinite, not a number) becomes null.
    public var json: JSONValue {
        switch self {
        case .string(let text): .string(text)
        case .int(let value): .integer(value)
        case .double(let value): value.isFinite ? .number("\(value)") : .null
        case .bool(let flag): .bool(flag)
        case .null: .null
        case .list(let elements): .array(elements.map(\.json))
        case .object(let members): .object(JSONObject(members.map { ($0.name, $0.value.json) }))
        case .number(let digits): .number(digits)
        }
    }

    /// Equal where their JSON is.
    public static func == (left: GraphQLVariable, right: GraphQLVariable) -> Bool { left.json == right.json }
}
