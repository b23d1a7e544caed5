import System

/// Which entries a removal or an invalidation means. What is nil does not restrict; all nil means everything.
public struct CacheSelection: Equatable, Sendable {
    /// The resource's name, whatever the shape it was kept in.
    public var resource: String?
    /// Only of the scopes that have these values.
    public var scope: ScopeNarrowing?
    /// These items only; pages are then not meant.
    public var ids: [String]?
    /// Pages only; items are then not meant.
    public var pages: Pages?
    /// Only what came from the remote before this moment.
    public var fetchedBefore: Timestamp?

    /// Pages of lists.
    public enum Pages: Equatable, Sendable {
        /// Those of every list.
        case all
        /// Those of one list, which has this canonical text (`PageKey.list`).
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

/// A selection made ready for many comparisons. Ids are compared byte by byte.
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

/// What one answer of a remote changes: its items, and the page that lists them.
public struct LocalChange: Equatable, Sendable {
    public let items: PackedItems
    /// The page, where the answer was one.
    public let page: PageEntity?
    /// The state of the shared level when the fetch began; nil if the change must not be shared.
    public var ticket: FetchTicket?

    public init(items: PackedItems, page: PageEntity? = nil) {
        self.items = items
        self.page = page
    }

    public init(items: [ItemEntity], page: PageEntity? = nil) { self.init(items: PackedItems(items), page: page) }
}

/// A change of the cache file by another process.
public enum ForeignChange: Equatable, Sendable {
    /// These items and pages were written, marked stale or removed.
    case entries(items: [ItemKey], pages: [PageKey])
    /// Too much to name: whatever is held in memory may be out of date.
    case everything
}
