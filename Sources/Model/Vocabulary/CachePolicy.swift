/// The rule that decides whether a request uses the cache, the remote API or both, and in which order.
public enum CachePolicy: String, CaseIterable, Sendable {
    /// Uses the cache if the entry is fresh; otherwise asks the API. If the API request fails, returns a stale entry.
    case localFirst
    /// Asks the API. If the API request fails, returns a cached entry of any age.
    case remoteFirst
    /// Asks only the API. Neither reads nor writes the cache.
    case none
    /// Uses only the cache, and accepts entries of any age. Sends no request to the API.
    case localOnly
}

/// The source of an answer: a cache level or the remote API. The cases are ordered from the fastest source to the
/// slowest.
public enum Source: String, CaseIterable, Comparable, Sendable {
    case memory, persistence, shared, remote

    private var distance: Int {
        switch self {
        case .memory: 0
        case .persistence: 1
        case .shared: 2
        case .remote: 3
        }
    }

    /// Orders sources from the fastest to the slowest.
    public static func < (left: Source, right: Source) -> Bool { left.distance < right.distance }
}
