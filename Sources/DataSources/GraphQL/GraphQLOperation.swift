import Catalog
import JSON
import Model

/// A GraphQL document with the values of its variables.
public struct GraphQLOperation: Equatable, Sendable {
    public let query: String
    /// The values of the document's variables, in the order in which the request's body lists them.
    public let variables: [Variable]
    /// The catalog's error rules for this operation. The client checks these rules before the rules of the API.
    public let errors: [ErrorRule]
    private let chosen: String?

    public struct Variable: Equatable, Sendable {
        /// The name of the GraphQL variable, without `$`.
        public let name: String
        public let value: GraphQLVariable

        public init(_ name: String, _ value: GraphQLVariable) {
            self.name = name
            self.value = value
        }
    }

    /// Creates an operation.
    ///
    /// - Parameter name: the name of the operation to execute; nil if the document contains only one operation.
    public init(query: String, name: String? = nil, variables: [Variable] = [], errors: [ErrorRule] = []) {
        self.query = query
        chosen = name
        self.variables = variables
        self.errors = errors
    }

    /// The JSON body of the POST request for the operation: `{"query", "operationName"?, "variables"}` (GraphQL over
    /// HTTP, section 5).
    public var body: [UInt8] {
        let name = name.map { [("operationName", JSONValue.string($0))] } ?? []
        let variables = JSONValue.object(JSONObject(variables.map { ($0.name, $0.value.json) }))
        let members = [("query", .string(query))] + name + [("variables", variables)]
        return Array(JSONValue.object(JSONObject(members)).text.utf8)
    }
}

extension GraphQLOperation {
    /// Whether the document contains only queries, no mutations. Only queries may be retried.
    public var isQuery: Bool { GraphQLOutline(query).isQuery }

    /// The name of the operation to execute. If the caller chose no operation, this is the name of the only operation
    /// in the document.
    public var name: String? { chosen ?? GraphQLOutline(query).onlyName }
}

/// The value of a GraphQL variable (October 2021, section 2.10).
public enum GraphQLVariable: Equatable, Sendable {
    case string(String)
    case int(Int)
    case double(Double)
    case bool(Bool)
    case null
    case list([GraphQLVariable])
    case object([(name: String, value: GraphQLVariable)])
    /// A number that must be sent with unchanged digits, such as an id that exceeds 64 bits.
    case number(String)

    /// Converts a JSON value, such as the value of a filter, to the value of a GraphQL variable.
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

    /// The variable's value as JSON. A number that JSON cannot represent, such as infinity, becomes null.
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

    /// Returns whether the JSON forms of two variables are equal.
    public static func == (left: GraphQLVariable, right: GraphQLVariable) -> Bool { left.json == right.json }
}
