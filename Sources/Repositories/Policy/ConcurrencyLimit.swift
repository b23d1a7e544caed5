import Synchronization
import System

/// The limit of calls that wait for remotes at the same time. A call above the limit is refused instead of queued.
///
/// Background refreshes are counted separately, so that they never take the slot of a call. The refreshes of each
/// resource have their own slots, so that an API that does not answer cannot block the refreshes of another.
public final class ConcurrencyLimit: Sendable {
    /// The largest number of waiting calls.
    public let limit: Int
    /// The largest number of refreshes of a resource. No caller waits for a refresh, so a higher number would only
    /// burden the API.
    private static let maxRefreshes = 24
    private let calls = Atomic<Int>(0)
    private let refreshes = Lock<[String: Int]>([:])

    public init(limit: Int) { self.limit = limit }

    /// Takes a slot for a call. Returns false if no slot is free.
    func enter() -> Bool {
        if calls.add(1, ordering: .relaxed).newValue <= limit { return true }
        leave()
        return false
    }

    /// Frees a slot that `enter` took.
    func leave() { calls.subtract(1, ordering: .relaxed) }

    /// Runs the work in one of the resource's refresh slots. If no slot is free, the work is skipped.
    func refresh(of resource: String, _ work: () async -> Void) async {
        let maxCount = max(1, min(Self.maxRefreshes, limit / 8))
        let hasSlot = refreshes.withLock { refreshes in
            let count = refreshes[resource, default: 0]
            if count < maxCount { refreshes[resource] = count + 1 }
            return count < maxCount
        }
        guard hasSlot else { return }
        await work()
        refreshes.withLock { refreshes in
            let left = refreshes[resource, default: 1] - 1
            refreshes[resource] = left > 0 ? left : nil
        }
    }
}
