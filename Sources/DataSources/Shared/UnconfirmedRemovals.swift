import System

/// Removals and invalidations that the Redis server did not confirm. Larder treats older values of the affected
/// resources as stale until the process exits.
// A removal is unconfirmed if the mode is `read`, the connection is down, or the server refused the command. A removed
// entry must not come back from the shared level.
final class UnconfirmedRemovals: Sendable {
    /// For each resource, the time of the last removal or invalidation that the Redis server did not confirm. The
    /// dictionary key is the `digest` of the resource.
    private let moments = Lock<[String: Timestamp]>([:])

    /// Records a removal or invalidation that the Redis server did not confirm.
    func note(_ resource: SharedResource, at moment: Timestamp) {
        moments.withLock { $0[resource.digest] = moment }
    }

    /// Returns whether a resource has an unconfirmed removal or invalidation at or after the given fetch time.
    func affect(_ resource: SharedResource, fetchedAt: Timestamp) -> Bool {
        moments.withLock { moments in
            // The dictionary is only searched if there are unconfirmed removals, which is rare.
            !moments.isEmpty && moments[resource.digest].map { fetchedAt <= $0 } ?? false
        }
    }
}
