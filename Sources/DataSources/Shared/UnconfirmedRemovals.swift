import System

/// The removals and invalidations of this process that the server did not confirm, because the mode is `read`, the
/// connection is down, or the server refused. Until it exits, this process treats all values of such a resource that
/// were fetched before the removal as stale. A removed entry therefore does not come back from the shared level.
final class UnconfirmedRemovals: Sendable {
    /// The time of the last removal, by the digest of its resource.
    private let moments = Lock<[String: Timestamp]>([:])

    /// Records an unconfirmed removal.
    func note(_ resource: SharedResource, at moment: Timestamp) {
        moments.withLock { $0[resource.digest] = moment }
    }

    /// Returns whether a value was fetched before the last unconfirmed removal of its resource.
    func affect(_ resource: SharedResource, fetchedAt: Timestamp) -> Bool {
        moments.withLock { moments in
            // The lookup is skipped if there are no removals, which is usual.
            !moments.isEmpty && moments[resource.digest].map { fetchedAt <= $0 } ?? false
        }
    }
}
