/// The latest searches of a user, newest first. They are user preferences and are stored apart from the cache.
///
/// A scope has at most 5 recent searches and no duplicates. Queries that differ only in case are duplicates; the newest
/// spelling is stored.
public protocol RecentSearchesDataSourceContract: Sendable {
    /// Returns the recent searches of a scope, newest first.
    ///
    /// - Throws: `LocalDataError` if the file cannot be read.
    func list(scope: String) async throws(LocalDataError) -> [String]

    /// Adds a search query to a scope as the newest recent search. Removes white space at the query's start and end.
    /// Returns the scope's recent searches after the change. A blank query changes nothing.
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
