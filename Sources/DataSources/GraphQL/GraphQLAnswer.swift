import JSON
import Model

/// The result of a GraphQL operation.
public struct GraphQLAnswer: Sendable {
    /// The answer's `data` object.
    public let data: JSONPart
    /// The header fields of the answer.
    public let headers: [HTTPHeader]
    /// The number of HTTP requests that were made for the answer, including retries.
    public let attempts: Int

    public init(data: JSONPart, headers: [HTTPHeader] = [], attempts: Int = 1) {
        self.data = data
        self.headers = headers
        self.attempts = attempts
    }
}
