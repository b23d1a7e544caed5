import JSON

/// A page as bytes: its items and its info as JSON.
public struct PageBytes: Equatable, Sendable {
    /// The items, each one JSON object.
    public let items: JSONTexts
    /// `{"current", "pages", "count", "next", "previous"}`.
    public let info: [UInt8]

    /// A page.
    public init(items: JSONTexts, info: [UInt8]) {
        self.items = items
        self.info = info
    }
}
