import Model

/// A cache level that several machines share. Its leases prevent them from fetching the same entry at the same time.
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

    /// Reads entries again after another process may have stored them. The read counts neither as hit nor as miss.
    func reread<Key: CacheKey>(_ keys: [Key]) async -> [Key.Entry?]

    /// Counts entries that another process fetched for this one.
    func countReceived(_ count: Int)

    /// Sends pending writes for at most a second and closes the connection. Unsent entries remain in the other levels
    /// of this machine.
    func close() async
}
