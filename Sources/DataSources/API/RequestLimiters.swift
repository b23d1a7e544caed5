import Catalog
import System

/// The limiters of a process, whatever catalog asks for them: one that is loaded anew goes on with those of the APIs
/// that it declares as before, with their pauses, what they have counted, and the requests that are under way.
///
/// It keeps none of them, which those do who ask an API: one that no catalog and no request has any more is gone.
public final class RequestLimiters: Sendable {
    private struct Key: Hashable {
        let api: String
        let url: String
        let maxConcurrent: Int
        let requests: Int?
        let per: Int?

        init(_ api: APIDefinition) {
            self.api = api.name
            url = api.reachedAt
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

    /// No API is limited yet.
    ///
    /// - Parameter budget: what keeps to an API's rate limit together with other processes; nil where each has its own.
    public init(
        timer: any TimerContract = EventLoop.shared,
        budget: @escaping @Sendable (APIDefinition) -> (any RateBudgetContract)? = { _ in nil }
    ) {
        self.timer = timer
        self.budget = budget
    }

    /// The limiter of an API: the same one for as long as somebody has it, and its declaration has equal limits.
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

    /// The APIs that are in a pause, in the order of their names, and the longest pause of each.
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
