/// The order in which the cache and the remote are used.
public enum CachePolicy: String, CaseIterable, Sendable {
    /// The cache if the entry is fresh; otherwise the remote. If the remote fails, a stale entry is returned.
    case localFirst
    /// The remote. If it fails, a cached entry of any age is returned.
    case remoteFirst
    /// Only the remote. The cache is neither read nor written.
    case none
    /// Only the cache, at any age. No request is made.
    case localOnly
}

/// The level that an answer came from, fastest first.
///
/// Like `CachePolicy` and `PageToken`, the type is in this target because both the wire protocol and the cache use it.
/// `Protocol` and `Repositories` do not import each other.
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
