/// Says in Larder's terms what went wrong on the way.
public struct HTTPErrorMapper: MapperContract {
    /// The mapper.
    public init() {}

    /// The error for those above the data sources.
    public func map(_ error: HTTPError) -> APIError {
        switch error {
        case .invalidURL(let reason): APIError(.invalidRequest, "the request cannot be built: \(reason)")
        case .notHTTP(let reason): APIError(.invalidResponse, "the answer is not HTTP: \(reason)")
        case .emptyBody: APIError(.invalidResponse, "the answer has no body")
        case .status(let response): mapStatus(of: response)
        case .network(let reason): APIError(.network, "the API was not reached: \(reason)")
        case .timeout(let milliseconds): APIError(.timeout, "no answer within \(Self.seconds(milliseconds)) s")
        case .tooLarge(let limit): APIError(.tooLarge, "the answer is larger than \(limit) bytes")
        case .tooManyRedirects(let limit): APIError(.invalidResponse, "more than \(limit) redirects")
        case .cancelled: APIError(.cancelled, "the request was cancelled")
        }
    }

    private func mapStatus(of response: HTTPResponse) -> APIError {
        let status = response.status
        return switch status {
        case 404, 410: APIError(.notFound, "the API has no such thing (status \(status))", status: status)
        case 400, 422: APIError(.invalidRequest, "the API refuses the request (status \(status))", status: status)
        case 401, 403: APIError(.unauthorized, "the API wants other credentials (status \(status))", status: status)
        case 429:
            APIError(
                .rateLimited, "the API has had too many requests (status 429)", status: status,
                retryAfter: response.headers["Retry-After"].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil })
        default: APIError(.serverError, "the API answered with status \(status)", status: status)
        }
    }

    private static func seconds(_ milliseconds: Int) -> String {
        milliseconds % 1000 == 0 ? "\(milliseconds / 1000)" : "\(Double(milliseconds) / 1000)"
    }
}
