/// Where an answer came from, nearest first.
///
/// It stands here, as `CachePolicy` and `PageToken` do, because the wire and the cache mean the same by it, and neither
/// `Protocol` nor `Repositories` imports the other.
public enum Source: String, CaseIterable, Comparable, Sendable {
    case memory, persistence, remote

    private var distance: Int {
        switch self {
        case .memory: 0
        case .persistence: 1
        case .remote: 2
        }
    }

    /// The order of distance.
    public static func < (left: Source, right: Source) -> Bool { left.distance < right.distance }
}
