/// The latest searches of a user, newest first. They are user preferences and are stored apart from the cache.
///
/// A scope has at most 5 texts and no duplicates. Texts are compared without regard to case, and the newest spelling is
/// kept.
public protocol RecentSearchesDataSourceContract: Sendable {
    /// Returns the texts of a scope, newest first.
    ///
    /// - Throws: `LocalDataError` if the file cannot be read.
    func list(scope: String) async throws(LocalDataError) -> [String]

    /// Adds a text as the newest one of a scope, without the white space around it. Returns the scope's texts after the
    /// change. An empty text changes nothing.
    ///
    /// - Throws: `LocalDataError` if the file cannot be changed.
    func add(_ text: String, scope: String) async throws(LocalDataError) -> [String]

    /// Removes a text from a scope if it is there. Returns the scope's texts after the change.
    ///
    /// - Throws: `LocalDataError` if the file cannot be changed.
    func remove(_ text: String, scope: String) async throws(LocalDataError) -> [String]

    /// Removes all texts of a scope. Returns an empty array.
    ///
    /// - Throws: `LocalDataError` if the file cannot be changed.
    func clear(scope: String) async throws(LocalDataError) -> [String]

    /// Closes the file. The next call opens it again.
    func close() async
}
