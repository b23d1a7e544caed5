import System

/// The entries that a removal or an invalidation applies to. Properties that are nil do not restrict the selection; if
/// all are nil, it covers the whole cache.
public struct CacheSelection: Equatable, Sendable {
    /// The name of the resource; entries of earlier versions of its catalog are included.
    public var resource: String?
    /// The values that the scope of the entries must have.
    public var scope: ScopeNarrowing?
    /// The ids of the items; pages are then excluded.
    public var ids: [String]?
    /// The pages; items are then excluded.
    public var pages: Pages?
    /// The time before which the entries were fetched.
    public var fetchedBefore: Timestamp?

    /// The pages that a selection covers.
    public enum Pages: Equatable, Sendable {
        /// The pages of all lists.
        case all
        /// The pages of the list with this canonical text (`PageKey.list`).
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

/// Compares many entries with a selection. Ids are compared byte by byte.
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

/// The entries from one answer of a remote: its items, and the page that lists them.
public struct LocalChange: Equatable, Sendable {
    public let items: PackedItems
    /// The page that lists the items; nil if the answer was not a page.
    public let page: PageEntity?
    /// The state of the shared level when the fetch began; nil if the entries must not be stored there.
    public var ticket: FetchTicket?

    public init(items: PackedItems, page: PageEntity? = nil) {
        self.items = items
        self.page = page
    }

    public init(items: [ItemEntity], page: PageEntity? = nil) { self.init(items: PackedItems(items), page: page) }
}

/// A change of the cache file by another process.
public enum ForeignChange: Equatable, Sendable {
    /// The listed items and pages were written, invalidated or removed.
    case entries(items: [ItemKey], pages: [PageKey])
    /// Too many entries changed to list them; any entry in memory may be out of date.
    case everything
}
