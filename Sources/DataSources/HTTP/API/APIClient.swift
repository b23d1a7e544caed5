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
///   failed together do not come back together; after a 429 or a 503 not before its `Retry-After`.
/// * A wait that would end past the deadline is not begun: the call comes to what the last try came to.
public final class APIClient: HTTPClientContract {
    private typealias Outcome = Result<HTTPResponse, HTTPError>

    private static let firstWait = 100
    private static let longestWait = 5000

    private let transport: any HTTPTransportContract
    private let limiter: RequestLimiter?
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
    ///   - retries: how often a request is repeated at most; 0 makes each once.
    ///   - counters: counts what is sent, and how it ends.
    ///   - clock: what the dates of `Retry-After` are compared with.
    ///   - random: draws a number from 0 to the one that is given.
    public init(
        _ transport: any HTTPTransportContract, limiter: RequestLimiter? = nil, retries: Int = 0,
        counters: RemoteCounters, clock: any ClockContract = SystemClock(),
        timer: any TimerContract = EventLoop.shared,
        random: @escaping @Sendable (Int) -> Int = { Int.random(in: 0...max(0, $0)) }
    ) {
        self.transport = transport
        self.limiter = limiter
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

    /// One try, when the limits allow it.
    private func attempt(_ request: HTTPRequest, before deadline: Int) async -> Outcome {
        do throws(HTTPError) {
            try await limiter?.enter(before: deadline)
        } catch {
            return .failure(error)
        }
        defer { limiter?.leave() }
        counters.countRequest()
        do throws(HTTPError) {
            var response = try await transport.send(request, before: deadline)
            await response.judge(by: request.errors)
            note(&response, to: request)
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
        if response.status == 429 || response.status == 503 || response.verdict?.kind == .rateLimited {
            response.retryAfter = response.headers["Retry-After"].flatMap { HTTPRetryAfter($0, now: clock.now()) }
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
