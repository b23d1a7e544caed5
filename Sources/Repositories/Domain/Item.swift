import JSON

/// A thing of a resource: its id and its fields.
public struct Item: Equatable, Sendable {
    /// The id as text: an integer's digits, or a string.
    public let id: String
    /// The fields as one compact JSON object, in the catalog's order.
    public let json: [UInt8]
}

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
