/// Executes GraphQL operations at one endpoint.
public protocol GraphQLClientContract: Sendable {
    /// Sends an operation and returns the `data` of the answer.
    ///
    /// - Throws: `GraphQLError`, also if the answer has both `data` and `errors`.
    func execute(_ operation: GraphQLOperation) async throws(GraphQLError) -> GraphQLAnswer
}
