import JSON
import Model

/// What a GraphQL operation has brought.
public struct GraphQLAnswer: Sendable {
    /// The answer's `data`, an object.
    public let data: JSONPart
    /// The header fields that came with it.
    public let headers: [HTTPHeader]
    /// How many requests were made for it.
    public let attempts: Int

    /// An answer; to one request, where nothing else is said.
    public init(data: JSONPart, headers: [HTTPHeader] = [], attempts: Int = 1) {
        self.data = data
        self.headers = headers
        self.attempts = attempts
    }
}
