import Model

/// A local data source in a file, which other processes may change too.
public protocol PersistentDataSourceContract: LocalDataSourceContract {
    /// Whether nobody else has changed the file since what they changed was last told. It never waits.
    var isCurrent: Bool { get }

    /// Tells what others have changed, and returns when it is told.
    func catchUp() async

    /// Says whom to tell what others have changed, from now on: before `isCurrent` is true again, on the level's own
    /// thread; it should return soon.
    func tellForeignChanges(to tell: @escaping @Sendable (ForeignChange) -> Void)

    /// Looks among the items that are kept.
    ///
    /// - Throws: `LocalDataError` where the file cannot be searched.
    func search(_ query: SearchQuery) async throws(LocalDataError) -> SearchHits

    /// Brings what was saved to its place, as far as that can be done soon, and lets go of it. Later reads find
    /// nothing, later writes are dropped.
    ///
    /// - Returns: whether all that it was given is there; a level that others stand in for need not tell.
    @discardableResult func close() async -> Bool
}
