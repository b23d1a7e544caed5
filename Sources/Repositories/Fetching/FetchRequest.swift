import DataSources

/// An entry to fetch.
struct Wanted<Key: CacheKey>: Sendable {
    let key: Key
    /// The cached entry, if there is one. The remote is then only asked whether it has changed.
    let known: Key.Entry?

    init(_ key: Key, known: Key.Entry? = nil) {
        self.key = key
        self.known = known
    }
}

/// A request for entries of one kind.
struct FetchRequest<Key: CacheKey>: Sendable {
    let wanted: [Wanted<Key>]
    /// Whether concurrent requests share the fetch and its result is cached.
    let isShared: Bool
    /// Returns whether an entry that was cached in the meantime may be used instead of a fetch; nil if none may.
    let isEnough: (@Sendable (Key.Entry) -> Bool)?
    /// Fetches entries from the remote.
    let fetch: FetchCoordinator<Key>.Fetch
}

/// The remote's answer to a request.
struct Fetched<Key: CacheKey>: Sendable {
    /// The entries or errors, in the order of the request's entries.
    var outcomes: [Result<Key.Entry, RepositoryError>]
    /// Entries of other keys that were part of the answer.
    var others: [Key.Entry] = []
}
