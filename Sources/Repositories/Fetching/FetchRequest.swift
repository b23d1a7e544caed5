import DataSources
import Model
import System

/// An entry to fetch from the API, with the cached version of the entry.
struct Wanted<Key: CacheKey>: Sendable {
    let key: Key
    /// The cached version of the entry; nil if there is none. With its validators, the API can answer that the entry is
    /// unchanged.
    let known: Key.Entry?

    init(_ key: Key, known: Key.Entry? = nil) {
        self.key = key
        self.known = known
    }
}

/// A request to fetch several entries: either items or pages.
struct FetchRequest<Key: CacheKey>: Sendable {
    let wanted: [Wanted<Key>]
    /// Whether concurrent requests share the fetch. If false, the result is also not stored in the cache.
    let isShared: Bool
    /// The required freshness of an entry that another request has stored in the meantime. Such an entry is used
    /// instead of a fetch. Nil if the entries must be fetched in any case.
    let required: RequiredFreshness?
    /// The function that fetches the entries from the API.
    let fetch: FetchCoordinator<Key>.Fetch
}

/// The result of a fetch: the outcome for each requested entry, and further entries in the API's answer.
struct Fetched<Key: CacheKey>: Sendable {
    /// The entry or error for each requested entry, in the order of the request.
    var outcomes: [Result<Key.Entry, RepositoryError>]
    /// Entries in the API's answer that were not requested, such as further pages of the list.
    var others: [Key.Entry] = []
    /// The time just before the request was sent to the API; nil if the request failed.
    var askedAt: Timestamp?
}
