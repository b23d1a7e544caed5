import HTTP
import Model

/// Maps an error of a GraphQL operation to an `APIError`.
public struct GraphQLErrorMapper: MapperContract {
    private let transport: HTTPErrorMapper
    private let redactor: Redactor

    /// Creates a mapper. Its error messages do not contain the secrets that the redactor knows.
    public init(redactor: Redactor) {
        transport = HTTPErrorMapper(redactor: redactor)
        self.redactor = redactor
    }

    /// Returns the `APIError` for a failed GraphQL operation, with the number of attempts.
    public func map(_ error: GraphQLError) -> APIError {
        var mapped = describe(error.reason)
        mapped.attempts = error.attempts
        return mapped
    }

    /// Returns one string that contains the messages of the first five errors in a GraphQL answer. If there are more
    /// errors, the string ends with the number of further errors.
    private func text(of faults: [GraphQLError.Fault]) -> String {
        let listed = faults.prefix(5).map { fault in
            let message = redactor.redact(fault.message, limit: 500)
            return fault.path.isEmpty ? message : "\(message) (at \(redactor.redact(fault.path, limit: 200)))"
        }
        let more = faults.count > listed.count ? "; and \(faults.count - listed.count) more" : ""
        return listed.joined(separator: "; ") + more
    }

    private func mapFaults(_ faults: [GraphQLError.Fault]) -> APIError {
        var error = APIError(
            .invalidResponse, "the API reports: " + text(of: faults), path: faults.first { !$0.path.isEmpty }?.path)
        error.apiMessage = faults.first.map { ErrorMessageFinder.shown($0.message, redactor) }
        return error
    }

    private func describe(_ reason: GraphQLError.Reason) -> APIError {
        switch reason {
        case .http(let error): transport.map(error)
        case .envelope(let reason):
            APIError(.decodingFailed, "the answer is not GraphQL: \(reason); check the path in the catalog", path: "")
        case .missingData:
            APIError(
                .invalidResponse, "the GraphQL answer has neither 'data' nor 'errors'; check the path in the catalog")
        case .errors(let faults):
            mapFaults(faults)
        }
    }
}

/// The error of a GraphQL operation that returned no usable data.
public struct GraphQLError: Error, Equatable, Sendable {
    /// The cause of a GraphQL error.
    public enum Reason: Error, Equatable, Sendable {
        /// The HTTP request failed, or the status of the answer is not 2xx.
        case http(HTTPError)
        /// The body is not a valid GraphQL answer. The associated value is the reason.
        case envelope(String)
        /// The GraphQL answer contains a non-empty `errors` array.
        case errors([Fault])
        /// The GraphQL answer contains neither `data` nor `errors`.
        case missingData
    }

    public let reason: Reason
    /// The number of HTTP requests that were made, including retries.
    public let attempts: Int

    public init(_ reason: Reason, attempts: Int = 1) {
        self.reason = reason
        self.attempts = attempts
    }

    /// Wraps an error of the HTTP transport in a GraphQL error.
    public static func http(_ error: HTTPError) -> GraphQLError {
        GraphQLError(.http(error), attempts: error.attempts)
    }

    /// One error in the `errors` array of an answer (GraphQL, October 2021, section 7.1.2).
    public struct Fault: Equatable, Sendable {
        /// The API's own error message.
        public let message: String
        /// The path to the field that caused the error, such as `characters.results[3].name`. Empty if the API's error
        /// contains no path.
        public let path: String

        public init(message: String, path: String) {
            self.message = message
            self.path = path
        }
    }
}

extension GraphQLError {
    /// Whether an error rule of the catalog declares that the requested page is past the end of the list.
    var isPastTheEnd: Bool {
        if case .http(let error) = reason { error.isPastTheEnd } else { false }
    }
}
