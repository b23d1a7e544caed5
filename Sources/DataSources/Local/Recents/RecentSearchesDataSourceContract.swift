/// The latest searches of a user, newest first. They are user preferences and are stored apart from the cache.
///
/// A scope has at most 5 texts and no duplicates. Texts that differ only in case are duplicates. The newest spelling is
/// stored.
public protocol RecentSearchesDataSourceContract: Sendable {
    /// Returns the recent searches of a scope, newest first.
    ///
    /// - Throws: `LocalDataError` if the file cannot be read.
    func list(scope: String) async throws(LocalDataError) -> [String]

    /// Adds a recent search to a scope as its newest text. Removes white space around the text. Returns the scope's
    /// texts after the change. An empty text changes nothing.
    ///
    /// - Throws: `LocalDataError` if the file cannot be changed.
    func add(_ text: String, scope: String) async throws(LocalDataError) -> [String]

    /// Removes a recent search from a scope if the scope contains it. Returns the scope's texts after the change.
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
