import Model

/// A level of the cache that many machines share. Its leases keep them from fetching the same entry at the same time.
public protocol SharedDataSourceContract: LocalDataSourceContract {
    /// Requests the turn to ask the remote for keys of one resource. The caller ends the turn (`FetchTurn.end`) after
    /// it has saved the answer. If the level cannot be reached, the turn is for all keys.
    ///
    /// - Parameter isForced: whether the caller fetches all keys even if another process is fetching them.
    func take(_ keys: [EntryKey], isForced: Bool) async -> FetchTurn

    /// Whether the resource of an entry is shared.
    func shares(_ key: EntryKey) -> Bool

    /// Whether an answer of the remote would be stored in this level now.
    func stores(_ key: EntryKey) -> Bool

    /// Starts to read an item on the caller's thread, without a task.
    ///
    /// - Parameter then: called once, on the loop, with nil for an item that is missing.
    /// - Returns: false if the level cannot be read at once, or does not share the item. `then` is not called then.
    func readAtOnce(_ key: ItemKey, then: @escaping @Sendable (ItemEntity?) -> Void) -> Bool

    /// Reads entries again after another process may have stored them. Not counted as hits or misses.
    func reread<Key: CacheKey>(_ keys: [Key]) async -> [Key.Entry?]

    /// Counts entries that another process fetched for this one.
    func countReceived(_ count: Int)

    /// Sends what was saved, for a short time, and closes the connection. What is left is not lost: the other levels of
    /// this machine have it.
    func close() async
}
