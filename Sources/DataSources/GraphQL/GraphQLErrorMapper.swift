import HTTP
import Model

/// Maps an error of a GraphQL operation to an `APIError`.
public struct GraphQLErrorMapper: MapperContract {
    private let transport: HTTPErrorMapper
    private let redactor: Redactor

    /// A mapper that shows no secrets.
    public init(redactor: Redactor) {
        transport = HTTPErrorMapper(redactor: redactor)
        self.redactor = redactor
    }

    /// The error for those above the data sources, with the number of requests that were made.
    public func map(_ error: GraphQLError) -> APIError {
        var mapped = describe(error.reason)
        mapped.attempts = error.attempts
        return mapped
    }

    /// What the API says, within reason: it may say it of each of a thousand items.
    private func text(of faults: [GraphQLError.Fault]) -> String {
        let told = faults.prefix(5).map { fault in
            let message = redactor.redact(fault.message, limit: 500)
            return fault.path.isEmpty ? message : "\(message) (at \(redactor.redact(fault.path, limit: 200)))"
        }
        let more = faults.count > told.count ? "; and \(faults.count - told.count) more" : ""
        return told.joined(separator: "; ") + more
    }

    private func mapFaults(_ faults: [GraphQLError.Fault]) -> APIError {
        var error = APIError(
            .invalidResponse, "the API reports: " + text(of: faults), path: faults.first { !$0.path.isEmpty }?.path)
        error.apiMessage = faults.first.map { APIWords.shown($0.message, redactor) }
        return error
    }

    private func describe(_ reason: GraphQLError.Reason) -> APIError {
        switch reason {
        case .http(let error): transport.map(error)
        case .envelope(let reason): APIError(.decodingFailed, "the answer is not GraphQL: \(reason)", path: "")
        case .missingData: APIError(.invalidResponse, "the answer has neither 'data' nor 'errors'")
        case .errors(let faults):
            mapFaults(faults)
        }
    }
}

/// Why a GraphQL operation has no usable data.
public struct GraphQLError: Error, Equatable, Sendable {
    /// What happened.
    public enum Reason: Error, Equatable, Sendable {
        /// The transport failed, or the status is no success.
        case http(HTTPError)
        /// The body is not a GraphQL answer; the text says why.
        case envelope(String)
        /// The answer has `errors`.
        case errors([Fault])
        /// Neither `data` nor `errors`.
        case missingData
    }

    /// What happened.
    public let reason: Reason
    /// How many requests were made.
    public let attempts: Int

    /// An error of one request, or of more.
    public init(_ reason: Reason, attempts: Int = 1) {
        self.reason = reason
        self.attempts = attempts
    }

    /// The transport failed, or the status is no success.
    public static func http(_ error: HTTPError) -> GraphQLError {
        GraphQLError(.http(error), attempts: error.attempts)
    }

    /// One of an answer's `errors` (GraphQL, October 2021, section 7.1.2).
    public struct Fault: Equatable, Sendable {
        /// The API's own words.
        public let message: String
        /// The path to the field, joined as in `characters.results[3].name`; empty where there is none.
        public let path: String

        public init(message: String, path: String) {
            self.message = message
            self.path = path
        }
    }
}

extension GraphQLError {
    /// Whether a rule of the catalog declares that the answer means a page past the end of its list.
    var isPastTheEnd: Bool {
        if case .http(let error) = reason { error.isPastTheEnd } else { false }
    }
}
