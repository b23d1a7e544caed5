import DataSources
import Model

/// Connects the cache with the local copies of lists, which the cache file contains.
extension Cache {
    /// Returns the cache levels that a call reads first. If the cache file can contain local copies of lists, these are
    /// only the levels on this machine. Otherwise they are all the given levels. A local copy can show that an expired
    /// item is still current, so that the call need not read the shared level.
    func firstReach(of reach: CacheReach) -> CacheReach { secondReach(of: reach) == nil ? reach : .machine }

    /// Returns the cache levels to read after those that `firstReach` returns; nil if `firstReach` returns all given
    /// levels. A call reads them only if the first levels have no answer, and no local copy of a list shows that the
    /// cached item is still current.
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
