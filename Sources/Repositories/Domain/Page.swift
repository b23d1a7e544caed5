import DataSources
import JSON

/// A page of items.
public struct Page: Equatable, Sendable {
    /// The items' ids in the API's order.
    public let ids: [String]
    /// The items, each one compact JSON object with the fields in the catalog's order.
    public let texts: JSONTexts
    /// Where the page stands in its list.
    public let info: PageInfo
}

/// Where a page stands in its list; nil is what the API does not say.
public struct PageInfo: Equatable, Sendable {
    /// The page itself.
    public let current: PageToken
    /// How many pages there are.
    public let pages: Int?
    /// How many items the list has.
    public let count: Int?
    /// The page after it.
    public let next: PageToken?
    /// The page before it.
    public let previous: PageToken?
}
