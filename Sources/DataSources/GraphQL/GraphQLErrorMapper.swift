/// Says in Larder's terms what went wrong with a GraphQL operation.
public struct GraphQLErrorMapper: MapperContract {
    private let transport = HTTPErrorMapper()

    /// The mapper.
    public init() {}

    /// The error for those above the data sources, with the number of requests that were made.
    public func map(_ error: GraphQLError) -> APIError {
        var mapped = describe(error.reason)
        mapped.attempts = error.attempts
        return mapped
    }

    private func describe(_ reason: GraphQLError.Reason) -> APIError {
        switch reason {
        case .http(let error): transport.map(error)
        case .envelope(let reason): APIError(.decodingFailed, "the answer is not GraphQL: \(reason)", path: "")
        case .missingData: APIError(.invalidResponse, "the answer has neither 'data' nor 'errors'")
        case .errors(let faults):
            APIError(
                .invalidResponse,
                "the API reports: "
                    + faults.map { $0.path.isEmpty ? $0.message : "\($0.message) (at \($0.path))" }.joined(
                        separator: "; "),
                path: faults.first { !$0.path.isEmpty }?.path)
        }
    }
}
