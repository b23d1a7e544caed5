import DataSources
import Model

/// The cache's functions for syncs and for local copies of lists.
extension Cache {
    /// Returns the cache levels that a call reads first. If there is a cache file, a call that may read all levels does
    /// not read the shared level yet. The shared level is not needed if a sync has confirmed the cached item.
    func firstReach(of reach: CacheReach) -> CacheReach { secondReach(of: reach) == nil ? reach : .machine }

    /// Returns the cache levels that a call reads after the levels of `firstReach`; nil if there are none. The call
    /// reads them only if the first levels have no answer, and no sync has confirmed the cached item.
    func secondReach(of reach: CacheReach) -> CacheReach? {
        reach == .all && syncs != nil && hasSharedLevel ? .shared : nil
    }

    /// Returns the states of all synced lists in the cache file. Empty if there is no file.
    public func syncStates() async throws(LocalDataError) -> [SyncState] { try await syncs?.states() ?? [] }

    /// Returns the current state of the shared cache level. A sync calls this function before a request, and passes the
    /// state to `synced` with the items of the answer. Nil if the shared level cannot store these items, or if there is
    /// no shared level.
    func beginFetch(of resource: ResourceKey) async -> FetchTicket? { await shared?.beginFetch(of: resource) }

    /// Updates memory and the shared cache level after a sync has written entries to the cache file.
    ///
    /// - Parameter ticket: the result of `beginFetch` before the request.
    // Memory does not keep the entries, because a synced list may be larger than memory.
    func synced(_ items: [ItemEntity], pages: [PageKey], _ ticket: FetchTicket?) {
        for item in items { memory.remove(item.key) }
        for page in pages { memory.remove(page) }
        if let shared, !items.isEmpty {
            var change = LocalChange(items: items)
            change.ticket = ticket
            shared.save(change)
        }
        hub.changed(items: items.map(\.key), pages: pages)
    }

    /// Removes items from memory after a sync has removed them from the local copy of the list.
    ///
    /// - Parameter isDeleted: whether the sync also deleted the items from the cache file. If true, the items are
    ///   deleted from the shared level, too. If false, the items stay in the file, marked as stale, and the shared
    ///   level does not change.
    func syncRemoved(_ keys: [ItemKey], isDeleted: Bool) {
        for key in keys { memory.remove(key) }
        if isDeleted { for key in keys { shared?.remove(key) } }
        hub.changed(items: keys)
    }
}
