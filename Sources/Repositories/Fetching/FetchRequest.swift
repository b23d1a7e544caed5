import DataSources

/// An entry to fetch.
struct Wanted<Key: CacheKey>: Sendable {
    let key: Key
    /// The cached entry: the remote is asked only whether it has changed.
    let known: Key.Entry?

    init(_ key: Key, known: Key.Entry? = nil) {
        self.key = key
        self.known = known
    }
}

/// A request for entries of one kind.
struct FetchRequest<Key: CacheKey>: Sendable {
    let wanted: [Wanted<Key>]
    /// Whether concurrent requests share the fetch, and its entries are stored.
    let isShared: Bool
    /// Whether an entry that arrived in the meantime is as good as a new one; nil if none is.
    let isEnough: (@Sendable (Key.Entry) -> Bool)?
    /// Asks the remote.
    let fetch: FetchCoordinator<Key>.Fetch
}

/// The remote's answer to a request.
struct Fetched<Key: CacheKey>: Sendable {
    /// The entries, in the order in which they were wanted.
    var outcomes: [Result<Key.Entry, RepositoryError>]
    /// Entries of other keys that came with the answer.
    var others: [Key.Entry] = []
}
