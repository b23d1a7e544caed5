import System

/// The cache entries to remove or invalidate. Each property that is set restricts the selection. If no property is set,
/// all entries are selected.
public struct CacheSelection: Equatable, Sendable {
    /// The name of the resource; nil for all resources. Entries from earlier versions of the catalog are also selected.
    public var resource: String?
    /// The scope values that a selected entry must have, such as a given `owner`. Nil for entries of all scopes.
    public var scope: ScopeNarrowing?
    /// The ids of the items to select. If this property is set, the selection contains only items with these ids, and
    /// no pages.
    public var ids: [String]?
    /// The pages to select. If this property is set, the selection contains only these pages, and no items.
    public var pages: Pages?
    /// An entry is selected only if it was fetched before this time. Nil for entries of any age.
    public var fetchedBefore: Timestamp?

    /// The selected pages: all pages, or the pages of one list.
    public enum Pages: Equatable, Sendable {
        /// The pages of all lists.
        case all
        /// The pages of one list. The associated value contains the filters of the list as canonical JSON
        /// (`PageKey.list`).
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

/// Tests whether entries belong to a `CacheSelection`. Ids are compared byte by byte.
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

/// The cache entries that one API answer produces: items, and optionally the page that lists them.
public struct LocalChange: Equatable, Sendable {
    public let items: PackedItems
    /// The page that lists the items; nil if the items do not come from a list.
    public let page: PageEntity?
    /// The state of the shared cache level (Redis) at the start of the fetch. Nil if the entries are stored only on
    /// this machine.
    public var ticket: FetchTicket?
    /// The time just before the request was sent to the API. The cache file keeps its own version of an item if that
    /// version was fetched after this time. Nil if the items replace all stored versions.
    public var askedAt: Timestamp?

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
    /// Another process changed more entries than can be listed, so any entry in memory may be outdated.
    case everything
}
