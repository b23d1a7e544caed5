import Model
import System

/// The first level of the cache: items and pages in memory, within a budget of bytes.
///
/// It is behind a lock rather than in an actor, so that a hit is answered on the caller's thread.
public final class MemoryDataSource: VolatileDataSourceContract {
    private let store: Lock<SieveStore>

    /// An empty data source.
    ///
    /// - Parameter limit: How many bytes it may take, the bookkeeping included.
    public init(limit: Int) { store = Lock(SieveStore(limit: max(0, limit))) }

    /// An item, whatever its age; nil where it is not kept.
    public func item(_ key: ItemKey) -> ItemEntity? {
        store.withLock { $0.item(key) }
    }

    /// Items in the order of their keys; nil where one is not kept.
    public func items(_ keys: [ItemKey]) -> [ItemEntity?] {
        store.withLock { store in keys.map { store.item($0) } }
    }

    /// A page with its items, whatever its age; nil where it is not kept, or one of its items is not.
    public func page(_ key: PageKey) -> StoredPage? {
        store.withLock { $0.page(key) }
    }

    /// The part of an item that an answer needs.
    public func glance(_ key: ItemKey) -> ItemGlance? {
        store.withLock { $0.glance(key) }
    }

    /// An item; where there is none, that is not counted.
    public func peek(_ key: ItemKey) -> ItemEntity? {
        store.withLock { $0.item(key, countsMiss: false) }
    }

    /// Items in the order of their keys; what is not there is not counted.
    public func peek(_ keys: [ItemKey]) -> [ItemEntity?] {
        store.withLock { store in keys.map { store.item($0, countsMiss: false) } }
    }

    /// A page with its items; where there is none, that is not counted.
    public func peek(_ key: PageKey) -> StoredPage? {
        store.withLock { $0.page(key, countsMiss: false) }
    }

    /// A page without its items, which may be gone; nothing is counted.
    public func glance(_ key: PageKey) -> PageEntity? { store.withLock { $0.glance(key) } }

    /// Keeps items, and a page of them, all at once; an entry larger than the limit is not kept, nor is a page that is
    /// it with its items, nor what they replace.
    public func save(_ change: LocalChange) {
        store.withLock { store in
            guard store.hasRoom(for: change) else { return store.forget(change) }
            for item in change.items { store.save(item) }
            if let page = change.page { store.save(page) }
        }
    }

    /// How often entries were removed or marked stale until now.
    public var removals: Int { store.withLock { $0.removals } }

    /// Keeps entries of the file that are not out of date by now.
    public func promote(_ change: LocalChange, since removals: Int) {
        store.withLock { store in
            guard store.removals == removals, store.hasRoom(for: change) else { return }
            for item in change.items { store.saveUnlessOlder(item) }
            if let page = change.page { store.saveUnlessOlder(page) }
        }
    }

    /// Keeps one item of a lower level unless it is out of date by now.
    public func promote(_ item: ItemEntity, since removals: Int) {
        store.withLock { if $0.removals == removals { $0.saveUnlessOlder(item) } }
    }

    /// Forgets one item.
    public func removeItem(_ key: ItemKey) {
        store.withLock { store in
            store.removals += 1
            store.remove(key)
        }
    }

    /// Forgets one page, not its items.
    public func removePage(_ key: PageKey) {
        store.withLock { store in
            store.removals += 1
            store.remove(key)
        }
    }

    /// Forgets what a selection names. Returns how many items and pages that were.
    @discardableResult
    public func remove(_ selection: CacheSelection) -> Int {
        store.withLock { store in
            store.removals += 1
            return store.remove(selection)
        }
    }

    /// Marks stale what a selection names. Returns how many items and pages were marked that were not.
    public func invalidate(_ selection: CacheSelection) -> Int {
        store.withLock { store in
            store.removals += 1
            return store.invalidate(selection)
        }
    }

    /// The items and pages that were read since this was called last.
    public func takeUsed() -> UsedKeys {
        store.withLock { $0.takeUsed() }
    }

    /// Looks among the items that are kept.
    public func search(_ query: SearchQuery) throws(LocalDataError) -> SearchHits {
        try MemorySearch.hits(query, in: self)
    }

    /// The whole items that a query looks at, in no order. It does not count as using them.
    func wholeItems(of query: SearchQuery) -> [ItemEntity] {
        let resource = query.resource
        return store.withLock { store in
            store.items { key in query.scope.map { key.isScope(of: resource, with: $0) } ?? (key == resource) }
                .filter { !$0.key.isPartial }
        }
    }

    /// How much is kept, and how often it helped.
    public func statistics() -> LocalStatistics {
        store.withLock { store in
            var statistics = LocalStatistics()
            statistics.entries = store.count
            statistics.bytes = store.bytes
            statistics.limit = store.limit
            statistics.hits = store.hits
            statistics.misses = store.misses
            statistics.evictions = store.evictions
            return statistics
        }
    }
}
