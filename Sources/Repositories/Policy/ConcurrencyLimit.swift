import Synchronization
import System

/// Limits the number of calls that wait for APIs at the same time. A call above the limit fails instead of waiting in a
/// queue.
///
/// Background refreshes do not count towards this limit. Each resource has a separate limit on its running refreshes.
// An API that does not answer therefore cannot block the refreshes of other resources.
public final class ConcurrencyLimit: Sendable {
    /// The maximum number of waiting calls.
    public let limit: Int
    /// The maximum number of concurrent refreshes for one resource.
    // A higher number would only burden the API, because no caller waits for a refresh.
    private static let maxRefreshes = 24
    private let calls = Atomic<Int>(0)
    private let refreshes = Lock<[String: Int]>([:])

    public init(limit: Int) { self.limit = limit }

    /// Admits a call. Returns false if the maximum number of calls is already waiting.
    func enter() -> Bool {
        if calls.add(1, ordering: .relaxed).newValue <= limit { return true }
        leave()
        return false
    }

    /// Records that an admitted call no longer waits, so that another call can be admitted.
    func leave() { calls.subtract(1, ordering: .relaxed) }

    /// Runs a background refresh of a resource. Does nothing if the resource already has the maximum number of running
    /// refreshes.
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
