import DataSources

/// An entry that a request must fetch.
struct Wanted<Key: CacheKey>: Sendable {
    let key: Key
    /// The cached entry, whose validators let the API answer that nothing has changed; nil if there is none.
    let known: Key.Entry?

    init(_ key: Key, known: Key.Entry? = nil) {
        self.key = key
        self.known = known
    }
}

/// A request to fetch several entries of one kind.
struct FetchRequest<Key: CacheKey>: Sendable {
    let wanted: [Wanted<Key>]
    /// Whether concurrent requests share the fetch and the cache stores the result.
    let isShared: Bool
    /// The freshness at which this request accepts an entry from another request; nil if it always needs a new fetch.
    let required: RequiredFreshness?
    /// Fetches the entries from the API.
    let fetch: FetchCoordinator<Key>.Fetch
}

/// The result of a fetch: the outcome for each requested entry, and further entries in the API's answer.
struct Fetched<Key: CacheKey>: Sendable {
    /// The entry or error for each wanted entry, in the order of the request.
    var outcomes: [Result<Key.Entry, RepositoryError>]
    /// Entries in the API's answer that were not requested, such as further pages of the list.
    var others: [Key.Entry] = []
}
