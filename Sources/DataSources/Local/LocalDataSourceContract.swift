import Model

/// A level of the cache, which stores items and pages.
///
/// Reads return entries of any age. Reading a page also returns its items. If an item is missing, the page counts as
/// missing.
public protocol LocalDataSourceContract: AnyObject, Sendable {
    /// Reads an entry; nil if the entry is missing.
    ///
    /// - Throws: `LocalDataError` if the level cannot be read.
    func read<Key: CacheKey>(_ key: Key) async throws(LocalDataError) -> Key.Entry?

    /// Reads several entries. The result has one element per key, in the order of the keys: nil for a missing entry.
    ///
    /// - Throws: `LocalDataError` if the level cannot be read.
    func read<Key: CacheKey>(_ keys: [Key]) async throws(LocalDataError) -> [Key.Entry?]

    /// Stores the items and the page of a change in one atomic step. If the page reports a new total item count, stored
    /// pages of the same list that report a different count become stale.
    ///
    /// Changes take effect in the order of the calls. Every later read sees the change.
    func save(_ change: LocalChange)

    /// Removes one entry. If the entry is a page, the items of the page stay in the cache.
    func remove(_ key: some CacheKey)

    /// Removes the entries that match a selection.
    ///
    /// - Returns: The number of items and pages that were removed; nil if the level does not count them.
    /// - Throws: `LocalDataError` if the level cannot be changed.
    func remove(_ selection: CacheSelection) async throws(LocalDataError) -> Int?

    /// Marks as stale all entries that match a selection. The entries stay stored for use when the API fails
    /// (stale-if-error).
    ///
    /// - Returns: The number of items and pages that became stale; nil if the level does not count them.
    /// - Throws: `LocalDataError` if the level cannot be changed.
    func invalidate(_ selection: CacheSelection) async throws(LocalDataError) -> Int?

    /// Returns the size, hits and misses of the cache level.
    func statistics() async -> LocalStatistics
}
