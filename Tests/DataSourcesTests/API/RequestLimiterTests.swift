import DataSources
import HTTP
import Mocks
import Model
import System
import TestSupport
import Testing

/// Tests the limits of concurrent requests and of requests per period.
@Suite(.limited) struct RequestLimiterTests {
    private let timer = TimerMock()
    private let mock = HTTPClientMock(.success(HTTPResponse(status: 200)))
    private let counters = RemoteCounters()
    private let loop = EventLoop()

    private func limiter(_ maxConcurrent: Int, _ rate: (requests: Int, per: Int)? = nil) -> RequestLimiter {
        RequestLimiter(
            maxConcurrent: maxConcurrent,
            rateLimit: rate.map { RateLimit(requests: $0.requests, per: $0.per) }, timer: timer)
    }

    private func send(
        _ limiter: RequestLimiter, _ path: Int = 0, timeout: Int = 10_000
    ) -> Task<HTTPResponse, any Error> {
        let client = APIClient(mock, limiter: limiter, counters: counters, timer: timer)
        return Task(executorPreference: loop) {
            try await client.send(HTTPRequest(url: "https://a.test/\(path)", timeout: timeout))
        }
    }

    /// Waits until the loop has run all earlier jobs, so that each request is in flight or waiting.
    private func settled() async { await Task(executorPreference: loop) {}.value }

    private var paths: [String] { mock.requests.map { String($0.url.dropFirst("https://a.test/".count)) } }

    /// Starts requests one after the other, so that the queue has a known order.
    private func queue(_ limiter: RequestLimiter, _ paths: ClosedRange<Int>) async -> [Task<HTTPResponse, any Error>] {
        var tasks: [Task<HTTPResponse, any Error>] = []
        for path in paths {
            tasks.append(send(limiter, path))
            await settled()
        }
        return tasks
    }

    @Test func requestsAreAdmittedInOrder() async throws {
        let gate = Gate()
        mock.hold(at: gate)
        let limiter = limiter(1)
        let first = send(limiter)
        await mock.arrived(1)
        let waiting = await queue(limiter, 1...4)
        #expect(paths == ["0"], "one request is in flight")
        gate.open()
        for task in [first] + waiting { _ = try await task.value }
        #expect(paths == ["0", "1", "2", "3", "4"])
    }

    @Test func requestsInFlightDoNotExceedTheLimit() async throws {
        let gate = Gate()
        mock.hold(at: gate)
        let limiter = limiter(3)
        var tasks = (0..<3).map { send(limiter, $0) }
        await mock.arrived(3)
        tasks += await queue(limiter, 1...5)
        #expect(mock.requests.count == 3)
        gate.open()
        for task in tasks { _ = try await task.value }
        #expect(mock.requests.count == 8)
    }

    @Test func cancelledWaitTakesNoRequestSlot() async throws {
        let gate = Gate()
        mock.hold(at: gate)
        let limiter = limiter(1)
        let first = send(limiter)
        await mock.arrived(1)
        let waiting = await queue(limiter, 1...3)
        waiting[0].cancel()
        waiting[2].cancel()
        for index in [0, 2] {
            await #expect(throws: HTTPError.cancelled.unsent) { try await waiting[index].value }
        }
        gate.open()
        _ = try await first.value
        _ = try await waiting[1].value
        #expect(paths == ["0", "2"])
        _ = try await send(limiter, 9).value
        #expect(paths == ["0", "2", "9"], "no slot was lost")
    }

    @Test func requestSlotIsFreedAfterFailureAndCancellation() async throws {
        let limiter = limiter(1)
        mock.set(.failure(.network("reset")))
        await #expect(throws: HTTPError.network("reset")) { try await send(limiter).value }
        mock.hold(at: Gate())
        let held = send(limiter)
        await mock.arrived(2)
        held.cancel()
        await #expect(throws: HTTPError.cancelled) { try await held.value }
        mock.hold(at: nil)
        mock.set(.success(HTTPResponse(status: 200)))
        #expect(try await send(limiter).value.status == 200)
    }

    @Test func deadlineEndsTheWaitForARequestSlot() async throws {
        let gate = Gate()
        mock.hold(at: gate)
        let limiter = limiter(1)
        let first = send(limiter)
        await mock.arrived(1)
        let late = send(limiter, timeout: 500)
        await settled()
        timer.advance(milliseconds: 499)
        let patient = send(limiter, 1)
        await settled()
        timer.advance(milliseconds: 1)
        await #expect(throws: HTTPError(.crowded(limit: 1, timeout: 500), attempts: 0)) { try await late.value }
        timer.advance(milliseconds: 2000)
        gate.open()
        _ = try await first.value
        _ = try await patient.value
        #expect(mock.deadlines == [1_010_000, 1_010_499], "the wait counts towards the timeout")
    }

    @Test func rateLimitIsEnforced() async throws {
        let limiter = limiter(100, (2, 1000))
        for path in 0..<2 { _ = try await send(limiter, path).value }
        #expect(timer.alarms == [], "the requests of one period need no wait")
        let waiting = (2...3).map { send(limiter, $0) }
        await settled()
        timer.advance(milliseconds: 499)
        await settled()
        #expect(mock.requests.count == 2)
        timer.advance(milliseconds: 1)
        await settled()
        #expect(paths == ["0", "1", "2"])
        timer.advance(milliseconds: 500)
        for task in waiting { _ = try await task.value }
        #expect(paths == ["0", "1", "2", "3"])
        #expect(timer.alarms == [500, 500], "only the first waiting request sets a timer")
    }

    @Test func unusedRateLimitTokensAccumulateForAtMostOnePeriod() async throws {
        let limiter = limiter(100, (2, 1000))
        for path in 0..<2 { _ = try await send(limiter, path).value }
        timer.advance(milliseconds: 3_600_000)
        for path in 2..<4 { _ = try await send(limiter, path).value }
        #expect(limiter.wait() == 500)
        #expect(timer.alarms == [])
    }

    @Test func requestThatMustWaitPastItsDeadlineFailsAtOnce() async throws {
        let rate = RateLimit(requests: 1, per: 60_000)
        let limiter = limiter(100, (1, 60_000))
        _ = try await send(limiter).value
        timer.advance(milliseconds: 10_000)
        await #expect(throws: HTTPError(.limited(rate, wait: 50_000), attempts: 0)) { try await send(limiter).value }
        #expect(timer.alarms == [])
        #expect(mock.requests.count == 1)
        timer.advance(milliseconds: 50_000)
        #expect(try await send(limiter).value.status == 200)
    }

    /// Waiting requests reserve the next tokens of the rate limit. A request whose token comes after its deadline fails
    /// at once.
    @Test func waitingRequestsReserveTheNextTokens() async throws {
        let rate = RateLimit(requests: 1, per: 6000)
        let limiter = limiter(100, (1, 6000))
        _ = try await send(limiter).value
        #expect(limiter.wait() == 6000)
        let waiting = send(limiter)
        await settled()
        #expect(limiter.wait() == 12_000)
        await #expect(throws: HTTPError(.limited(rate, wait: 12_000), attempts: 0)) { try await send(limiter).value }
        waiting.cancel()
        await #expect(throws: HTTPError.cancelled.unsent) { try await waiting.value }
        #expect(limiter.wait() == 6000, "a cancelled request takes no token")
        timer.advance(milliseconds: 6000)
        #expect(limiter.wait() == 0)
        #expect(try await send(limiter).value.status == 200)
    }

    /// A request that is cancelled while it waits for the rate limit returns its slot and its token.
    @Test func slotIsFreedAfterACancelledWaitForTheRateLimit() async throws {
        let limiter = limiter(1, (1, 1000))
        _ = try await send(limiter).value
        let waiting = send(limiter)
        await settled()
        waiting.cancel()
        await #expect(throws: HTTPError.cancelled.unsent) { try await waiting.value }
        timer.advance(milliseconds: 1000)
        #expect(try await send(limiter, timeout: 0).value.status == 200)
    }

    /// A third of a second is not a whole number of milliseconds. Waits are rounded up.
    @Test func rateWithFractionalMillisecondsIsEnforced() async throws {
        let limiter = limiter(100, (3, 1000))
        for path in 0..<3 { _ = try await send(limiter, path).value }
        #expect(limiter.wait() == 334)
        timer.advance(milliseconds: 333)
        #expect(limiter.wait() == 1)
        timer.advance(milliseconds: 1)
        #expect(limiter.wait() == 0)
        _ = try await send(limiter).value
        #expect(limiter.wait() == 333, "the fraction of a token is kept")
    }

    @Test func rateLimitTokenIsTakenWhenTheRequestIsSent() async throws {
        let gate = Gate()
        mock.hold(at: gate)
        let limiter = limiter(1, (2, 1000))
        let first = send(limiter)
        await mock.arrived(1)
        let second = send(limiter, timeout: 500)
        await settled()
        timer.advance(milliseconds: 500)
        await #expect(throws: HTTPError(.crowded(limit: 1, timeout: 500), attempts: 0)) { try await second.value }
        gate.open()
        _ = try await first.value
        for path in 0..<2 { _ = try await send(limiter, path).value }
        #expect(timer.alarms == [500], "the request that was never sent took no token")
    }

    /// One timer is set for all waiting requests, for the earliest deadline.
    @Test func oneTimerServesAllWaitingRequests() async throws {
        let gate = Gate()
        mock.hold(at: gate)
        let limiter = limiter(1)
        let first = send(limiter)
        await mock.arrived(1)
        let waiting = await queue(limiter, 1...50)
        #expect(timer.alarms == [10_000])
        timer.advance(milliseconds: 100)
        let hasty = [send(limiter, 51, timeout: 2000), send(limiter, 52, timeout: 1000)]
        await settled()
        #expect(timer.alarms == [10_000, 2000, 1000], "an earlier deadline sets the timer again")
        timer.advance(milliseconds: 1000)
        await #expect(throws: HTTPError(.crowded(limit: 1, timeout: 1000), attempts: 0)) { try await hasty[1].value }
        timer.advance(milliseconds: 1000)
        await #expect(throws: HTTPError(.crowded(limit: 1, timeout: 2000), attempts: 0)) { try await hasty[0].value }
        #expect(timer.alarms.suffix(2) == [1000, 7900])
        timer.advance(milliseconds: 7900)
        for task in waiting {
            await #expect(throws: HTTPError(.crowded(limit: 1, timeout: 10_000), attempts: 0)) { try await task.value }
        }
        gate.open()
        _ = try await first.value
        #expect(paths == ["0"])
    }

    /// A request fails at once if it gets its slot so late that the rate limit exceeds its deadline.
    @Test func requestFailsAtOnceIfTheRateLimitExceedsItsDeadline() async throws {
        let gate = Gate()
        mock.hold(at: gate)
        let limiter = limiter(1, (1, 1000))
        let first = send(limiter)
        await mock.arrived(1)
        let second = send(limiter, 1)
        await settled()
        let third = send(limiter, 2, timeout: 2450)
        await settled()
        timer.advance(milliseconds: 1480)
        gate.open()
        for task in [first, second] { _ = try await task.value }
        let rate = RateLimit(requests: 1, per: 1000)
        await #expect(throws: HTTPError(.limited(rate, wait: 1000), attempts: 0)) { try await third.value }
        #expect(paths == ["0", "1"])
    }

    /// A request that has a slot fails at its deadline with the rate limit as the reason.
    @Test func deadlineEndsTheWaitForTheRateLimit() async throws {
        let limiter = limiter(100, (1, 1000))
        _ = try await send(limiter).value
        let patient = send(limiter, 1)
        await settled()
        let late = send(limiter, 2, timeout: 2100)
        await settled()
        // The timer fires after the deadline.
        timer.advance(milliseconds: 2100)
        let rate = RateLimit(requests: 1, per: 1000)
        await #expect(throws: HTTPError(.limited(rate, wait: 1000), attempts: 0)) { try await late.value }
        #expect(try await patient.value.status == 200)
    }

    @Test(arguments: [(1, Int.max), (Int.max, 1), (Int.max, Int.max), (1_000_000, 7), (7, 1_000_000)])
    func extremeRatesDoNotOverflow(requests: Int, per: Int) async throws {
        let limiter = limiter(Int.max, (requests, per))
        _ = try await send(limiter).value
        #expect(limiter.wait() >= 0)
        timer.advance(milliseconds: 1 << 50)
        _ = limiter.wait()
    }

    @Test func requestsWithoutRateLimitDoNotWait() async throws {
        let limiter = limiter(8)
        for path in 0..<100 { _ = try await send(limiter, path).value }
        #expect(limiter.wait() == 0)
        #expect(timer.alarms == [])
    }

    /// All slots are free at the end, no matter when requests are cancelled.
    @Test func allSlotsAreFreeAfterCancellationsAtAnyTime() async throws {
        let limiter = RequestLimiter(maxConcurrent: 2, rateLimit: nil)
        let client = APIClient(mock, limiter: limiter, counters: counters)
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<500 {
                group.addTask {
                    let task = Task { try await client.send(HTTPRequest(url: "https://a.test/", timeout: 60_000)) }
                    for _ in 0..<(index % 7) { await Task.yield() }
                    if index % 3 != 0 { task.cancel() }
                    _ = await task.result
                }
            }
        }
        let gate = Gate()
        mock.hold(at: gate)
        let before = mock.requests.count
        let last = (0..<2).map { _ in Task { try await client.send(HTTPRequest(url: "https://a.test/")) } }
        await mock.arrived(before + 2)
        gate.open()
        for task in last { _ = try await task.value }
    }
}
