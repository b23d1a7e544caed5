import Model

/// A level of the cache in a file, which other processes may change too.
public protocol PersistentDataSourceContract: LocalDataSourceContract {
    /// Whether all changes by other processes were reported. It never waits.
    var isCurrent: Bool { get }

    /// Reports the changes by other processes, and returns when that is done.
    func catchUp() async

    /// Sets the handler for changes by other processes. It is called on the level's thread, before `isCurrent` becomes
    /// true, and must not block.
    func reportForeignChanges(to handler: @escaping @Sendable (ForeignChange) -> Void)

    /// Searches the items.
    ///
    /// - Throws: `LocalDataError` if the file cannot be searched.
    func search(_ query: SearchQuery) async throws(LocalDataError) -> SearchHits

    /// Writes what was saved, as far as that can be done soon, and closes the file. Later reads find nothing, later
    /// writes are dropped.
    ///
    /// - Returns: whether the file has all that was saved.
    @discardableResult func close() async -> Bool
}
