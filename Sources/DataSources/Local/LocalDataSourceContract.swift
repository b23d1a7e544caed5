import Model

/// Keeps items and pages near: in memory or in a file. One contract, so that a repository treats its levels alike.
public protocol LocalDataSourceContract: AnyObject, Sendable {
    /// An item, whatever its age; nil where it is not kept.
    func item(_ key: ItemKey) async throws(LocalDataError) -> ItemEntity?

    /// Items in the order of their keys; nil where one is not kept.
    func items(_ keys: [ItemKey]) async throws(LocalDataError) -> [ItemEntity?]

    /// A page with its items, whatever its age; nil where it is not kept, or one of its items is not.
    func page(_ key: PageKey) async throws(LocalDataError) -> StoredPage?

    /// Keeps items, and a page of them, all at once; what was kept under the same keys is replaced. Where the page
    /// knows its list's count, other pages of that list which were told another one become stale.
    ///
    /// It takes effect in the order of the calls, before every read that begins after it.
    func save(_ change: LocalChange)

    /// Forgets one item.
    func removeItem(_ key: ItemKey)

    /// Forgets one page, not its items.
    func removePage(_ key: PageKey)

    /// Forgets what a selection names. Returns how many items and pages that were.
    func remove(_ selection: CacheSelection) async throws(LocalDataError) -> Int

    /// Marks stale what a selection names and keeps it for fallback. Returns how many items and pages were marked that
    /// were not.
    func invalidate(_ selection: CacheSelection) async throws(LocalDataError) -> Int

    /// How much is kept, and how often it helped.
    func statistics() async -> LocalStatistics
}
