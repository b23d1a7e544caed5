/// The order in which the cache and the remote are used.
public enum CachePolicy: String, CaseIterable, Sendable {
    /// Uses the cache if the entry is fresh, and otherwise the remote. If the remote fails, returns a stale entry.
    case localFirst
    /// Uses the remote. If the remote fails, returns a cached entry of any age.
    case remoteFirst
    /// Uses only the remote. The cache is neither read nor written.
    case none
    /// Uses only the cache and accepts entries of any age. No request is made.
    case localOnly
}

/// The cache level or remote that an answer came from. The fastest level is first.
///
/// This type is in `Model`, like `CachePolicy` and `PageToken`, because `Protocol` and `Repositories` both use it and
/// do not import each other.
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

    /// Orders levels from fastest to slowest.
    public static func < (left: Source, right: Source) -> Bool { left.distance < right.distance }
}
