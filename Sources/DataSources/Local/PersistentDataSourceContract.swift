import Model

/// A cache level in a file that other processes may also change.
public protocol PersistentDataSourceContract: LocalDataSourceContract {
    /// Whether the level has notified the handler of all changes by other processes. This property must be fast,
    /// because each memory hit reads it.
    var isCurrent: Bool { get }

    /// Notifies the handler of all changes that other processes have made. Returns after the last notification.
    func catchUp() async

    /// Sets the handler for changes by other processes. The level calls the handler on the level's thread, before
    /// `isCurrent` becomes true. The handler must not block.
    func reportForeignChanges(to handler: @escaping @Sendable (ForeignChange) -> Void)

    /// Searches the items in the file. Pending writes are stored first, unless the file is locked.
    ///
    /// - Throws: `LocalDataError` if the file cannot be searched.
    func search(_ query: SearchQuery) async throws(LocalDataError) -> SearchHits

    /// Spends a limited time on storing the pending writes, and then closes the file. Later reads find nothing, and
    /// later writes are dropped.
    ///
    /// - Returns: Whether all changes reached the file.
    @discardableResult func close() async -> Bool
}
