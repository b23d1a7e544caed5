import Model
import System

/// Provides an access token that a command or a token endpoint issues. The token is cached until it expires or an API
/// rejects it.
///
/// Concurrent callers share one request for the token. If a caller stops waiting, the request continues, and later
/// callers use its result.
public final class TokenProvider: Sendable {
    /// A token with its serial number. The serial number distinguishes the token from later tokens of the same
    /// provider.
    struct Token: Equatable, Sendable {
        let text: String
        let number: Int
    }

    /// An issued token with its lifetime in milliseconds. A token without a lifetime is used until an API rejects it.
    public struct Issued: Equatable, Sendable {
        let text: String
        let lifetime: Milliseconds?

        public init(_ text: String, lifetime: Int? = nil) {
            self.text = text
            self.lifetime = lifetime
        }
    }

    private typealias Waiter = CheckedContinuation<Result<Token, APIError>, Never>

    private struct State {
        var token: Token?
        /// The time at which the token expires, in milliseconds of the timer's clock.
        var end = Int.max
        var count = 0
        var isIssuing = false
        var lastID = 0
        var waiters: [Int: Waiter] = [:]

        /// Returns the token; nil if there is none or it has expired.
        func usable(at now: Int) -> Token? { now < end ? token : nil }
    }

    private let state = Lock(State())
    private let timer: any TimerContract
    private let issue: @Sendable () async -> Result<Issued, APIError>

    /// Creates a provider without a token.
    ///
    /// - Parameter issue: requests a new token. The provider never makes two calls at the same time.
    public init(timer: any TimerContract, _ issue: @escaping @Sendable () async -> Result<Issued, APIError>) {
        self.timer = timer
        self.issue = issue
    }

    /// Returns the token. If no token is cached, requests one.
    ///
    /// - Parameter deadline: the time at which to stop waiting, in milliseconds of the timer's clock.
    /// - Throws: the error of the token request; `.timeout` at the deadline; `.cancelled` if the task is cancelled.
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

    /// Forgets a token that an API rejected. If another token has already replaced it, does nothing.
    func refuse(_ token: Token) {
        state.withLock { if $0.token == token { $0.token = nil } }
    }

    private func wait(_ waiter: Waiter, _ id: Int, before deadline: Int) {
        let now = timer.milliseconds
        let (known, mustAsk) = state.withLock { state -> (Token?, Bool) in
            if let known = state.usable(at: now) { return (known, false) }
            state.waiters[id] = waiter
            defer { state.isIssuing = true }
            return (nil, !state.isIssuing)
        }
        if let known { return waiter.resume(returning: .success(known)) }
        if Task.isCancelled { leave(id, APIError(.cancelled, "the request was cancelled")) }
        timer.run(after: max(0, deadline - now)) { [weak self] in
            self?.leave(
                id, APIError(.timeout, "the token was not issued before the request's timeout; try again later"))
        }
        if mustAsk { Task(executorPreference: EventLoop.shared) { await self.ask() } }
    }

    private func leave(_ id: Int, _ reason: APIError) {
        state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(returning: .failure(reason))
    }

    private func ask() async {
        // The lifetime starts at the request, because the time of issue is unknown.
        let start = timer.milliseconds
        let issued = await issue()
        let (outcome, waiters) = state.withLock { state -> (Result<Token, APIError>, [Waiter]) in
            state.isIssuing = false
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
