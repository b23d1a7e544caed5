/// Why a GraphQL operation has no usable data.
public enum GraphQLError: Error, Equatable, Sendable {
    /// The transport failed, or the status is no success.
    case http(HTTPError)
    /// The body is not a GraphQL answer; the text says why.
    case envelope(String)
    /// The answer has `errors`.
    case errors([Fault])
    /// Neither `data` nor `errors`.
    case missingData

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
