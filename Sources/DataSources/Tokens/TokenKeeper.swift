import Model
import System

/// Keeps a token that has to be asked for, and asks once for all who need it.
///
/// It is kept for its time, or until an API has refused it. Who waits leaves at the deadline of his call, or when that
/// is cancelled; the asking goes on, and what it brings is there for the next.
public final class TokenKeeper: Sendable {
    /// A token, and which of all it is.
    struct Token: Equatable, Sendable {
        let text: String
        let number: Int
    }

    /// What was given, and for how many milliseconds it may be used; nil is until it is refused.
    public struct Issued: Equatable, Sendable {
        let text: String
        let lifetime: Int?

        /// A token for a time.
        public init(_ text: String, lifetime: Int? = nil) {
            self.text = text
            self.lifetime = lifetime
        }
    }

    private typealias Waiter = CheckedContinuation<Result<Token, APIError>, Never>

    private struct State {
        var token: Token?
        /// Until when the token may be used, in milliseconds of the timer.
        var end = Int.max
        var count = 0
        var isAsking = false
        var lastID = 0
        var waiters: [Int: Waiter] = [:]

        /// The token that may be used now.
        func usable(at now: Int) -> Token? { now < end ? token : nil }
    }

    private let state = Lock(State())
    private let timer: any TimerContract
    private let issue: @Sendable () async -> Result<Issued, APIError>

    /// A keeper without a token.
    ///
    /// - Parameter issue: asks for one; called while nobody else has called it.
    public init(timer: any TimerContract, _ issue: @escaping @Sendable () async -> Result<Issued, APIError>) {
        self.timer = timer
        self.issue = issue
    }

    /// The token, which is asked for where there is none.
    ///
    /// - Throws: why there is none; `.timeout` at the deadline, and `.cancelled`.
    func token(before deadline: Int) async throws(APIError) -> Token {
        let now = timer.milliseconds
        let (known, id) = state.withLock { state in
            state.lastID += 1
            return (state.usable(at: now), state.lastID)
        }
        if let known { return known }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { wait($0, id, before: deadline) }
        } onCancel: {
            leave(id, APIError(.cancelled, "the request was cancelled"))
        }
        return try outcome.get()
    }

    /// Forgets a token that was refused, unless another one has taken its place.
    func refuse(_ token: Token) {
        state.withLock { if $0.token == token { $0.token = nil } }
    }

    private func wait(_ waiter: Waiter, _ id: Int, before deadline: Int) {
        let now = timer.milliseconds
        let (known, mustAsk) = state.withLock { state -> (Token?, Bool) in
            if let known = state.usable(at: now) { return (known, false) }
            state.waiters[id] = waiter
            defer { state.isAsking = true }
            return (nil, !state.isAsking)
        }
        if let known { return waiter.resume(returning: .success(known)) }
        if Task.isCancelled { leave(id, APIError(.cancelled, "the request was cancelled")) }
        timer.run(after: max(0, deadline - now)) { [weak self] in
            self?.leave(id, APIError(.timeout, "it did not come before the request's timeout"))
        }
        if mustAsk { Task(executorPreference: EventLoop.shared) { await self.ask() } }
    }

    private func leave(_ id: Int, _ reason: APIError) {
        state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(returning: .failure(reason))
    }

    private func ask() async {
        // Its time begins before it is there: nobody knows when it was made.
        let start = timer.milliseconds
        let issued = await issue()
        let (outcome, waiters) = state.withLock { state -> (Result<Token, APIError>, [Waiter]) in
            state.isAsking = false
            let outcome = issued.map { issued in
                state.count += 1
                let token = Token(text: issued.text, number: state.count)
                state.token = token
                state.end =
                    issued.lifetime.map { start.addingReportingOverflow($0) }
                    .map { $0.overflow ? .max : $0.partialValue } ?? .max
                return token
            }
            defer { state.waiters = [:] }
            return (outcome, Array(state.waiters.values))
        }
        for waiter in waiters { waiter.resume(returning: outcome) }
    }
}
