/// A query parameter of a URL.
public struct QueryItem: Equatable, Sendable {
    /// The parameter's name.
    public let name: String
    /// The parameter's value.
    public let value: String
    /// The value as it is sent, where it is encoded already; nil leaves that to who sends it.
    public let encoded: String?

    public init(_ name: String, _ value: String, encoded: String? = nil) {
        self.name = name
        self.value = value
        self.encoded = encoded
    }
}
