import Model

/// A cache level that several machines share. Leases prevent two machines from fetching the same entry at the same
/// time.
public protocol SharedDataSourceContract: LocalDataSourceContract {
    /// Takes leases to fetch entries of one resource. The caller must call `FetchLease.end` after it has saved the
    /// answer. If the server cannot be reached, the caller may fetch all entries.
    ///
    /// - Parameter isForced: whether the caller fetches all entries, even those that another process is fetching.
    func take(_ keys: [EntryKey], isForced: Bool) async -> FetchLease

    /// Returns whether the resource of an entry is shared.
    func shares(_ key: EntryKey) -> Bool

    /// Whether entries under the given key can currently be stored in the shared level.
    func stores(_ key: EntryKey) -> Bool

    /// Starts to read an item on the caller's thread, and passes the item to a callback. Creates no Swift task.
    ///
    /// - Parameter then: called once on the event loop, with nil if the item is missing.
    /// - Returns: whether the read was started. If not, `then` is never called.
    func readAtOnce(_ key: ItemKey, then: @escaping @Sendable (ItemEntity?) -> Void) -> Bool

    /// Reads entries that another process may have stored since the last read. The statistics do not count this read.
    func reread<Key: CacheKey>(_ keys: [Key]) async -> [Key.Entry?]

    /// Counts entries that this process received from another process instead of the API.
    func countReceived(_ count: Int)

    /// Sends pending writes for at most a second, and closes the connection. Unsent entries remain in memory and the
    /// cache file.
    func close() async
}
