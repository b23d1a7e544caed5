import Catalog
import HTTP
import System

/// A client of one API. It enforces rate limits, adds access tokens, retries failed requests and counts all requests.
///
/// * Deadline: computed once, at the start of a call. It limits the total time of all attempts and waits.
/// * Limits: each attempt waits until the API's limits allow another request (`RequestLimiter`).
/// * Errors: the catalog's rules (`ErrorRule`) decide whether an answer is an error. If no rule matches, the status
///   decides.
/// * Retries: the client retries only repeatable requests (`isRepeatable`), after a network error, a timeout, or status
///   429, 502, 503 or 504. If a rule of the catalog matches the answer, the rule's kind of error decides instead of the
///   status.
/// * Backoff: a random wait before each retry. Its maximum is 100 ms before the first retry, doubles with each retry,
///   and never exceeds 5 s. After status 429 or 503, a retry also waits for the time in `Retry-After`.
/// * Pauses: the catalog declares how an answer asks the client to wait (`RetryTimes`). After such an answer, all
///   requests to the API wait.
/// * Access tokens: each attempt waits until it has a token (`RequestAuthorizer`). A token that the API rejects (status
///   401) is renewed, and the request is sent once more. This does not count as a retry.
/// * No retry starts if its wait would end past the deadline. The call then returns the result of the last attempt.
public final class APIClient: HTTPClientContract {
    private typealias Outcome = Result<HTTPResponse, HTTPError>

    /// The upper limit of the random wait before the first retry, in milliseconds. The limit doubles with each retry.
    private static let firstBackoff = 100
    /// The upper limit of every random wait before a retry, in milliseconds.
    private static let maxBackoff = 5000

    private let transport: any HTTPTransportContract
    private let limiter: RequestLimiter?
    private let authorizer: RequestAuthorizer?
    private let waits: RetryTimes?
    private let retries: Int
    private let counters: RemoteCounters
    private let clock: any ClockContract
    private let timer: any TimerContract
    private let random: @Sendable (Int) -> Int

    /// Creates the client of an API.
    ///
    /// - Parameters:
    ///   - transport: sends each request once. Its deadlines are monotonic times of `timer`.
    ///   - limiter: delays requests that exceed a limit; nil if the API has no limits.
    ///   - authorizer: adds access tokens; nil if requests already contain all credentials.
    ///   - waits: the times after which the API accepts requests again; nil if the catalog declares none.
    ///   - retries: the maximum number of retries; 0 sends each request once.
    ///   - counters: counts requests, retries and failures.
    ///   - clock: the current time, for the dates in `Retry-After`.
    ///   - random: returns a random number from 0 to its argument.
    public init(
        _ transport: any HTTPTransportContract, limiter: RequestLimiter? = nil,
        authorizer: RequestAuthorizer? = nil, waits: RetryTimes? = nil, retries: Int = 0, counters: RemoteCounters,
        clock: any ClockContract = SystemClock(), timer: any TimerContract = EventLoop.shared,
        random: @escaping @Sendable (Int) -> Int = { Int.random(in: 0...max(0, $0)) }
    ) {
        self.transport = transport
        self.limiter = limiter
        self.authorizer = authorizer
        self.waits = waits
        self.retries = retries
        self.counters = counters
        self.clock = clock
        self.timer = timer
        self.random = random
    }

    /// Sends a request, and retries it after transient failures.
    ///
    /// - Throws: the error of the last attempt, with the total number of attempts. `.limited`, `.paused` or `.crowded`
    ///   if a limit stopped the first attempt. `.cancelled` if the task is cancelled, even during a wait.
    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let deadline = request.deadline(from: timer.milliseconds)
        var outcome = await attempt(request, before: deadline)
        for retry in 0..<max(0, retries) {
            guard request.isRepeatable, outcome.isTransientFailure else { break }
            let wait = max(random(Self.backoffLimit(retry)), outcome.requestedWait)
            guard wait < deadline - timer.milliseconds else { break }
            do {
                try await timer.sleep(milliseconds: wait)
            } catch {
                throw HTTPError(.cancelled, attempts: outcome.attempts)
            }
            var next = await attempt(request, before: deadline)
            // If Larder's own limits stopped the last attempt, the loop ends with the result of the previous attempt,
            // which is more informative.
            if next.attempts == 0, next.reason != .cancelled { break }
            if next.attempts > 0 { counters.countRetry() }
            next.attempts += outcome.attempts
            outcome = next
        }
        return try withTimeoutFlag(outcome, deadline).get()
    }

    /// Sends the request. If the API rejects the access token, sends the request again with a new token.
    private func attempt(_ request: HTTPRequest, before deadline: Int) async -> Outcome {
        guard let authorizer else { return await exchange(request, before: deadline) }
        return await attempt(request, with: authorizer, before: deadline)
    }

    // Not inlined, so that a request without access tokens needs no memory for the variables of this function.
    @inline(never)
    private func attempt(
        _ request: HTTPRequest, with authorizer: RequestAuthorizer, before deadline: Int
    ) async -> Outcome {
        do throws(HTTPError) {
            let first = try await authorizer.authorize(request, before: deadline)
            let outcome = await exchange(first.request, before: deadline)
            guard case .success(let response) = outcome, response.status == 401 else { return outcome }
            authorizer.refuse(first)
            var next: Outcome
            do throws(HTTPError) {
                let second = try await authorizer.authorize(request, before: deadline)
                next = await exchange(second.request, before: deadline)
            } catch {
                next = .failure(error)
            }
            if next.attempts > 0 { counters.countRetry() }
            next.attempts += outcome.attempts
            return next
        } catch {
            return .failure(error)
        }
    }

    /// Waits until the API's limits allow the request, then sends the request once.
    private func exchange(_ request: HTTPRequest, before deadline: Int) async -> Outcome {
        do throws(HTTPError) {
            try await limiter?.enter(before: deadline)
        } catch {
            return .failure(error)
        }
        defer { limiter?.leave() }
        counters.countRequest()
        do throws(HTTPError) {
            var response = try await transport.send(request, before: deadline)
            if !request.errors.isEmpty { await response.judge(by: request.errors, isLines: request.acceptsLines) }
            note(&response, to: request)
            if let waits { await pause(for: waits, in: &response) }
            return .success(response)
        } catch {
            counters.countFailure()
            return .failure(error)
        }
    }

    /// Counts an answer in the statistics. Also reads its `Retry-After` if the status is 503 or the API reports too
    /// many requests.
    private func note(_ response: inout HTTPResponse, to request: HTTPRequest) {
        if response.status >= 500 || response.verdict != nil { counters.countFailure() }
        if response.status == 304, request.isConditional { counters.countNotModified() }
        if response.status == 503 || response.isRateLimited {
            response.retryAfter = response.headers["Retry-After"].flatMap { HTTPRetryAfter($0, now: clock.now()) }
        }
    }

    /// Pauses all requests to the API if an answer asks the client to wait. `Retry-After` takes precedence over the
    /// reset time that the catalog declares, because the API computes `Retry-After` for each request.
    private func pause(for waits: RetryTimes, in response: inout HTTPResponse) async {
        let now = clock.now()
        var wait = await waits.pause?.wait(in: &response, now: now) ?? 0
        if response.isRateLimited, let reset = waits.reset {
            if let asked = response.retryAfter {
                wait = max(wait, asked.seconds * 1000)
            } else {
                wait = max(wait, await reset.wait(in: &response, now: now) ?? 0)
            }
        }
        guard wait > 0 else { return }
        limiter?.pause(for: wait)
        if response.isRateLimited, response.retryAfter == nil {
            response.retryAfter = HTTPRetryAfter(milliseconds: wait)
        }
    }

    /// Returns the outcome with `isTooLate` set in its `Retry-After`. The value is true if the requested wait would not
    /// end before the deadline.
    private func withTimeoutFlag(_ outcome: Outcome, _ deadline: Int) -> Outcome {
        guard outcome.hasRetryAfter, case .success(var response) = outcome else { return outcome }
        response.retryAfter?.isTooLate = outcome.requestedWait >= deadline - timer.milliseconds
        return .success(response)
    }

    /// Returns the upper limit of the random wait before a retry, in milliseconds. Retries are numbered from 0.
    private static func backoffLimit(_ retry: Int) -> Int { min(maxBackoff, firstBackoff << min(retry, 16)) }
}

extension HTTPResponse {
    /// Whether the answer reports that too many requests were sent (status 429 or a rule of the catalog).
    fileprivate var isRateLimited: Bool { status == 429 || verdict?.kind == .rateLimited }
}

extension Result<HTTPResponse, HTTPError> {
    fileprivate var attempts: Int {
        get {
            switch self {
            case .success(let response): response.attempts
            case .failure(let error): error.attempts
            }
        }
        set {
            switch self {
            case .success(var response):
                response.attempts = newValue
                self = .success(response)
            case .failure(let error): self = .failure(HTTPError(error.reason, attempts: newValue))
            }
        }
    }

    fileprivate var reason: HTTPError.Reason? {
        if case .failure(let error) = self { error.reason } else { nil }
    }

    /// Whether the answer states the time after which the API accepts requests again.
    fileprivate var hasRetryAfter: Bool {
        if case .success(let response) = self { response.retryAfter != nil } else { false }
    }

    /// The wait that the API asks for, in milliseconds; 0 if the API asks for none.
    fileprivate var requestedWait: Milliseconds {
        if case .success(let response) = self { (response.retryAfter?.seconds ?? 0) * 1000 } else { 0 }
    }

    /// Whether the attempt failed for a temporary reason. A retry may then succeed. False for a request that was never
    /// sent.
    fileprivate var isTransientFailure: Bool {
        switch self {
        case .success(let response):
            switch response.verdict?.kind {
            case nil: [429, 502, 503, 504].contains(response.status)
            case .rateLimited, .network, .timeout, .busy: true
            case .serverError: response.status < 500 || [502, 503, 504].contains(response.status)
            case .invalidRequest, .invalidResponse, .notFound, .decodingFailed, .unauthorized, .tooLarge, .notReplayed,
                .cancelled:
                false
            }
        case .failure(let error):
            switch error.reason {
            case .network, .timeout: error.attempts > 0
            default: false
            }
        }
    }
}
