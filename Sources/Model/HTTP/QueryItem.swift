/// A query parameter of a URL.
public struct QueryItem: Equatable, Sendable {
    public let name: String
    public let value: String
    /// The percent-encoded value. If nil, `value` is encoded when the URL is built.
    public let encoded: String?

    public init(_ name: String, _ value: String, encoded: String? = nil) {
        self.name = name
        self.value = value
        self.encoded = encoded
    }
}
