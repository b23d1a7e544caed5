import System

/// Keeps to what an API's `maxConcurrent` and `rateLimit` allow, for all who ask that API.
public final class RequestLimiter: Sendable {
    private struct Rate {
        var bucket: TokenBucket
        /// How many requests have come and not taken a token yet.
        var waiting = 0
    }

    private let maxConcurrent: Int
    private let places: PlaceQueue
    /// Who has a place waits for a token here, one at a time.
    private let turn: PlaceQueue
    private let rate: Lock<Rate?>
    private let timer: any TimerContract

    /// A limiter with nothing under way.
    public init(maxConcurrent: Int, rateLimit: APIDefinition.RateLimit?, timer: any TimerContract = SystemTimer()) {
        self.maxConcurrent = maxConcurrent
        self.timer = timer
        places = PlaceQueue(places: maxConcurrent, timer: timer)
        turn = PlaceQueue(places: 1, timer: timer)
        rate = Lock(rateLimit.map { Rate(bucket: TokenBucket($0, at: timer.milliseconds)) })
    }

    /// How many milliseconds a request that came now would wait for the rate limit; 0 without one. How long it would
    /// wait for others to end cannot be known.
    public func wait() -> Int {
        let now = timer.milliseconds
        return rate.withLock { $0.map { $0.bucket.wait(for: $0.waiting + 1, at: now) } ?? 0 }
    }

    /// Waits until a request may be made; who was let in calls `leave` when it has ended.
    ///
    /// - Throws: `.limited`, at once where the wait would be past the deadline; `.crowded` at the deadline;
    ///   `.cancelled`. No place and no token is taken then.
    func enter(before deadline: Int) async throws(HTTPError) {
        let isLimited = try join(before: deadline)
        defer { if isLimited { rate.withLock { $0?.waiting -= 1 } } }
        try await enterPlace(before: deadline)
        guard isLimited else { return }
        do throws(HTTPError) {
            try await enterTurn(before: deadline)
            defer { turn.leave() }
            try await takeToken(before: deadline)
        } catch {
            places.leave()
            throw error
        }
    }

    /// Ends what `enter` began.
    func leave() { places.leave() }

    /// Whether there is a rate limit to wait for. It is refused at once where those who came before need all tokens
    /// until the deadline.
    private func join(before deadline: Int) throws(HTTPError) -> Bool {
        let now = timer.milliseconds
        return try rate.withLock { (rate) throws(HTTPError) in
            guard var new = rate else { return false }
            let wait = new.bucket.wait(for: new.waiting + 1, at: now)
            guard wait == 0 || wait < deadline - now else { throw Self.limited(new.bucket, wait) }
            new.waiting += 1
            rate = new
            return true
        }
    }

    private func enterPlace(before deadline: Int) async throws(HTTPError) {
        let arrival = timer.milliseconds
        switch await places.enter(before: deadline) {
        case .entered: break
        case .cancelled: throw .cancelled.unsent
        case .late: throw HTTPError(.crowded(limit: maxConcurrent, timeout: deadline - arrival), attempts: 0)
        }
    }

    private func enterTurn(before deadline: Int) async throws(HTTPError) {
        switch await turn.enter(before: deadline) {
        case .entered: break
        case .cancelled: throw .cancelled.unsent
        case .late:
            guard let bucket = rate.withLock({ $0?.bucket }) else { return }
            throw Self.limited(bucket, max(1, wait()))
        }
    }

    private func takeToken(before deadline: Int) async throws(HTTPError) {
        while true {
            let now = timer.milliseconds
            let wait = try rate.withLock { (rate) throws(HTTPError) in
                guard var bucket = rate?.bucket else { return 0 }
                let wait = bucket.take(at: now)
                guard wait == 0 || wait < deadline - now else { throw Self.limited(bucket, wait) }
                rate?.bucket = bucket
                return wait
            }
            if wait == 0 { return }
            do {
                try await timer.sleep(milliseconds: wait)
            } catch {
                throw .cancelled.unsent
            }
        }
    }

    private static func limited(_ bucket: TokenBucket, _ wait: Int) -> HTTPError {
        HTTPError(.limited(bucket.limit, wait: wait), attempts: 0)
    }
}
