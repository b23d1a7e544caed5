/// Which of cache and remote is asked, and in which order.
public enum CachePolicy: String, CaseIterable, Sendable {
    /// The cache while it is fresh, else the remote; a stale entry stands in when the remote fails.
    case localFirst
    /// The remote; an entry of any age stands in when it fails.
    case remoteFirst
    /// The remote only. Nothing is read from the cache and nothing kept.
    case none
    /// The cache only, whatever the age. Never the network.
    case localOnly
}

/// Where an answer came from, nearest first.
///
/// It stands here, as `CachePolicy` and `PageToken` do, because the wire and the cache mean the same by it, and neither
/// `Protocol` nor `Repositories` imports the other.
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

    /// The order of distance.
    public static func < (left: Source, right: Source) -> Bool { left.distance < right.distance }
}
