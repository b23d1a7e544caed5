import Model

/// A local data source that answers at once, on the caller's thread.
public protocol VolatileDataSourceContract: LocalDataSourceContract {
    /// An item, whatever its age; nil where it is not kept.
    func item(_ key: ItemKey) -> ItemEntity?

    /// Items in the order of their keys; nil where one is not kept.
    func items(_ keys: [ItemKey]) -> [ItemEntity?]

    /// A page with its items, whatever its age; nil where it is not kept, or one of its items is not.
    func page(_ key: PageKey) -> StoredPage?

    /// Forgets what a selection names. Returns how many items and pages that were.
    @discardableResult
    func remove(_ selection: CacheSelection) -> Int

    /// Looks among the items that are kept.
    ///
    /// - Throws: `LocalDataError` where they cannot be searched.
    func search(_ query: SearchQuery) throws(LocalDataError) -> SearchHits

    /// How often entries were removed or marked stale until now; what is evicted does not count.
    var removals: Int { get }

    /// Keeps entries that a farther level had, unless they may be out of date by now: entries that are newer stay, and
    /// where something was removed or marked since `removals` was looked at, nothing is kept.
    func promote(_ change: LocalChange, since removals: Int)

    /// Keeps one item of a lower level, under the rules of `promote(_:since:)` for a change.
    func promote(_ item: ItemEntity, since removals: Int)

    /// The part of an item that an answer needs; nil where it is not kept, which is not counted as a miss. It is the
    /// fast way: nothing else is copied.
    func glance(_ key: ItemKey) -> ItemGlance?

    /// The same as `item`, but that nothing is counted as a miss: for who will look again, or has looked before.
    func peek(_ key: ItemKey) -> ItemEntity?

    /// The same as `items`, but that nothing is counted as a miss.
    func peek(_ keys: [ItemKey]) -> [ItemEntity?]

    /// The same as `page`, but that nothing is counted as a miss.
    func peek(_ key: PageKey) -> StoredPage?

    /// A page without its items, which may be gone. It is not counted, and does not make the page one that is used.
    func glance(_ key: PageKey) -> PageEntity?
}
