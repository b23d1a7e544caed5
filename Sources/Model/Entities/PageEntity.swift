import JSON
import System

/// A cached page of a list: the ids of its items in order, and its page info.
public struct PageEntity: Equatable, Sendable {
    public let key: PageKey
    /// The ids of the items, in the page's order.
    public let ids: [String]
    /// Whether the page's items are incomplete, because the list omits fields (`ItemKey.isPartial`).
    public let isPartial: Bool
    /// The page info as one compact JSON object: `{"current", "pages", "count", "next", "previous"}`.
    public let info: [UInt8]
    /// The time at which the API sent the page.
    public var fetchedAt: Timestamp
    /// Whether the page was invalidated. An invalidated page is stale at any age.
    public var isInvalidated: Bool
    /// The number of items in the list. Nil if the API did not report it.
    public let count: Int?
    /// The number of pages in the list. Nil if the API did not report it.
    public let pages: Int?
    /// The token of the next page. Nil if there is no next page or the API does not report the token.
    public let next: PageToken?
    /// The page's validators for a conditional request; nil if the API sent none.
    public let validators: Validators?

    public init(
        key: PageKey, ids: [String], isPartial: Bool = false, info: [UInt8], fetchedAt: Timestamp,
        isInvalidated: Bool = false, count: Int? = nil, pages: Int? = nil, next: PageToken? = nil,
        validators: Validators? = nil
    ) {
        self.key = key
        self.ids = ids
        self.isPartial = isPartial
        self.info = info
        self.fetchedAt = fetchedAt
        self.isInvalidated = isInvalidated
        self.count = count
        self.pages = pages
        self.next = next
        self.validators = validators
    }

    /// The keys of the items, in the page's order.
    public var itemKeys: [ItemKey] { ids.indices.map { itemKey($0) } }

    /// Returns the key of the item at an index of the page.
    @usableFromInline package func itemKey(_ index: Int) -> ItemKey {
        ItemKey(resource: key.resource, id: ids[index], isPartial: isPartial)
    }
}

/// A cached page with all of its items.
public struct StoredPage: Equatable, Sendable {
    public let page: PageEntity
    /// The items, in the page's order.
    public let items: PackedItems

    public init(page: PageEntity, items: PackedItems) {
        self.page = page
        self.items = items
    }

    /// Creates a page from an array of items.
    public init(page: PageEntity, items: [ItemEntity]) { self.init(page: page, items: PackedItems(items)) }
}
