import DataSources

/// An entry to fetch.
struct Wanted<Key: CacheKey>: Sendable {
    let key: Key
    /// The cached entry; nil if there is none. If it has validators, the remote returns the entry only if it has
    /// changed.
    let known: Key.Entry?

    init(_ key: Key, known: Key.Entry? = nil) {
        self.key = key
        self.known = known
    }
}

/// A request for entries of one kind.
struct FetchRequest<Key: CacheKey>: Sendable {
    let wanted: [Wanted<Key>]
    /// Whether concurrent requests share the fetch, and whether its result is cached.
    let isShared: Bool
    /// Returns whether an entry that another request has cached since can be used instead of a fetch. Nil if the remote
    /// must be asked in any case.
    let isEnough: (@Sendable (Key.Entry) -> Bool)?
    /// Fetches entries from the remote.
    let fetch: FetchCoordinator<Key>.Fetch
}

/// The remote's answer to a request.
struct Fetched<Key: CacheKey>: Sendable {
    /// The entries or errors, in the order of the request's entries.
    var outcomes: [Result<Key.Entry, RepositoryError>]
    /// Entries in the answer that were not requested, such as other pages of the list.
    var others: [Key.Entry] = []
}
