import JSON

/// A page of items.
public struct Page: Equatable, Sendable {
    /// The items' ids in the API's order.
    public let ids: [String]
    /// The items, each one compact JSON object with the fields in the catalog's order.
    public let items: JSONTexts
    /// Where the page stands in its list: `{"current", "pages", "count", "next", "previous"}`.
    public let info: [UInt8]

    /// A page.
    public init(ids: [String], items: JSONTexts, info: [UInt8]) {
        self.ids = ids
        self.items = items
        self.info = info
    }
}
