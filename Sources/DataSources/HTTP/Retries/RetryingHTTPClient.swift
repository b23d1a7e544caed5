import System

/// Makes requests again that failed for a reason that may pass, until the deadline.
///
/// * What is repeated: requests that may be (`isRepeatable`), after a failure of the network, a timeout, and the statuses
///   429, 502, 503 and 504.
/// * When: after a random time from 0 to 100 ms, the next times up to 200 ms, 400 ms ... 5 s, so that clients that
///   failed together do not come back together; after a 429 or a 503 not before its `Retry-After`.
/// * The deadline: a request's `timeout` covers all tries and all waits, and each try has what is left of it. So a try
///   that runs into the timeout leaves nothing for another one.
/// * A wait that would end past the deadline is not begun: the call comes to what the last try came to.
public struct RetryingHTTPClient: HTTPClientContract {
    private typealias Outcome = Result<HTTPResponse, HTTPError>

    private static let firstWait = 100
    private static let longestWait = 5000

    private let client: any HTTPClientContract
    private let retries: Int
    private let counters: RemoteCounters
    private let clock: any ClockContract
    private let timer: any TimerContract
    private let random: any RandomContract

    /// A client that repeats what another one sends.
    ///
    /// - Parameters:
    ///   - retries: how often at most; 0 makes each request once.
    ///   - clock: what the dates of `Retry-After` are compared with.
    public init(
        _ client: any HTTPClientContract, retries: Int, counters: RemoteCounters,
        clock: any ClockContract = SystemClock(), timer: any TimerContract = SystemTimer(),
        random: any RandomContract = SystemRandom()
    ) {
        self.client = client
        self.retries = retries
        self.counters = counters
        self.clock = clock
        self.timer = timer
        self.random = random
    }

    /// Sends a request, and sends it again where that may help.
    ///
    /// - Throws: the other client's error of the last try, with the number of all; `.cancelled` when the task is
    ///   cancelled, also in a wait.
    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let deadline = timer.deadline(of: request)
        var outcome = await attempt(request, before: deadline)
        for retry in 0..<max(0, retries) {
            guard request.isRepeatable, outcome.mayPass else { break }
            let wait = max(random.number(upTo: Self.longest(retry)), outcome.askedWait)
            guard wait < deadline - timer.milliseconds else { break }
            do {
                try await timer.sleep(milliseconds: wait)
            } catch {
                throw HTTPError(.cancelled, attempts: outcome.attempts)
            }
            var next = await attempt(request, before: deadline)
            // A try that found no room within Larder's own limits says less than the one before.
            if next.attempts == 0, next.reason != .cancelled { break }
            counters.countRetry()
            next.attempts += outcome.attempts
            outcome = next
        }
        return try told(outcome, deadline).get()
    }

    /// One try with the time that is left.
    private func attempt(_ request: HTTPRequest, before deadline: Int) async -> Outcome {
        var attempt = request
        attempt.timeout = max(1, deadline - timer.milliseconds)
        do throws(HTTPError) {
            var response = try await client.send(attempt)
            if response.status == 429 || response.status == 503 {
                response.retryAfter = response.headers["Retry-After"].flatMap { HTTPRetryAfter($0, now: clock.now()) }
            }
            return .success(response)
        } catch {
            // Its time was the call's, less what had passed; who reads the message knows the call's.
            guard case .timeout = error.reason else { return .failure(error) }
            return .failure(HTTPError(.timeout(request.timeout), attempts: error.attempts))
        }
    }

    /// Notes with the answer whether the API asks for a wait past the deadline.
    private func told(_ outcome: Outcome, _ deadline: Int) -> Outcome {
        guard case .success(var response) = outcome, response.retryAfter != nil else { return outcome }
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

    /// How many milliseconds the API asks to wait.
    fileprivate var askedWait: Int {
        if case .success(let response) = self { (response.retryAfter?.seconds ?? 0) * 1000 } else { 0 }
    }

    /// Whether the same request may be answered a moment later. What was not sent will not be sent then either.
    fileprivate var mayPass: Bool {
        switch self {
        case .success(let response): [429, 502, 503, 504].contains(response.status)
        case .failure(let error):
            switch error.reason {
            case .network, .timeout: error.attempts > 0
            default: false
            }
        }
    }
}
