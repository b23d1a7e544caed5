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
