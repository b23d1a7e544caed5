import JSON

/// An item as the API sent it.
public struct ItemDTO: Equatable, Sendable {
    /// The item's JSON in the answer.
    public let json: JSONPart
    /// Where it stands in the answer, such as `results[3]`, for the message when it is not of the declared shape.
    public let path: String
    /// Where the answer came from, its secrets replaced.
    public let url: String
    /// How many requests were made for the answer.
    public let attempts: Int

    /// An item; of an answer to one request, where nothing else is said.
    public init(json: JSONPart, path: String, url: String, attempts: Int = 1) {
        self.json = json
        self.path = path
        self.url = url
        self.attempts = attempts
    }
}
