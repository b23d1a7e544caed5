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

        /// A fault.
        public init(message: String, path: String) {
            self.message = message
            self.path = path
        }
    }
}
