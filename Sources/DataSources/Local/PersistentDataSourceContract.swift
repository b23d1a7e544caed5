import Model

/// A cache level in a file that other processes may also change.
public protocol PersistentDataSourceContract: LocalDataSourceContract {
    /// Whether the handler has been called for all changes that other processes have made to the file. This property
    /// must be fast, because each memory hit reads it.
    var isCurrent: Bool { get }

    /// Checks the file for changes by other processes, and calls the handler for them. Returns after the last call of
    /// the handler.
    func catchUp() async

    /// Sets the handler for changes by other processes. The level calls the handler on the level's thread, before
    /// `isCurrent` becomes true. The handler must not block.
    func reportForeignChanges(to handler: @escaping @Sendable (ForeignChange) -> Void)

    /// Searches the items in the file. Pending writes are stored first, unless the file is locked.
    ///
    /// - Throws: `LocalDataError` if the file cannot be searched.
    func search(_ query: SearchQuery) async throws(LocalDataError) -> SearchHits

    /// Stores as many pending writes as possible within a time limit, and then closes the file. Later reads find
    /// nothing, and later writes are dropped.
    ///
    /// - Returns: Whether all changes reached the file.
    @discardableResult func close() async -> Bool
}
