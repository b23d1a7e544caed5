import Synchronization
import System

/// Limits how many requests wait on upstreams at once. One more is turned away at once instead of being queued.
///
/// Refreshes that nobody waits for are counted apart: they never take the place of a call. Those of each resource have
/// places of their own, so that an API that does not answer keeps no other one from being asked.
public final class Admission: Sendable {
    /// How many calls may wait.
    public let limit: Int
    /// More refreshes at once would be a burden to an API that nobody asked for.
    private static let mostRefreshes = 24
    private let calls = Atomic<Int>(0)
    private let refreshes = Lock<[String: Int]>([:])

    /// A limit for everything that shares it.
    public init(limit: Int) { self.limit = limit }

    /// Takes the place of a call. Returns false where none is left.
    func enter() -> Bool {
        if calls.add(1, ordering: .relaxed).newValue <= limit { return true }
        leave()
        return false
    }

    /// Gives the place of a call back.
    func leave() { calls.subtract(1, ordering: .relaxed) }

    /// Does the work in the place of a refresh of a resource; not where none is left.
    func refresh(of resource: String, _ work: () async -> Void) async {
        let most = max(1, min(Self.mostRefreshes, limit / 8))
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
