import Model
import System

/// The first level of the cache: items and pages in memory, within a size limit.
// A lock instead of an actor protects the entries, so that a hit is answered on the caller's thread. The generic reads
// are specialized in this module for each kind of key, because other modules cannot specialize them.
public final class MemoryDataSource: LocalDataSourceContract {
    private let store: Lock<SieveStore>

    /// Creates an empty memory level.
    ///
    /// - Parameter limit: The maximum size of the entries in bytes, including the overhead of each entry.
    public init(limit: Int) { store = Lock(SieveStore(limit: max(0, limit))) }

    /// Reads an entry, and counts a hit or a miss.
    @_specialize(where Key == ItemKey)
    @_specialize(where Key == PageKey)
    public func read<Key: CacheKey>(_ key: Key) -> Key.Entry? {
        store.withLock { $0.read(key) }
    }

    /// Reads several entries in the order of the given keys, and counts a hit or a miss for each.
    @_specialize(where Key == ItemKey)
    public func read<Key: CacheKey>(_ keys: [Key]) -> [Key.Entry?] {
        store.withLock { store in keys.map { store.read($0) } }
    }

    /// Reads an entry. Counts a hit, but no miss, because the caller may read the same key again.
    @_specialize(where Key == ItemKey)
    @_specialize(where Key == PageKey)
    public func peek<Key: CacheKey>(_ key: Key) -> Key.Entry? {
        store.withLock { $0.read(key, countsMiss: false) }
    }

    /// Reads several entries in the order of the given keys. Counts hits, but no misses.
    @_specialize(where Key == ItemKey)
    public func peek<Key: CacheKey>(_ keys: [Key]) -> [Key.Entry?] {
        store.withLock { store in keys.map { store.read($0, countsMiss: false) } }
    }

    /// Returns an item's JSON, its fetch time and whether it is stale. Counts a hit, but no miss.
    // Hits are fast because nothing else is copied.
    public func glance(_ key: ItemKey) -> ItemSnapshot? {
        store.withLock { $0.glance(key) }
    }

    /// Returns a page without its items, even if some items are missing. This changes neither the statistics nor the
    /// order of eviction.
    public func pageWithoutItems(_ key: PageKey) -> PageEntity? { store.withLock { $0.pageWithoutItems(key) } }

    /// Stores the items and the page of a change in one atomic step.
    ///
    /// An item larger than the limit is not stored. A page and its items are not stored if they exceed the limit
    /// together. In both cases, older entries with the same keys are removed.
    public func save(_ change: LocalChange) {
        store.withLock { store in
            guard store.hasRoom(for: change) else { return store.removeEntries(replacedBy: change) }
            for item in change.items { store.save(item) }
            if let page = change.page { store.save(page) }
        }
    }

    /// The number of removals and invalidations so far. Evictions are not counted.
    public var removals: Int { store.withLock { $0.removals } }

    /// Copies entries of a lower cache level to memory, unless memory contains newer ones. Copies nothing if any entry
    /// was removed or marked as stale since `removals` was read.
    ///
    /// - Parameter removals: the value of the property `removals` before the entries were read from the lower level.
    public func promote(_ change: LocalChange, since removals: Int) {
        store.withLock { store in
            guard store.removals == removals, store.hasRoom(for: change) else { return }
            for item in change.items { store.saveUnlessOlder(item) }
            if let page = change.page { store.saveUnlessOlder(page) }
        }
    }

    /// Copies one item of a lower cache level to memory, unless memory contains a newer item. Copies nothing if any
    /// entry was removed or marked as stale since `removals` was read.
    ///
    /// - Parameter removals: the value of the property `removals` before the item was read from the lower level.
    public func promote(_ item: ItemEntity, since removals: Int) {
        store.withLock { if $0.removals == removals { $0.saveUnlessOlder(item) } }
    }

    /// Removes one entry. If the entry is a page, the items of the page stay in memory.
    public func remove(_ key: some CacheKey) {
        store.withLock { store in
            store.removals += 1
            store.remove(key.name)
        }
    }

    /// Removes the entries that match a selection. Returns the number of removed items and pages.
    @discardableResult
    public func remove(_ selection: CacheSelection) -> Int? {
        store.withLock { store in
            store.removals += 1
            return store.remove(selection)
        }
    }

    /// Marks as stale all entries that match a selection. Returns the number of items and pages that became stale.
    @discardableResult
    public func invalidate(_ selection: CacheSelection) -> Int? {
        store.withLock { store in
            store.removals += 1
            return store.invalidate(selection)
        }
    }

    /// Returns the keys of items and pages that were read since the last call of this function.
    public func takeUsed() -> UsedKeys {
        store.withLock { $0.takeUsed() }
    }

    /// Searches the items in memory.
    ///
    /// - Throws: `LocalDataError` if the SQLite library cannot search.
    public func search(_ query: SearchQuery) throws(LocalDataError) -> SearchHits {
        try MemorySearch.hits(query, in: self)
    }

    /// Returns the items that a query must search, in any order. Leaves out partial items, which lack fields. Does not
    /// change the order of eviction.
    func wholeItems(of query: SearchQuery) -> [ItemEntity] {
        let resource = query.resource
        return store.withLock { store in
            store.items { key in query.scope.map { key.isScope(of: resource, with: $0) } ?? (key == resource) }
                .filter { !$0.key.isPartial }
        }
    }

    /// Returns the items of a resource and of all its scopes, in any order. Does not change the order of eviction.
    func items(of resource: ResourceKey) -> [ItemEntity] {
        store.withLock { $0.items { $0.isScope(of: resource, with: ScopeNarrowing([])) } }
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

extension SieveStore {
    /// Removes the stored page and the stored items that a change replaces.
    fileprivate mutating func removeEntries(replacedBy change: LocalChange) {
        if let page = change.page { remove(.page(page.key)) }
        for key in change.items.keys { remove(.item(key)) }
    }
}
