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

extension CachePolicy {
    /// The table of the policies: everything that answers or explains a call goes by it.
    var row: PolicyRow {
        switch self {
        case .localFirst: PolicyRow(reads: .fresh, asks: .whenNeeded, keeps: true)
        case .remoteFirst: PolicyRow(reads: .any, asks: .always, keeps: true)
        case .none: PolicyRow(reads: .never, asks: .always, keeps: false)
        case .localOnly: PolicyRow(reads: .any, asks: .never, keeps: false)
        }
    }
}
