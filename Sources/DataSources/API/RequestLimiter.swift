import HTTP
import Model
import System

/// Keeps to what an API's `maxConcurrent` and `rateLimit` allow, for all who ask that API: who comes first goes first.
///
/// One queue holds all who wait, and one alarm is set for whatever comes first there: a token of the rate limit, or
/// somebody's deadline.
public final class RequestLimiter: Sendable {
    private typealias Entry = Result<Void, HTTPError>

    /// The longest pause, in milliseconds: an hour. One wrong number in an answer would else stop an API for years. It
    /// costs one request an hour where the wait is really longer, as with the limit of a day.
    static let longestPause = 3_600_000

    private let state: Lock<State>
    private let timer: any TimerContract
    private let rateLimit: RateLimit?
    /// Keeps to the rate limit together with other processes.
    private let budget: (any RateBudgetContract)?

    /// A time in which nobody goes, because an answer has said so.
    public struct Pause: Equatable, Sendable {
        /// For how many milliseconds it has been so.
        public let elapsed: Int
        /// For how many it will be so.
        public let left: Int
    }

    /// A limiter with nothing under way.
    ///
    /// - Parameter budget: keeps to the rate limit together with other processes; nil where each has its own.
    public init(
        maxConcurrent: Int, rateLimit: RateLimit?, timer: any TimerContract = EventLoop.shared,
        budget: (any RateBudgetContract)? = nil
    ) {
        self.timer = timer
        self.rateLimit = rateLimit
        self.budget = budget
        state = Lock(
            State(
                places: max(1, maxConcurrent), bucket: rateLimit.map { TokenBucket($0, at: timer.milliseconds) }))
    }

    /// How many milliseconds a request that came now would wait for the rate limit, and for the end of a pause; 0
    /// without both. How long it would wait for others to end cannot be known.
    public func wait() -> Int {
        let now = timer.milliseconds
        return state.withLock { $0.wait(at: now) }
    }

    /// The pause that is now; nil where there is none.
    public var currentPause: Pause? {
        let now = timer.milliseconds
        return state.withLock { $0.pause(at: now) }
    }

    /// How many requests wait.
    var waiting: Int { state.withLock { $0.queue.count } }

    /// Waits until a request may be made; who was let in calls `leave` when it has ended.
    ///
    /// - Throws: `.limited` or `.paused`, at once where the wait would be past the deadline; `.crowded` at the
    ///   deadline; `.cancelled`. No place is taken then, and no token but where other processes are in the way.
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

    /// Waits for the turn among all processes, which comes after that among the requests of this one.
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

    /// Waits for the turn among the requests of this process.
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

    /// Ends what `enter` began.
    func leave() { change { $0.free += 1 } }

    /// Lets nobody go for so many milliseconds, of which `longestPause` count. Whose deadline comes before that is
    /// refused at once.
    func pause(for milliseconds: Int) {
        let now = timer.milliseconds
        change { $0.pause(for: min(milliseconds, Self.longestPause), from: now) }
    }

    /// Changes the state, lets go who may go then, and sets the alarm where it must ring earlier.
    private func change(_ body: (inout State) -> Void) {
        let now = timer.milliseconds
        let (ended, alarm) = state.withLock { state in
            body(&state)
            state.letGo(at: now)
            return state.taken()
        }
        if let alarm {
            timer.run(after: max(0, alarm - now)) { [weak self] in self?.ring(alarm) }
        }
        for (waiter, entry) in ended { waiter.continuation.resume(returning: entry) }
    }

    private func ring(_ alarm: Int) {
        let now = timer.milliseconds
        change { state in
            // Where another one was set that rings earlier, that one looks after all.
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
        private let places: Int
        private var bucket: TokenBucket?
        /// How many places nobody has. The first of those who wait are held back by the rate limit alone, as many as
        /// there are free places.
        var free: Int
        var queue: [Waiter] = []
        /// When requests may be made again.
        private var resumption = Int.min
        /// Since when that is to come.
        private var pausedAt = Int.min
        private var lastID = 0
        /// When the alarm rings; no deadline of those who wait is before that.
        private(set) var alarm = Int.max
        private var isAlarmNew = false
        private var ended: [(Waiter, Entry)] = []

        init(places: Int, bucket: TokenBucket?) {
            self.places = places
            self.bucket = bucket
            free = places
        }

        /// Who waits takes the next tokens.
        func wait(at now: Int) -> Int {
            max(bucket?.wait(for: queue.count + 1, at: now) ?? 0, pauseLeft(at: now))
        }

        private func pauseLeft(at now: Int) -> Int { resumption > now ? resumption - now : 0 }

        func pause(at now: Int) -> Pause? {
            let left = pauseLeft(at: now)
            return left > 0 ? Pause(elapsed: max(0, now - pausedAt), left: left) : nil
        }

        /// Who waits goes on waiting, unless his deadline comes first.
        mutating func pause(for milliseconds: Int, from now: Int) {
            if pauseLeft(at: now) == 0 { pausedAt = now }
            let (end, overflow) = now.addingReportingOverflow(milliseconds)
            resumption = max(resumption, overflow ? .max : end)
            for waiter in queue where waiter.deadline <= resumption {
                ended.append((waiter, .failure(Self.paused(resumption - now))))
            }
            queue.removeAll { $0.deadline <= resumption }
        }

        /// Takes a place and a token. Returns nil, or, where the request has to wait, its number in the queue.
        ///
        /// - Throws: `.limited` where those who came before need all tokens until the deadline.
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

        /// Lets go all who may go now. Whoever has a place, and would get a token only past its deadline, is refused.
        mutating func letGo(at now: Int) {
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

        /// Ends the waits whose deadlines have come, and finds out when that is to be done again.
        mutating func expire(at now: Int) {
            for (index, waiter) in queue.enumerated() where waiter.deadline <= now {
                ended.append((waiter, .failure(reason(waiter, at: index, now))))
            }
            queue.removeAll { $0.deadline <= now }
            alarm = .max
            if let next = queue.lazy.map(\.deadline).min() { wake(by: next) }
        }

        /// Ends a wait if it has begun and not ended yet.
        mutating func cancel(_ id: Int) {
            if let index = queue.firstIndex(where: { $0.id == id }) { end(index, .failure(.cancelled.unsent)) }
        }

        mutating func wake(by time: Int) {
            guard time < alarm else { return }
            alarm = time
            isAlarmNew = true
        }

        /// Whose waits have ended, and when an alarm must ring for which none is set.
        mutating func taken() -> (ended: [(Waiter, Entry)], alarm: Int?) {
            defer { (ended, isAlarmNew) = ([], false) }
            if isAlarmNew, queue.isEmpty { alarm = .max }
            return (ended, isAlarmNew && !queue.isEmpty ? alarm : nil)
        }

        private mutating func end(_ index: Int, _ entry: Entry) { ended.append((queue.remove(at: index), entry)) }

        /// What has held somebody back until the deadline.
        private func reason(_ waiter: Waiter, at index: Int, _ now: Int) -> HTTPError {
            if index < free, let bucket { return Self.limited(bucket, max(1, bucket.wait(for: index + 1, at: now))) }
            return HTTPError(.crowded(limit: places, timeout: waiter.deadline - waiter.arrival), attempts: 0)
        }

        private static func paused(_ wait: Int) -> HTTPError { HTTPError(.paused(wait: wait), attempts: 0) }

        private static func limited(_ bucket: TokenBucket, _ wait: Int) -> HTTPError {
            HTTPError(.limited(bucket.limit, wait: wait), attempts: 0)
        }
    }
}
