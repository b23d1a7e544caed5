/// The searches a person made last: small user preferences, apart from the cache, newest first.
///
/// A scope keeps at most 5 texts, none twice: they are compared without regard to case, and the newest spelling stays.
public protocol RecentSearchesDataSourceContract: Sendable {
    /// The texts of a scope, newest first.
    func list(scope: String) async throws(LocalDataError) -> [String]

    /// Puts a text, white space around it removed, first. Returns the texts then. An empty text changes nothing.
    func add(_ text: String, scope: String) async throws(LocalDataError) -> [String]

    /// Takes a text out, if it is there. Returns the texts then.
    func remove(_ text: String, scope: String) async throws(LocalDataError) -> [String]

    /// Takes all texts of a scope out. Returns no text.
    func clear(scope: String) async throws(LocalDataError) -> [String]

    /// Lets go of the file. The next call opens it again.
    func close() async
}
