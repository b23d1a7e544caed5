import Model

/// A level of the cache: stores items and pages.
///
/// Whatever the key, a read returns an entry of any age. A page is read with its items, and is missing if one of them
/// is.
public protocol LocalDataSourceContract: AnyObject, Sendable {
    /// Reads an entry; nil if it is missing.
    ///
    /// - Throws: `LocalDataError` if the level cannot be read.
    func read<Key: CacheKey>(_ key: Key) async throws(LocalDataError) -> Key.Entry?

    /// Reads entries in the order of their keys; nil for one that is missing.
    ///
    /// - Throws: `LocalDataError` if the level cannot be read.
    func read<Key: CacheKey>(_ keys: [Key]) async throws(LocalDataError) -> [Key.Entry?]

    /// Stores items, and a page of them, all at once. They replace what was stored under the same keys. If the page
    /// knows its list's count, other pages of that list with another count become stale.
    ///
    /// Calls take effect in their order, and before every read that begins after them.
    func save(_ change: LocalChange)

    /// Removes one entry; of a page, not its items.
    func remove(_ key: some CacheKey)

    /// Removes what a selection names.
    ///
    /// - Returns: the number of items and pages that were removed; nil if the level does not know it.
    func remove(_ selection: CacheSelection) async throws(LocalDataError) -> Int?

    /// Marks stale what a selection names, and keeps it for fallback.
    ///
    /// - Returns: the number of items and pages that were marked and were not before; nil if the level does not know
    ///   it.
    func invalidate(_ selection: CacheSelection) async throws(LocalDataError) -> Int?

    /// The level's size, and its hits and misses.
    func statistics() async -> LocalStatistics
}
