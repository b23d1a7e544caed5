import System

/// The cache entries to which a removal or an invalidation applies. Each property that is set restricts the selection.
/// If all are nil, the selection is the whole cache.
public struct CacheSelection: Equatable, Sendable {
    /// The name of the resource. Entries from earlier versions of the resource's catalog are also selected.
    public var resource: String?
    /// Values that the scope of an entry must have, such as its `owner`.
    public var scope: ScopeNarrowing?
    /// The ids of the selected items. If set, no pages are selected.
    public var ids: [String]?
    /// The selected pages. If set, no items are selected.
    public var pages: Pages?
    /// A time. Only entries that were fetched earlier are selected.
    public var fetchedBefore: Timestamp?

    /// The pages in a selection.
    public enum Pages: Equatable, Sendable {
        /// The pages of all lists.
        case all
        /// The pages of one list. The canonical filters identify the list (`PageKey.list`).
        case list(String)
    }

    public init(
        resource: String? = nil, scope: ScopeNarrowing? = nil, ids: [String]? = nil, pages: Pages? = nil,
        fetchedBefore: Timestamp? = nil
    ) {
        self.resource = resource
        self.scope = scope
        self.ids = ids
        self.pages = pages
        self.fetchedBefore = fetchedBefore
    }
}

/// Tests whether entries belong to a selection. The initializer prepares the comparison, so that each test is quick.
/// Ids are compared byte by byte.
package struct SelectionMatcher {
    private let selection: CacheSelection
    private let ids: Set<[UInt8]>?

    package init(_ selection: CacheSelection) {
        self.selection = selection
        ids = selection.ids.map { Set($0.map { Array($0.utf8) }) }
    }

    package func selects(_ item: ItemEntity) -> Bool {
        selection.pages == nil && selects(item.key.resource, item.fetchedAt)
            && (ids?.contains(Array(item.key.id.utf8)) ?? true)
    }

    package func selects(_ page: PageEntity) -> Bool {
        if case .list(let list) = selection.pages, !page.key.list.isIdentical(to: list) { return false }
        return ids == nil && selects(page.key.resource, page.fetchedAt)
    }

    private func selects(_ resource: ResourceKey, _ fetchedAt: Timestamp) -> Bool {
        (selection.resource.map { $0 == resource.resourceName } ?? true)
            && (selection.scope.map { resource.has($0) } ?? true)
            && (selection.fetchedBefore.map { fetchedAt < $0 } ?? true)
    }
}

/// The cache entries from one answer of an API: the items and, for a list, the page.
public struct LocalChange: Equatable, Sendable {
    public let items: PackedItems
    /// The page that lists the items; nil if the answer was not a page.
    public let page: PageEntity?
    /// The state of the shared level when the fetch began. Nil if the entries must not be stored in the shared level.
    public var ticket: FetchTicket?

    public init(items: PackedItems, page: PageEntity? = nil) {
        self.items = items
        self.page = page
    }

    public init(items: [ItemEntity], page: PageEntity? = nil) { self.init(items: PackedItems(items), page: page) }
}

/// A change of the cache file by another process.
public enum ForeignChange: Equatable, Sendable {
    /// Another process wrote, invalidated or removed the listed items and pages.
    case entries(items: [ItemKey], pages: [PageKey])
    /// Another process changed too many entries to list them. Any entry in memory may be out of date.
    case everything
}
