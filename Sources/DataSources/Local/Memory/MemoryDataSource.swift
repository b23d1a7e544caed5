import Model
import System

/// The first level of the cache: items and pages in memory, within a budget of bytes.
///
/// It is behind a lock rather than in an actor, so that a hit is answered on the caller's thread. Its reads are generic
/// over the key, and compiled for each kind of key: other modules cannot do that.
public final class MemoryDataSource: LocalDataSourceContract {
    private let store: Lock<SieveStore>

    /// An empty data source.
    ///
    /// - Parameter limit: How many bytes it may take, the bookkeeping included.
    public init(limit: Int) { store = Lock(SieveStore(limit: max(0, limit))) }

    /// Reads an entry.
    @_specialize(where Key == ItemKey)
    @_specialize(where Key == PageKey)
    public func read<Key: CacheKey>(_ key: Key) -> Key.Entry? {
        store.withLock { $0.read(key) }
    }

    /// Reads entries in the order of their keys.
    @_specialize(where Key == ItemKey)
    public func read<Key: CacheKey>(_ keys: [Key]) -> [Key.Entry?] {
        store.withLock { store in keys.map { store.read($0) } }
    }

    /// Reads an entry for a caller that reads again, or has read before: a miss is not counted.
    @_specialize(where Key == ItemKey)
    @_specialize(where Key == PageKey)
    public func peek<Key: CacheKey>(_ key: Key) -> Key.Entry? {
        store.withLock { $0.read(key, countsMiss: false) }
    }

    /// Reads entries in the order of their keys, without counting misses.
    @_specialize(where Key == ItemKey)
    public func peek<Key: CacheKey>(_ keys: [Key]) -> [Key.Entry?] {
        store.withLock { store in keys.map { store.read($0, countsMiss: false) } }
    }

    /// The part of an item that an answer needs. This is the fast path of a hit: nothing else is copied, and a miss is
    /// not counted.
    public func glance(_ key: ItemKey) -> ItemGlance? {
        store.withLock { $0.glance(key) }
    }

    /// A page without its items, which may be missing. It is not counted, and does not count as a use of the page.
    public func pageAlone(_ key: PageKey) -> PageEntity? { store.withLock { $0.pageAlone(key) } }

    /// Stores items, and a page of them, all at once. An entry larger than the limit is not stored, nor is a page that
    /// is too large with its items; what they would replace is removed.
    public func save(_ change: LocalChange) {
        store.withLock { store in
            guard store.hasRoom(for: change) else { return store.forget(change) }
            for item in change.items { store.save(item) }
            if let page = change.page { store.save(page) }
        }
    }

    /// The number of removals and invalidations so far; evictions are not counted.
    public var removals: Int { store.withLock { $0.removals } }

    /// Stores entries of a lower level, unless they may be out of date: newer entries stay, and nothing is stored if
    /// anything was removed or marked since `removals` was read.
    public func promote(_ change: LocalChange, since removals: Int) {
        store.withLock { store in
            guard store.removals == removals, store.hasRoom(for: change) else { return }
            for item in change.items { store.saveUnlessOlder(item) }
            if let page = change.page { store.saveUnlessOlder(page) }
        }
    }

    /// Stores one item of a lower level, under the rules of `promote(_:since:)` for a change.
    public func promote(_ item: ItemEntity, since removals: Int) {
        store.withLock { if $0.removals == removals { $0.saveUnlessOlder(item) } }
    }

    /// Removes one entry; of a page, not its items.
    public func remove(_ key: some CacheKey) {
        store.withLock { store in
            store.removals += 1
            store.remove(key.name)
        }
    }

    /// Removes what a selection names. Returns the number of items and pages that were removed.
    @discardableResult
    public func remove(_ selection: CacheSelection) -> Int? {
        store.withLock { store in
            store.removals += 1
            return store.remove(selection)
        }
    }

    /// Marks stale what a selection names. Returns the number of items and pages that were marked.
    @discardableResult
    public func invalidate(_ selection: CacheSelection) -> Int? {
        store.withLock { store in
            store.removals += 1
            return store.invalidate(selection)
        }
    }

    /// Returns the items and pages that were read since the last call.
    public func takeUsed() -> UsedKeys {
        store.withLock { $0.takeUsed() }
    }

    /// Searches the items.
    ///
    /// - Throws: `LocalDataError` if they cannot be searched.
    public func search(_ query: SearchQuery) throws(LocalDataError) -> SearchHits {
        try MemorySearch.hits(query, in: self)
    }

    /// The whole items that a query may find, in no order. It does not count as a use of them.
    func wholeItems(of query: SearchQuery) -> [ItemEntity] {
        let resource = query.resource
        return store.withLock { store in
            store.items { key in query.scope.map { key.isScope(of: resource, with: $0) } ?? (key == resource) }
                .filter { !$0.key.isPartial }
        }
    }

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
