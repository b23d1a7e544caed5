import System

/// Removals and invalidations of this process that the server did not confirm: in mode `read`, without a connection, or
/// because it refused them. Older values of such a resource count as stale in this process, so that a caller never gets
/// back from the level what it has just removed.
final class UnconfirmedRemovals: Sendable {
    /// The moment of the last one by the digest of its resource.
    private let moments = Lock<[String: Timestamp]>([:])

    func note(_ resource: SharedResource, at moment: Timestamp) {
        moments.withLock { $0[resource.digest] = moment }
    }

    /// Whether a value of a resource was fetched before the last of them.
    func concern(_ resource: SharedResource, fetchedAt: Timestamp) -> Bool {
        moments.withLock { moments in
            // There is mostly none, and nothing is hashed.
            !moments.isEmpty && moments[resource.digest].map { fetchedAt <= $0 } ?? false
        }
    }
}
