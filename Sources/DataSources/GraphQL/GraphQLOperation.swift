import JSON

/// A query with the values of its variables.
public struct GraphQLOperation: Equatable, Sendable {
    /// The document.
    public let query: String
    /// The variables by name; equal operations have them in equal order.
    public let variables: [Variable]

    /// One variable.
    public struct Variable: Equatable, Sendable {
        /// The name without `$`.
        public let name: String
        /// The value.
        public let value: GraphQLVariable

        /// A variable.
        public init(_ name: String, _ value: GraphQLVariable) {
            self.name = name
            self.value = value
        }
    }

    /// An operation.
    public init(query: String, variables: [Variable] = []) {
        self.query = query
        self.variables = variables
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
