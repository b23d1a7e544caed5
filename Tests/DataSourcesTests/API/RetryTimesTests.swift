import JSON
import Mocks
import System
import TestSupport
import Testing

@testable import Catalog
@testable import DataSources
@testable import HTTP
@testable import Model

/// Tests the wait times that an API requests in its answers.
@Suite(.limited) struct RetryTimesTests {
    private let timer = TimerMock()
    private let clock = ClockMock(Timestamp(milliseconds: 1_700_000_000_000))
    private let mock = HTTPClientMock(.success(HTTPResponse(status: 200)))
    private let limiter: RequestLimiter

    init() { limiter = RequestLimiter(maxConcurrent: 8, rateLimit: nil, timer: timer) }

    private static let values: [(json: String, milliseconds: Int?)] = [
        // Seconds since 1970 (GitHub), milliseconds (Linear), a date (Mastodon), seconds from now (Reddit).
        (#""1700000012""#, 12_000), (#""1700000012500""#, 12_500), (#""2023-11-14T22:13:32.250Z""#, 12_250),
        (#""12""#, 12_000),
        ("1700000012", 12_000), ("1700000012500", 12_500), ("12", 12_000), ("0.25", 250), (#""417.0""#, 417_000),
        (#""2023-11-14T23:13:32+01:00""#, 12_000), ("1699999999", 0), (#""2020-01-01T00:00:00Z""#, 0), ("0", 0),
        ("-5", 0), ("999999999", 999_999_999_000), ("1e300", Int(Int32.max) * 1000), (#""soon""#, nil), (#""""#, nil),
        ("null", nil), ("true", nil), ("[]", nil), ("{}", nil), (#""nan""#, nil), (#""inf""#, nil),
    ]

    @Test(arguments: values) func valueInAnAnswerIsConvertedToAWaitTime(json: String, milliseconds: Int?) throws {
        let value = try JSONValue(parsing: json)
        #expect(RetryTimes.wait(for: value, now: clock.now()) == milliseconds)
    }

    private func client(_ waits: String, retries: Int = 0) throws -> APIClient {
        let text = CatalogText.make(api: #"{"baseURL": "https://a.test", "rateLimit": \#(waits)}"#)
        let api = try CatalogText.decode(text).apis[0]
        return APIClient(
            mock, limiter: limiter, waits: api.waits, retries: retries, counters: RemoteCounters(), clock: clock,
            timer: timer, random: { _ in 0 })
    }

    private static func outcome(_ client: APIClient, timeout: Int = 10_000) async -> Result<HTTPResponse, HTTPError> {
        do throws(HTTPError) {
            return .success(try await client.send(HTTPRequest(url: "https://a.test/", timeout: timeout)))
        } catch {
            return .failure(error)
        }
    }

    private func answer(_ status: Int, _ headers: [HTTPHeader] = [], _ body: String = "") {
        mock.set(.success(HTTPResponse(status: status, headers: headers, body: Array(body.utf8))))
    }

    private static let places: [(waits: String, status: Int, header: HTTPHeader?, body: String, milliseconds: Int)] = [
        (#"{"reset": {"header": "X-Reset"}}"#, 429, HTTPHeader("x-reset", "3"), "", 3000),
        (#"{"reset": {"header": "X-Reset"}}"#, 429, nil, "", 0),
        (#"{"reset": {"header": "X-Reset"}}"#, 200, HTTPHeader("x-reset", "3"), "", 0),
        (#"{"reset": {"header": "X-Reset"}}"#, 503, HTTPHeader("x-reset", "3"), "", 0),
        (#"{"reset": {"header": "X-Reset"}}"#, 429, HTTPHeader("retry-after", "2"), "", 2000),
        (#"{"reset": "error.0.until"}"#, 429, nil, #"{"error": [{"until": 1700000004}]}"#, 4000),
        (#"{"reset": ["a.b"]}"#, 429, nil, #"{"a.b": "5"}"#, 5000),
        (#"{"reset": "a.*.b"}"#, 429, nil, #"{"a": [{"b": 1}, {"b": 7}]}"#, 7000),
        (#"{"reset": "30s"}"#, 429, nil, "no JSON", 30_000), (#"{"reset": 1.5}"#, 429, nil, "", 1500),
        (#"{"reset": "30s"}"#, 200, nil, "", 0), (#"{"pause": "backoff"}"#, 200, nil, #"{"backoff": 10}"#, 10_000),
        (#"{"pause": "backoff"}"#, 200, nil, "{}", 0), (#"{"pause": "backoff"}"#, 200, nil, "no JSON", 0),
        (#"{"pause": "backoff"}"#, 400, nil, #"{"backoff": 10}"#, 10_000),
        (#"{"pause": {"header": "Backoff"}}"#, 304, HTTPHeader("Backoff", "6"), "", 6000),
    ]

    @Test(arguments: places)
    func waitTimeOfAnAPIIsReadFromTheDeclaredHeaderOrField(
        waits: String, status: Int, header: HTTPHeader?, body: String, milliseconds: Int
    ) async throws {
        answer(status, header.map { [$0] } ?? [], body)
        _ = await Self.outcome(try client(waits))
        #expect(limiter.wait() == milliseconds)
    }

    @Test func resetTimeDelaysAllRequestsToTheAPI() async throws {
        answer(429, [HTTPHeader("X-Reset", "3")])
        let client = try client(#"{"reset": {"header": "X-Reset"}}"#)
        let first = try await Self.outcome(client).get()
        #expect(first.retryAfter == HTTPRetryAfter(seconds: 3))
        answer(200)
        async let second = Self.outcome(client)
        await timer.waitForAlarms(1)
        timer.advance(milliseconds: 2999)
        #expect(mock.requests.count == 1 && limiter.wait() == 1)
        timer.advance(milliseconds: 1)
        #expect(try await second.get().status == 200 && mock.requests.count == 2)
    }

    @Test func requestWithADeadlineDuringThePauseFailsAtOnce() async throws {
        let client = try client(#"{"pause": "backoff"}"#)
        answer(200, [], #"{"backoff": 12.5}"#)
        _ = await Self.outcome(client)
        let refused = await Self.outcome(client)
        #expect(refused == .failure(HTTPError(.paused(wait: 12_500), attempts: 0)))
        guard case .failure(let error) = refused else { return }
        let mapped = HTTPErrorMapper(redactor: .none).map(error)
        #expect((mapped.kind, mapped.retryAfter, mapped.attempts) == (.rateLimited, 13, 0))
        #expect(mapped.message.contains("the API asked to wait for 13 s (rateLimit)"))
    }

    /// A pause fails waiting requests whose deadline comes first. Requests with a later deadline continue to wait.
    @Test func pauseAppliesToWaitingRequests() async throws {
        let gate = Gate()
        mock.hold(at: gate)
        let limiter = RequestLimiter(maxConcurrent: 1, rateLimit: nil, timer: timer)
        let client = APIClient(mock, limiter: limiter, counters: RemoteCounters(), timer: timer)
        async let first = Self.outcome(client)
        await mock.arrived(1)
        let loop = EventLoop()
        let brief = Task(executorPreference: loop) { await Self.outcome(client, timeout: 1000) }
        let patient = Task(executorPreference: loop) { await Self.outcome(client, timeout: 5000) }
        // The loop runs this job last, when both requests are waiting.
        await Task(executorPreference: loop) {}.value
        #expect(limiter.waiting == 2)
        limiter.pause(for: 2000)
        #expect(await brief.value == .failure(HTTPError(.paused(wait: 2000), attempts: 0)))
        gate.open()
        _ = await first
        #expect(mock.requests.count == 1)
        timer.advance(milliseconds: 2000)
        #expect(try await patient.value.get().status == 200)
    }

    @Test func retryWaitsForTheResetTimeOfTheAPI() async throws {
        let timer = TimerMock(passesWithSleeps: true)
        let left = Lock(1)
        let mock = HTTPClientMock { _ in
            let isFirst = left.withLock { left in
                left -= 1
                return left == 0
            }
            let refusal = HTTPResponse(status: 429, headers: [HTTPHeader("R", "1700000002")])
            return .success(isFirst ? refusal : HTTPResponse(status: 200))
        }
        let client = APIClient(
            mock, limiter: RequestLimiter(maxConcurrent: 1, rateLimit: nil, timer: timer),
            waits: RetryTimes(reset: .told(.header("R"))), retries: 1, counters: RemoteCounters(), clock: clock,
            timer: timer, random: { _ in 0 })
        #expect(try await Self.outcome(client).get() == HTTPResponse(status: 200, attempts: 2))
        #expect(timer.sleeps == [2000])
    }

    /// An extremely long wait time of the API stops its requests for at most an hour.
    @Test func pauseOfAnAPILastsAtMostAnHour() async throws {
        let client = try client(#"{"reset": {"header": "X-Reset"}}"#)
        answer(429, [HTTPHeader("Retry-After", "99999999999")])
        let refused = try await Self.outcome(client).get()
        #expect(refused.retryAfter == HTTPRetryAfter(seconds: 1 << 31, isTooLate: true))
        #expect(limiter.wait() == 3_600_000)
        #expect(await Self.outcome(client) == .failure(HTTPError(.paused(wait: 3_600_000), attempts: 0)))
        timer.advance(milliseconds: 3_600_000)
        answer(200)
        #expect(try await Self.outcome(client).get().status == 200)
    }

    /// The reported start of a pause stays the same if the API extends the pause.
    @Test func pauseOfAnAPIIsReportedUntilItsEnd() {
        #expect(limiter.currentPause == nil)
        limiter.pause(for: 5000)
        timer.advance(milliseconds: 2000)
        #expect(limiter.currentPause == RequestLimiter.Pause(elapsed: 2000, left: 3000))
        limiter.pause(for: 6000)
        #expect(limiter.currentPause == RequestLimiter.Pause(elapsed: 2000, left: 6000))
        timer.advance(milliseconds: 6000)
        #expect(limiter.currentPause == nil)
        limiter.pause(for: 10)
        #expect(limiter.currentPause == RequestLimiter.Pause(elapsed: 0, left: 10))
    }

    /// A reloaded catalog does not bypass a pause.
    @Test func requestLimiterIsReusedWhileTheLimitsOfTheAPIAreUnchanged() throws {
        func api(_ more: String) throws -> APIDefinition {
            try CatalogText.decode(CatalogText.make(api: #"{"baseURL": "https://a.test"\#(more)}"#)).apis[0]
        }
        let limiters = RequestLimiters(timer: timer)
        func left(_ more: String) throws -> Int? { limiters.limiter(of: try api(more)).currentPause?.left }
        var first: RequestLimiter? = limiters.limiter(of: try api(""))
        first?.pause(for: 1000)
        #expect(try left(#", "retries": 5"#) == 1000)
        #expect(try left(#", "maxConcurrent": 1"#) == nil)
        #expect(try left(#", "rateLimit": {"requests": 1, "per": 1}"#) == nil)
        #expect(limiters.pauses().map { $0.pause.left } == [1000])
        first = nil
        #expect(limiters.pauses().isEmpty)
        #expect(try left("") == nil)
    }
}
