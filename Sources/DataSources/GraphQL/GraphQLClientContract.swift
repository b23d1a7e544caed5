/// Executes GraphQL operations at one endpoint.
public protocol GraphQLClientContract: Sendable {
    /// Sends a GraphQL operation and returns the `data` of the answer.
    ///
    /// - Throws: `GraphQLError` if the operation fails, or if the answer contains `errors` in addition to `data`.
    func execute(_ operation: GraphQLOperation) async throws(GraphQLError) -> GraphQLAnswer
}
