/// Carries out GraphQL operations at one endpoint.
public protocol GraphQLClientContract: Sendable {
    /// The answer with its `data`, which is an object.
    ///
    /// - Throws: `GraphQLError`; an answer with `errors` has no data, however much of it came.
    func execute(_ operation: GraphQLOperation) async throws(GraphQLError) -> GraphQLAnswer
}
