import JSON

/// What a GraphQL operation has brought.
public struct GraphQLAnswer: Sendable {
    /// The answer's `data`, an object.
    public let data: JSONPart
    /// How many requests were made for it.
    public let attempts: Int

    /// An answer; to one request, where nothing else is said.
    public init(data: JSONPart, attempts: Int = 1) {
        self.data = data
        self.attempts = attempts
    }
}
