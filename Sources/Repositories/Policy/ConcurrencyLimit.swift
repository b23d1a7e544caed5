import Synchronization
import System

/// Limits how many requests wait for remotes at once. One more is refused at once instead of being queued.
///
/// Refreshes in the background are counted apart, so that they never take the place of a call. The refreshes of each
/// resource have places of their own, so that an API that does not answer cannot keep another from being asked.
public final class ConcurrencyLimit: Sendable {
    /// How many calls may wait.
    public let limit: Int
    /// More refreshes at once would burden an API that no caller waits for.
    private static let maxRefreshes = 24
    private let calls = Atomic<Int>(0)
    private let refreshes = Lock<[String: Int]>([:])

    public init(limit: Int) { self.limit = limit }

    /// Takes the place of a call. Returns false if none is left.
    func enter() -> Bool {
        if calls.add(1, ordering: .relaxed).newValue <= limit { return true }
        leave()
        return false
    }

    /// Gives the place of a call back.
    func leave() { calls.subtract(1, ordering: .relaxed) }

    /// Does the work in the place of a refresh of a resource. If none is left, the work is not done.
    func refresh(of resource: String, _ work: () async -> Void) async {
        let most = max(1, min(Self.maxRefreshes, limit / 8))
        let hasPlace = refreshes.withLock { refreshes in
            let count = refreshes[resource, default: 0]
            if count < most { refreshes[resource] = count + 1 }
            return count < most
        }
        guard hasPlace else { return }
        await work()
        refreshes.withLock { refreshes in
            let left = refreshes[resource, default: 1] - 1
            refreshes[resource] = left > 0 ? left : nil
        }
    }
}
