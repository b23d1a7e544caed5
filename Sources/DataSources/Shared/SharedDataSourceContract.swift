import Model

/// A cache level that several machines share. Leases prevent two machines from fetching the same entry at the same
/// time.
public protocol SharedDataSourceContract: LocalDataSourceContract {
    /// Asks for leases, which are the right to fetch entries of one resource. The caller must call `FetchLease.end`
    /// after it has saved the answer. If the Redis server cannot be reached, the caller may fetch all entries.
    ///
    /// - Parameter isForced: whether the caller fetches all entries, even those that another process is fetching.
    func take(_ keys: [EntryKey], isForced: Bool) async -> FetchLease

    /// Returns a ticket for a fetch that starts after this call: the current state of the shared level. The caller
    /// saves the ticket together with the fetched entries, in `LocalChange.ticket`. Returns nil if the fetched entries
    /// cannot be stored in the shared level.
    ///
    /// Unlike `take`, this function takes no leases. Other processes may therefore fetch the same entries at the same
    /// time.
    func beginFetch(of resource: ResourceKey) async -> FetchTicket?

    /// Returns whether the entries of the key's resource are stored in the shared level.
    func shares(_ key: EntryKey) -> Bool

    /// Whether the entry with the given key can currently be stored in the shared level.
    func stores(_ key: EntryKey) -> Bool

    /// Starts to read an item without creating a Swift task. The item is passed to a callback.
    ///
    /// - Parameter then: called once on the event loop, with nil if the item is missing.
    /// - Returns: whether the read was started. If not, `then` is never called.
    func readAtOnce(_ key: ItemKey, then: @escaping @Sendable (ItemEntity?) -> Void) -> Bool

    /// Reads entries again, because another process may have stored them since the last read. This read does not change
    /// the statistics.
    func reread<Key: CacheKey>(_ keys: [Key]) async -> [Key.Entry?]

    /// Counts entries that another process fetched while this process waited for them.
    func countReceived(_ count: Int)

    /// Sends pending writes for at most a second, and closes the connection. Entries that were not sent remain in
    /// memory and in the cache file.
    func close() async
}
