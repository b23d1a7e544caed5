import DataSources
import HTTP
import Mocks
import Model
import System
import TestSupport
import Testing

/// Tests retries, the waits between them, and the result of a call. `RequestLimiterTests` covers the limits.
@Suite(.limited) struct APIClientTests {
    private typealias Outcome = Result<HTTPResponse, HTTPError>

    private let timer = TimerMock(passesWithSleeps: true)
    private let random = RandomMock()
    private let clock = ClockMock(Timestamp(milliseconds: 784_111_747_000))
    private let counters = RemoteCounters()

    /// Returns a client that produces the outcomes in order, and then repeats the last outcome.
    private static func script(_ outcomes: [Outcome]) -> HTTPClientMock {
        let left = Lock(outcomes)
        return HTTPClientMock { _ in left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }
    }

    private func client(_ mock: any HTTPTransportContract, retries: Int = 2) -> APIClient {
        APIClient(
            mock, retries: retries, counters: counters, clock: clock, timer: timer, random: random.number)
    }

    private func send(
        _ outcomes: [Outcome], retries: Int = 2, _ request: HTTPRequest = HTTPRequest(url: "https://a.test/")
    ) async -> (outcome: Outcome, requests: [HTTPRequest]) {
        let mock = Self.script(outcomes)
        do throws(HTTPError) {
            return (.success(try await client(mock, retries: retries).send(request)), mock.requests)
        } catch {
            return (.failure(error), mock.requests)
        }
    }

    private static func response(_ status: Int, _ retryAfter: String? = nil) -> Outcome {
        .success(HTTPResponse(status: status, headers: retryAfter.map { [HTTPHeader("retry-after", $0)] } ?? []))
    }

    @Test(
        arguments: [
            (response(502), true), (response(503), true), (response(504), true), (response(429), true),
            (.failure(.network("reset")), true), (response(200), false), (response(304), false),
            (response(404), false), (response(400), false), (response(401), false), (response(500), false),
            (response(501), false), (response(408), false), (.failure(.invalidURL("no")), false),
            (.failure(.notHTTP("garbage")), false), (.failure(.tooLarge(limit: 1)), false),
            (.failure(.tooManyRedirects(limit: 5)), false), (.failure(.cancelled), false),
            (.failure(HTTPError(.notRecorded("full"))), false), (.failure(.network("no libcurl").unsent), false),
        ] as [(Outcome, Bool)])
    private func onlyTransientFailuresAreRetried(first: Outcome, isRepeated: Bool) async {
        let (outcome, requests) = await send([first, Self.response(200)])
        #expect(requests.count == (isRepeated ? 2 : 1))
        #expect(counters.statistics.retries == (isRepeated ? 1 : 0))
        if isRepeated {
            #expect(outcome == .success(HTTPResponse(status: 200, attempts: 2)))
        } else {
            #expect(outcome == first)
        }
    }

    @Test func onlyRepeatableRequestsAreRetried() async {
        let post = HTTPRequest(method: .post, url: "https://a.test/", body: [1])
        #expect(await send([Self.response(503)], post).requests.count == 1)
        let query = HTTPRequest(method: .post, url: "https://a.test/", body: [1], isRepeatable: true)
        #expect(await send([Self.response(503)], query).requests.count == 3)
    }

    @Test(arguments: [0, 1, 2, 10])
    func retriesOfACallAreLimited(retries: Int) async {
        let request = HTTPRequest(url: "https://a.test/", timeout: 60_000)
        let (outcome, requests) = await send([.failure(.network("reset"))], retries: retries, request)
        #expect(requests.count == retries + 1)
        #expect(outcome == .failure(HTTPError(.network("reset"), attempts: retries + 1)))
        #expect(counters.statistics.retries == retries)
    }

    @Test func callReturnsTheResultOfItsLastAttempt() async {
        let (outcome, _) = await send([.failure(.network("reset")), Self.response(502), Self.response(404)])
        #expect(outcome == .success(HTTPResponse(status: 404, attempts: 3)))
    }

    @Test func backoffBeforeARetryIsRandomAndBounded() async {
        let request = HTTPRequest(url: "https://a.test/", timeout: 60_000)
        _ = await send([Self.response(503)], retries: 10, request)
        #expect(random.limits == [100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000, 5000])
        #expect(timer.sleeps == random.limits)
        let low = RandomMock(7)
        let mock = Self.script([Self.response(503)])
        let client = APIClient(
            mock, retries: 3, counters: counters, clock: clock, timer: timer, random: low.number)
        _ = try? await client.send(request)
        #expect(timer.sleeps.suffix(3) == [7, 7, 7])
    }

    /// All attempts share one deadline, including the waits between them.
    @Test func attemptsOfACallShareOneDeadline() async {
        let mock = Self.script([Self.response(503)])
        let request = HTTPRequest(url: "https://a.test/")
        _ = try? await client(mock).send(request)
        #expect(timer.sleeps == [100, 200])
        #expect(mock.deadlines == [1_010_000, 1_010_000, 1_010_000])
        #expect(mock.requests == [request, request, request])
    }

    /// No retry starts if its wait would end past the deadline.
    @Test func retryIsSkippedIfItsBackoffEndsPastTheDeadline() async {
        let request = HTTPRequest(url: "https://a.test/", timeout: 700)
        let (outcome, requests) = await send([Self.response(502)], retries: 10, request)
        #expect(outcome == .success(HTTPResponse(status: 502, attempts: 3)))
        #expect(requests.count == 3)
        #expect(timer.sleeps == [100, 200])
    }

    /// An attempt that times out uses up the deadline. The error contains the timeout of the call, not of the attempt.
    @Test func timeoutErrorContainsTheTimeoutOfTheCall() async {
        let timer = timer
        let left = Lock(1)
        let mock = HTTPClientMock { request in
            if left.withLock({
                $0 -= 1; return $0
            }) == 0 {
                return Self.response(503)
            }
            timer.advance(milliseconds: request.timeout)
            return .failure(.timeout(request.timeout))
        }
        await #expect(throws: HTTPError(.timeout(10_000), attempts: 2)) {
            try await client(mock, retries: 5).send(HTTPRequest(url: "https://a.test/"))
        }
    }

    @Test(arguments: [429, 503], ["3", "Sun, 06 Nov 1994 08:49:10 GMT"])
    func retryWaitsForTheRetryAfterTime(status: Int, value: String) async {
        let (outcome, _) = await send([Self.response(status, value), Self.response(200)])
        #expect(outcome == .success(HTTPResponse(status: 200, attempts: 2)))
        #expect(timer.sleeps == [3000])
    }

    @Test(arguments: ["0", "Sun, 06 Nov 1994 08:00:00 GMT", "whenever"])
    func invalidRetryAfterHeaderCausesAnOrdinaryBackoff(value: String) async {
        _ = await send([Self.response(503, value), Self.response(200)])
        #expect(timer.sleeps == [100])
    }

    @Test func retryAfterHeaderOfOtherStatusesIsIgnored() async {
        let (outcome, _) = await send([Self.response(502, "5")], retries: 1)
        #expect(timer.sleeps == [100])
        #expect((try? outcome.get())?.retryAfter == nil)
    }

    @Test(arguments: [429, 503], ["10", "120", "1000000000000000000000000000000"])
    func requestFailsAtOnceIfTheRetryAfterTimeIsPastTheDeadline(status: Int, value: String) async throws {
        let (outcome, requests) = await send([Self.response(status, value)])
        #expect(requests.count == 1)
        #expect(timer.sleeps == [])
        let response = try outcome.get()
        #expect(response.retryAfter == HTTPRetryAfter(seconds: min(Int(value) ?? .max, 1 << 31), isTooLate: true))
        #expect(HTTPErrorMapper(redactor: .none).map(.status(response)).message.hasSuffix(", after the timeout"))
    }

    /// A call without retries also reports the time of the next allowed request.
    @Test func retryAfterTimeIsReportedIfRetriesAreOff() async throws {
        let (outcome, _) = await send([Self.response(429, "4")], retries: 0)
        #expect(try outcome.get().retryAfter == HTTPRetryAfter(seconds: 4, isTooLate: false))
    }

    /// The API's error is more informative than a refusal by Larder's own limit.
    @Test func retryRefusedByTheLimiterKeepsTheFirstError() async {
        let refusal = HTTPError(.crowded(limit: 1, timeout: 1), attempts: 0)
        let (outcome, _) = await send([Self.response(503), .failure(refusal)])
        #expect(outcome == Self.response(503))
        #expect(counters.statistics.retries == 0)
    }

    @Test func cancellationEndsTheBackoff() async {
        let timer = TimerMock()
        let mock = Self.script([Self.response(503)])
        let client = APIClient(
            mock, retries: 2, counters: counters, clock: clock, timer: timer, random: random.number)
        let task = Task { try await client.send(HTTPRequest(url: "https://a.test/")) }
        await timer.sleeping(1)
        task.cancel()
        await #expect(throws: HTTPError.cancelled) { try await task.value }
        #expect(mock.requests.count == 1)
    }

    @Test func cancelledAttemptIsNotRetried() async {
        let mock = Self.script([Self.response(503)])
        mock.hold(at: Gate())
        let client = client(mock)
        let task = Task { try await client.send(HTTPRequest(url: "https://a.test/")) }
        await mock.arrived(1)
        task.cancel()
        await #expect(throws: HTTPError.cancelled) { try await task.value }
        #expect(mock.requests.count == 1)
    }
}
