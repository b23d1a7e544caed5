/// The order in which a request uses the cache and the remote.
public enum CachePolicy: String, CaseIterable, Sendable {
    /// Uses the cache if the entry is fresh; otherwise uses the remote. If the remote fails, returns a stale entry.
    case localFirst
    /// Uses the remote. If the remote fails, returns a cached entry of any age.
    case remoteFirst
    /// Uses only the remote. Neither reads nor writes the cache.
    case none
    /// Uses only the cache, and accepts entries of any age. Makes no request.
    case localOnly
}

/// The source of an answer: a cache level or the remote. The cases are ordered from the fastest source to the slowest.
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
