import HTTP
import Model
import System

/// Enforces an API's `maxConcurrent` and `rateLimit`. Requests are sent in the order in which they arrive.
// All waiting requests are in one queue. One timer fires at the next event: the rate limit allows another request, a
// pause ends, or a waiting request reaches its deadline.
public final class RequestLimiter: Sendable {
    private typealias Entry = Result<Void, HTTPError>

    /// The maximum pause in milliseconds: an hour. Without this maximum, one wrong number in an answer could stop
    /// requests for years.
    static let maxPause = 3_600_000

    private let state: Lock<State>
    private let timer: any TimerContract
    private let rateLimit: RateLimit?
    /// The common rate limit of all processes that share a cache in Redis; nil if only this process's own limit
    /// applies.
    private let budget: (any RateBudgetContract)?

    /// A pause in which no requests are sent to the API, because the API asked the client to wait.
    public struct Pause: Equatable, Sendable {
        /// The time since the pause began, in milliseconds.
        public let elapsed: Milliseconds
        /// The time until the pause ends, in milliseconds.
        public let left: Milliseconds
    }

    /// Creates a limiter for the requests to one API. Initially, no requests are in flight.
    ///
    /// - Parameter budget: the common rate limit of all processes that share a cache in Redis; nil if only this
    ///   process's own limit applies.
    public init(
        maxConcurrent: Int, rateLimit: RateLimit?, timer: any TimerContract = EventLoop.shared,
        budget: (any RateBudgetContract)? = nil
    ) {
        self.timer = timer
        self.rateLimit = rateLimit
        self.budget = budget
        state = Lock(
            State(
                slots: max(1, maxConcurrent), bucket: rateLimit.map { TokenBucket($0, at: timer.milliseconds) }))
    }

    /// Returns how long the rate limit or a pause would delay a new request, in milliseconds. A delay because of
    /// `maxConcurrent` is not included.
    public func wait() -> Int {
        let now = timer.milliseconds
        return state.withLock { $0.wait(at: now) }
    }

    /// The current pause of the API; nil if there is none.
    public var currentPause: Pause? {
        let now = timer.milliseconds
        return state.withLock { $0.pause(at: now) }
    }

    /// The number of requests that wait in the queue of the limiter.
    var waiting: Int { state.withLock { $0.queue.count } }

    /// Waits until a request may be sent. The caller must call `leave` when the request has finished.
    ///
    /// - Parameter deadline: the time at which to stop waiting, in milliseconds of the timer's clock.
    /// - Throws: `.limited` or `.paused` immediately, if the wait would end after the deadline. `.crowded` if
    ///   `maxConcurrent` blocks the request until the deadline. `.cancelled` if the task is cancelled. After an error,
    ///   the request does not count towards `maxConcurrent`. If only the shared rate limit stops the request, the
    ///   request still counts towards the process's own rate limit.
    func enter(before deadline: Int) async throws(HTTPError) {
        let now = timer.milliseconds
        if let id = try state.withLock({ (state) throws(HTTPError) in try state.admit(before: deadline, at: now) }) {
            try await wait(as: id, since: now, before: deadline)
        }
        guard let budget, let rateLimit else { return }
        do throws(HTTPError) {
            try await wait(for: budget, rateLimit, before: deadline)
        } catch {
            leave()
            throw error
        }
    }

    /// Waits until a request is within the rate limit that several processes share.
    private func wait(
        for budget: any RateBudgetContract, _ limit: RateLimit, before deadline: Int
    ) async throws(HTTPError) {
        let left = deadline - timer.milliseconds
        guard let wait = await budget.take(limit, within: left - 1), wait != 0 else { return }
        guard wait > 0, wait < left else {
            let needed = Int(clamping: wait.magnitude)
            throw HTTPError(.limited(limit, wait: max(1, needed)), attempts: 0)
        }
        do {
            try await timer.sleep(milliseconds: wait)
        } catch {
            throw HTTPError.cancelled.unsent
        }
    }

    /// Waits in the queue until the limits of this process allow a request.
    private func wait(as id: Int, since now: Int, before deadline: Int) async throws(HTTPError) {
        let entry: Entry = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                change { state in
                    state.queue.append(
                        Waiter(id: id, arrival: now, deadline: deadline, continuation: continuation))
                    if Task.isCancelled { state.cancel(id) } else { state.wake(by: deadline) }
                }
            }
        } onCancel: {
            change { $0.cancel(id) }
        }
        try entry.get()
    }

    /// Records that a request has finished, so that a waiting request can be sent. Call this function exactly once
    /// after each successful call of `enter`.
    func leave() { change { $0.free += 1 } }

    /// Pauses all requests, for at most `maxPause`. Waiting requests whose deadline is before the end of the pause fail
    /// at once.
    func pause(for milliseconds: Milliseconds) {
        let now = timer.milliseconds
        change { $0.pause(for: min(milliseconds, Self.maxPause), from: now) }
    }

    /// Changes the limiter's state with `body`, and then admits waiting requests. Resumes each request that was
    /// admitted or has failed, and sets the timer if necessary.
    private func change(_ body: (inout State) -> Void) {
        let now = timer.milliseconds
        let (ended, alarm) = state.withLock { state in
            body(&state)
            state.admitWaiting(at: now)
            return state.takeEnded()
        }
        if let alarm {
            timer.run(after: max(0, alarm - now)) { [weak self] in self?.ring(alarm) }
        }
        for (waiter, entry) in ended { waiter.continuation.resume(returning: entry) }
    }

    private func ring(_ alarm: Int) {
        let now = timer.milliseconds
        change { state in
            // If the timer has been set to an earlier time since then, this callback does nothing.
            if state.alarm == alarm { state.expire(at: now) }
        }
    }
}

extension RequestLimiter {
    private struct Waiter {
        let id: Int
        let arrival: Int
        let deadline: Int
        let continuation: CheckedContinuation<Entry, Never>
    }

    private struct State {
        private let slots: Int
        private var bucket: TokenBucket?
        /// The number of further requests that `maxConcurrent` allows now.
        var free: Int
        var queue: [Waiter] = []
        /// The end of the last pause, in milliseconds of the timer's clock. It can be in the future.
        private var resumption = Int.min
        /// The start of the last pause, in milliseconds of the timer's clock.
        private var pausedAt = Int.min
        private var lastID = 0
        /// The time at which the timer fires, in milliseconds.
        private(set) var alarm = Int.max
        private var isAlarmNew = false
        private var ended: [(Waiter, Entry)] = []

        init(slots: Int, bucket: TokenBucket?) {
            self.slots = slots
            self.bucket = bucket
            free = slots
        }

        /// Returns how long the rate limit or a pause would delay a new request, in milliseconds. Requests in the
        /// queue make the delay longer, because they are sent first.
        func wait(at now: Int) -> Int {
            max(bucket?.wait(for: queue.count + 1, at: now) ?? 0, pauseLeft(at: now))
        }

        private func pauseLeft(at now: Int) -> Int { resumption > now ? resumption - now : 0 }

        func pause(at now: Int) -> Pause? {
            let left = pauseLeft(at: now)
            return left > 0 ? Pause(elapsed: max(0, now - pausedAt), left: left) : nil
        }

        /// Starts or extends a pause. Fails the waiting requests whose deadline is before the end of the pause.
        mutating func pause(for milliseconds: Milliseconds, from now: Int) {
            if pauseLeft(at: now) == 0 { pausedAt = now }
            let (end, overflow) = now.addingReportingOverflow(milliseconds)
            resumption = max(resumption, overflow ? .max : end)
            for waiter in queue where waiter.deadline <= resumption {
                ended.append((waiter, .failure(Self.paused(resumption - now))))
            }
            queue.removeAll { $0.deadline <= resumption }
        }

        /// Admits a request if no other request waits and the limits allow the request now.
        ///
        /// - Returns: nil if the request was admitted. Otherwise an id, with which the caller must add the request to
        ///   the queue.
        /// - Throws: `.limited` or `.paused` if the wait would end after the deadline.
        mutating func admit(before deadline: Int, at now: Int) throws(HTTPError) -> Int? {
            let wait = wait(at: now)
            let pause = pauseLeft(at: now)
            if pause > 0, pause >= deadline - now { throw Self.paused(pause) }
            if let bucket, wait > 0, wait >= deadline - now { throw Self.limited(bucket, wait) }
            if queue.isEmpty, free > 0, wait == 0 {
                free -= 1
                _ = bucket?.take(at: now)
                return nil
            }
            lastID += 1
            return lastID
        }

        /// Admits waiting requests in the order of their arrival. Fails a request if its deadline comes before the rate
        /// limit allows the request.
        mutating func admitWaiting(at now: Int) {
            if pauseLeft(at: now) > 0, !queue.isEmpty { return wake(by: resumption) }
            while free > 0, let first = queue.first {
                let wait = bucket?.take(at: now) ?? 0
                if wait == 0 {
                    free -= 1
                    end(0, .success(()))
                } else if let bucket, wait >= first.deadline - now {
                    end(0, .failure(Self.limited(bucket, wait)))
                } else {
                    return wake(by: now + wait)
                }
            }
        }

        /// Fails the requests whose deadline has passed, and sets the timer to the next deadline.
        mutating func expire(at now: Int) {
            for (index, waiter) in queue.enumerated() where waiter.deadline <= now {
                ended.append((waiter, .failure(reason(waiter, at: index, now))))
            }
            queue.removeAll { $0.deadline <= now }
            alarm = .max
            if let next = queue.lazy.map(\.deadline).min() { wake(by: next) }
        }

        /// Fails a waiting request with `.cancelled`. Does nothing if the request is no longer in the queue.
        mutating func cancel(_ id: Int) {
            if let index = queue.firstIndex(where: { $0.id == id }) { end(index, .failure(.cancelled.unsent)) }
        }

        mutating func wake(by time: Int) {
            guard time < alarm else { return }
            alarm = time
            isAlarmNew = true
        }

        /// Returns the requests that were admitted or have failed since the last call. Also returns the time at which a
        /// new timer must fire; nil if no new timer is needed.
        mutating func takeEnded() -> (ended: [(Waiter, Entry)], alarm: Int?) {
            defer { (ended, isAlarmNew) = ([], false) }
            if isAlarmNew, queue.isEmpty { alarm = .max }
            return (ended, isAlarmNew && !queue.isEmpty ? alarm : nil)
        }

        private mutating func end(_ index: Int, _ entry: Entry) { ended.append((queue.remove(at: index), entry)) }

        /// Returns the error for a request that waited until its deadline.
        private func reason(_ waiter: Waiter, at index: Int, _ now: Int) -> HTTPError {
            if index < free, let bucket { return Self.limited(bucket, max(1, bucket.wait(for: index + 1, at: now))) }
            return HTTPError(.crowded(limit: slots, timeout: waiter.deadline - waiter.arrival), attempts: 0)
        }

        private static func paused(_ wait: Int) -> HTTPError { HTTPError(.paused(wait: wait), attempts: 0) }

        private static func limited(_ bucket: TokenBucket, _ wait: Int) -> HTTPError {
            HTTPError(.limited(bucket.limit, wait: wait), attempts: 0)
        }
    }
}
