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

    /// What the API says, within reason: it may say it of each of a thousand items.
    private static func text(of faults: [GraphQLError.Fault]) -> String {
        let told = faults.prefix(5).map { fault in
            let message = fault.message.count > 500 ? fault.message.prefix(500) + "..." : fault.message[...]
            return fault.path.isEmpty ? String(message) : "\(message) (at \(fault.path.prefix(200)))"
        }
        let more = faults.count > told.count ? "; and \(faults.count - told.count) more" : ""
        return told.joined(separator: "; ") + more
    }

    private func describe(_ reason: GraphQLError.Reason) -> APIError {
        switch reason {
        case .http(let error): transport.map(error)
        case .envelope(let reason): APIError(.decodingFailed, "the answer is not GraphQL: \(reason)", path: "")
        case .missingData: APIError(.invalidResponse, "the answer has neither 'data' nor 'errors'")
        case .errors(let faults):
            APIError(
                .invalidResponse,
                "the API reports: " + Self.text(of: faults),
                path: faults.first { !$0.path.isEmpty }?.path)
        }
    }
}
