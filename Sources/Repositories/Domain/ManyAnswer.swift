import JSON
import DataSources

/// Several items at once.
public struct ManyAnswer: Sendable {
    /// The items that there are, in the order asked, each one JSON object.
    public let items: [[UInt8]]
    /// The ids for which there is none.
    public let missing: [String]
    /// Where the items came from.
    public let sources: [Source: Int]
    /// Why the remote did not answer, where entries stand in for it.
    public let fallback: APIError?

    /// An answer.
    public init(items: [[UInt8]], missing: [String], sources: [Source: Int], fallback: APIError?) {
        self.items = items
        self.missing = missing
        self.sources = sources
        self.fallback = fallback
    }
}
