import Catalog
import System

/// The request limiters of all APIs in a process. If a reloaded catalog does not change an API's limits, the API keeps
/// its limiter. The limiter records pauses, requests in flight and the used part of the rate limit.
// References to limiters are weak, so that a limiter lives only while a catalog or a request uses it.
public final class RequestLimiters: Sendable {
    private struct Key: Hashable {
        let api: String
        let url: String
        let maxConcurrent: Int
        let requests: Int?
        let per: Int?

        init(_ api: APIDefinition) {
            self.api = api.name
            url = api.effectiveBaseURL
            maxConcurrent = api.maxConcurrent
            requests = api.rateLimit?.requests
            per = api.rateLimit?.per
        }
    }

    private struct Entry {
        weak var limiter: RequestLimiter?
    }

    private let known = Lock<[Key: Entry]>([:])
    private let timer: any TimerContract
    private let budget: @Sendable (APIDefinition) -> (any RateBudgetContract)?

    /// Creates a collection that contains no limiters yet.
    ///
    /// - Parameter budget: returns the rate limit that several processes share for an API; nil if the limit applies to
    ///   each process separately.
    public init(
        timer: any TimerContract = EventLoop.shared,
        budget: @escaping @Sendable (APIDefinition) -> (any RateBudgetContract)? = { _ in nil }
    ) {
        self.timer = timer
        self.budget = budget
    }

    /// Returns the limiter of an API. Callers with the same API and the same declared limits share one limiter, as long
    /// as the limiter is in use.
    public func limiter(of api: APIDefinition) -> RequestLimiter {
        let key = Key(api)
        let timer = timer
        return known.withLock { known in
            known = known.filter { $0.value.limiter != nil }
            if let limiter = known[key]?.limiter { return limiter }
            let limiter = RequestLimiter(
                maxConcurrent: api.maxConcurrent, rateLimit: api.rateLimit, timer: timer, budget: budget(api))
            known[key] = Entry(limiter: limiter)
            return limiter
        }
    }

    /// Returns the names of the paused APIs in alphabetical order, each with its pause. An API can have several
    /// limiters, for example after its limits have changed; the longest pause is then returned.
    public func pauses() -> [(api: String, pause: RequestLimiter.Pause)] {
        let limiters = known.withLock { known in
            known.compactMap { key, entry in entry.limiter.map { (api: key.api, limiter: $0) } }
        }
        var pauses: [String: RequestLimiter.Pause] = [:]
        for (api, limiter) in limiters {
            guard let pause = limiter.currentPause else { continue }
            if let other = pauses[api], other.left >= pause.left { continue }
            pauses[api] = pause
        }
        return pauses.sorted { $0.key < $1.key }.map { (api: $0.key, pause: $0.value) }
    }
}
