import JSON
import System

/// A page as it is kept: the keys of its items in their order, and its page info.
public struct PageEntity: Equatable, Sendable {
    /// Its key.
    public let key: PageKey
    /// The ids of its items in their order.
    public let ids: [String]
    /// Whether its items are a list's parts of items (see `ItemKey.isPartial`).
    public let isPartial: Bool
    /// The page info as one compact JSON object: `{"current", "pages", "count", "next", "previous"}`.
    public let info: [UInt8]
    /// When it came from the remote.
    public var fetchedAt: Timestamp
    /// Whether it was marked stale, whatever its age.
    public var isInvalidated: Bool
    /// How many items the list was said to have.
    public let count: Int?
    /// How many pages the list was said to have.
    public let pages: Int?
    /// The page after it; nil where there is none, or the API does not say.
    public let next: PageToken?
    /// What to ask with whether it has changed; nil where the API gave nothing.
    public let validators: Validators?

    /// A page that came at a moment.
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

    /// The keys of its items in their order.
    public var itemKeys: [ItemKey] { ids.indices.map { itemKey($0) } }

    /// The key of an item by its place.
    @usableFromInline package func itemKey(_ index: Int) -> ItemKey {
        ItemKey(resource: key.resource, id: ids[index], isPartial: isPartial)
    }
}

/// A kept page together with all its items.
public struct StoredPage: Equatable, Sendable {
    public let page: PageEntity
    /// Its items in the page's order.
    public let items: PackedItems

    /// A page and its items.
    public init(page: PageEntity, items: PackedItems) {
        self.page = page
        self.items = items
    }

    /// A page and its items.
    public init(page: PageEntity, items: [ItemEntity]) { self.init(page: page, items: PackedItems(items)) }
}
