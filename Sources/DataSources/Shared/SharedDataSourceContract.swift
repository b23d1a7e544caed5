import Model

/// A cache level that several machines share. Leases prevent the machines from fetching the same entry at the same
/// time.
public protocol SharedDataSourceContract: LocalDataSourceContract {
    /// Takes leases to fetch keys of one resource. The caller must end the result (`FetchLease.end`) after it has saved
    /// the answer. If the level is unreachable, the caller may fetch all keys.
    ///
    /// - Parameter isForced: whether the caller fetches all keys even if another process is fetching them.
    func take(_ keys: [EntryKey], isForced: Bool) async -> FetchLease

    /// Returns whether the resource of an entry is shared.
    func shares(_ key: EntryKey) -> Bool

    /// Returns whether the level currently stores fetched entries of this kind.
    func stores(_ key: EntryKey) -> Bool

    /// Starts to read an item on the caller's thread, without a task.
    ///
    /// - Parameter then: called once on the event loop, with nil if the item is missing.
    /// - Returns: false if the level cannot be read immediately or does not share the item. `then` is not called in
    ///   that case.
    func readAtOnce(_ key: ItemKey, then: @escaping @Sendable (ItemEntity?) -> Void) -> Bool

    /// Reads entries again, because another process may have stored them meanwhile. The statistics count neither a hit
    /// nor a miss.
    func reread<Key: CacheKey>(_ keys: [Key]) async -> [Key.Entry?]

    /// Adds a number of entries that another process fetched to the statistics.
    func countReceived(_ count: Int)

    /// Sends pending writes for at most a second and closes the connection. Entries that were not sent are still stored
    /// in memory and in the cache file.
    func close() async
}
