/// The latest searches of a user, newest first, stored apart from the cache.
///
/// A scope has at most 5 recent searches. If queries differ only in case, only the newest one is stored.
public protocol RecentSearchesDataSourceContract: Sendable {
    /// Returns the recent searches of a scope, newest first.
    ///
    /// - Throws: `LocalDataError` if the file cannot be read.
    func list(scope: String) async throws(LocalDataError) -> [String]

    /// Adds a query as the newest recent search of a scope. Ignores white space at the start and end of the query.
    /// Returns the scope's recent searches. A blank query changes nothing.
    ///
    /// - Throws: `LocalDataError` if the file cannot be changed.
    func add(_ text: String, scope: String) async throws(LocalDataError) -> [String]

    /// Removes a query from the recent searches of a scope. Returns the scope's recent searches after the change.
    ///
    /// - Throws: `LocalDataError` if the file cannot be changed.
    func remove(_ text: String, scope: String) async throws(LocalDataError) -> [String]

    /// Removes all recent searches of a scope. Returns an empty array.
    ///
    /// - Throws: `LocalDataError` if the file cannot be changed.
    func clear(scope: String) async throws(LocalDataError) -> [String]

    /// Closes the file of recent searches. The next call opens the file again.
    func close() async
}
