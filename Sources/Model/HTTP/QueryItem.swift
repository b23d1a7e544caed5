/// A query parameter of a URL.
public struct QueryItem: Equatable, Sendable {
    public let name: String
    public let value: String
    /// The percent-encoded value. Nil if `value` still has to be encoded.
    public let encoded: String?

    public init(_ name: String, _ value: String, encoded: String? = nil) {
        self.name = name
        self.value = value
        self.encoded = encoded
    }
}
