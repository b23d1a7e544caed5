import Catalog
import HTTP
import System

/// One API as its resources ask it: keeps to its limits, asks again where that may help, and counts.
///
/// * The deadline: it is computed once, when a call begins. It covers all tries and all waits, so a try that runs into
///   it leaves no time for another one.
/// * The limits: each try waits for its turn among all who ask the API (`RequestLimiter`).
/// * What is an error: what the catalog's rules tell (`ErrorRule`), else the status.
/// * What is repeated: requests that may be (`isRepeatable`), after a failure of the network, a timeout, and the
///   statuses 429, 502, 503 and 504; where a rule says what the error is, that decides.
/// * When: after a random time from 0 to 100 ms, the next times up to 200 ms, 400 ms ... 5 s, so that clients that
///   failed together do not come back together; after a 429 or a 503 not before its `Retry-After`, and after any
///   answer not before what the catalog reads from it (`RateWaits`), for which all wait who ask the API.
/// * Who is let in: where a token has to be asked for first, each try waits for it (`RequestAuthorizer`). One that is
///   refused (status 401) is renewed, and the request repeated, once and besides the retries.
/// * A wait that would end past the deadline is not begun: the call comes to what the last try came to.
public final class APIClient: HTTPClientContract {
    private typealias Outcome = Result<HTTPResponse, HTTPError>

    private static let firstWait = 100
    private static let longestWait = 5000

    private let transport: any HTTPTransportContract
    private let limiter: RequestLimiter?
    private let authorizer: RequestAuthorizer?
    private let waits: RateWaits?
    private let retries: Int
    private let counters: RemoteCounters
    private let clock: any ClockContract
    private let timer: any TimerContract
    private let random: @Sendable (Int) -> Int

    /// A client of an API.
    ///
    /// - Parameters:
    ///   - transport: makes the exchanges; its deadlines are the timer's.
    ///   - limiter: holds requests back; nil where nothing does.
    ///   - authorizer: lets requests in; nil where they have all that they need.
    ///   - waits: what answers say of when the API takes requests again.
    ///   - retries: how often a request is repeated at most; 0 makes each once.
    ///   - counters: counts what is sent, and how it ends.
    ///   - clock: what the dates of `Retry-After` are compared with.
    ///   - random: draws a number from 0 to the one that is given.
    public init(
        _ transport: any HTTPTransportContract, limiter: RequestLimiter? = nil,
        authorizer: RequestAuthorizer? = nil, waits: RateWaits? = nil, retries: Int = 0, counters: RemoteCounters,
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

    /// Sends a request, and sends it again where that may help.
    ///
    /// - Throws: the transport's error of the last try, with the number of all; `.limited` and `.crowded` where none
    ///   was made; `.cancelled` when the task is cancelled, also in a wait.
    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let deadline = request.deadline(from: timer.milliseconds)
        var outcome = await attempt(request, before: deadline)
        for retry in 0..<max(0, retries) {
            guard request.isRepeatable, outcome.mayPass else { break }
            let wait = max(random(Self.longest(retry)), outcome.askedWait)
            guard wait < deadline - timer.milliseconds else { break }
            do {
                try await timer.sleep(milliseconds: wait)
            } catch {
                throw HTTPError(.cancelled, attempts: outcome.attempts)
            }
            var next = await attempt(request, before: deadline)
            // A try that found no room within Larder's own limits says less than the one before.
            if next.attempts == 0, next.reason != .cancelled { break }
            if next.attempts > 0 { counters.countRetry() }
            next.attempts += outcome.attempts
            outcome = next
        }
        return try told(outcome, deadline).get()
    }

    /// One try; two where the token of the first is refused.
    private func attempt(_ request: HTTPRequest, before deadline: Int) async -> Outcome {
        guard let authorizer else { return await exchange(request, before: deadline) }
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

    /// One exchange, when the limits allow it.
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
            if !request.errors.isEmpty { await response.judge(by: request.errors) }
            note(&response, to: request)
            if let waits { await keep(waits, of: &response) }
            return .success(response)
        } catch {
            counters.countFailure()
            return .failure(error)
        }
    }

    /// Counts an answer, and reads from it what concerns the requests after it.
    private func note(_ response: inout HTTPResponse, to request: HTTPRequest) {
        if response.status >= 500 || response.verdict != nil { counters.countFailure() }
        if response.status == 304, request.isConditional { counters.countNotModified() }
        if response.status == 503 || response.meansTooMany {
            response.retryAfter = response.headers["Retry-After"].flatMap { HTTPRetryAfter($0, now: clock.now()) }
        }
    }

    /// Has all who ask the API wait as long as an answer asks for. `Retry-After` is about the request itself, and comes
    /// before a reset, which may be that of a whole hour.
    private func keep(_ waits: RateWaits, of response: inout HTTPResponse) async {
        let now = clock.now()
        var wait = await waits.pause?.wait(in: &response, now: now) ?? 0
        if response.meansTooMany, let reset = waits.reset {
            if let asked = response.retryAfter {
                wait = max(wait, asked.seconds * 1000)
            } else {
                wait = max(wait, await reset.wait(in: &response, now: now) ?? 0)
            }
        }
        guard wait > 0 else { return }
        limiter?.pause(for: wait)
        if response.meansTooMany, response.retryAfter == nil {
            response.retryAfter = HTTPRetryAfter(milliseconds: wait)
        }
    }

    /// Notes with the answer whether the API asks for a wait past the deadline.
    private func told(_ outcome: Outcome, _ deadline: Int) -> Outcome {
        guard outcome.asksToWait, case .success(var response) = outcome else { return outcome }
        response.retryAfter?.isTooLate = outcome.askedWait >= deadline - timer.milliseconds
        return .success(response)
    }

    /// The longest wait before a retry, counted from 0.
    private static func longest(_ retry: Int) -> Int { min(longestWait, firstWait << min(retry, 16)) }
}

extension HTTPResponse {
    /// Whether the API has had too many requests.
    fileprivate var meansTooMany: Bool { status == 429 || verdict?.kind == .rateLimited }
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

    /// Whether the API says when it takes requests again.
    fileprivate var asksToWait: Bool {
        if case .success(let response) = self { response.retryAfter != nil } else { false }
    }

    /// How many milliseconds the API asks to wait.
    fileprivate var askedWait: Int {
        if case .success(let response) = self { (response.retryAfter?.seconds ?? 0) * 1000 } else { 0 }
    }

    /// Whether the same request may be answered a moment later. What was not sent will not be sent then either.
    fileprivate var mayPass: Bool {
        switch self {
        case .success(let response):
            switch response.verdict?.kind {
            case nil: [429, 502, 503, 504].contains(response.status)
            case .rateLimited, .network, .timeout, .busy: true
            case .serverError: response.status < 500 || [502, 503, 504].contains(response.status)
            case .invalidRequest, .invalidResponse, .notFound, .decodingFailed, .unauthorized, .tooLarge, .cancelled:
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
