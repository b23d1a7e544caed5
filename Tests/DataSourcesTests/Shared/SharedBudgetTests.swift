import System
import TestSupport
import Testing

@testable import DataSources
@testable import HTTP
@testable import Model
@testable import Redis

/// Tests a rate limit that several processes share.
@Suite(.limited) struct SharedBudgetTests {
    private static let limit = RateLimit(requests: 4, per: 1000)

    private let clock = ClockMock()
    private let data: RedisData
    private let one: SharedMachine
    private let other: SharedMachine
    private let timer = TimerMock()

    init() throws {
        data = RedisData(clock: clock)
        one = try SharedMachine(data, clock: clock)
        other = try SharedMachine(data, clock: clock)
    }

    /// Replies of the server in microseconds, and the resulting wait. With a timeout of 5 s and an interval of 250 ms,
    /// a valid wait is at most 5.25 s.
    private static let replies: [(RESPValue, Int?)] = [
        (.integer(0), 0), (.integer(1), 1), (.integer(1000), 1), (.integer(1001), 2), (.integer(250_000), 250),
        (.integer(-1), -1), (.integer(-1_500_000), -1500), (.integer(-1_500_001), -1501),
        (.integer(-5_251_000), -5251), (.integer(-5_251_001), nil), (.integer(5_251_001), nil),
        (.integer(-400_000_000), nil),
        (.integer(.max), nil), (.integer(.min), nil), (.integer(900_000_000), nil), (.null, nil),
        (.text([0x35]), nil), (.error(code: "OOM", message: "OOM"), nil), (.error(code: "WRONGTYPE", message: ""), nil),
    ]

    @Test(arguments: replies) func waitTimeInARedisReplyIsValidated(reply: RESPValue, wait: Int?) async throws {
        one.server.answer { $0.verb == "takeToken" ? reply : nil }
        #expect(await one.level.budget([1], timeout: 5000).take(Self.limit, within: 500) == wait)
        let command = try #require(one.server.commands.last)
        let words = [SharedMachine.names.bucket([1]), "250000.0", "4", "500000.0", "600000000.0"]
        #expect(command.words.suffix(5) == words[...])
    }

    @Test func unreachableRedisServerCausesNoWait() async throws {
        one.server.lose()
        #expect(await one.level.budget([1], timeout: 5000).take(Self.limit, within: 500) == nil)
    }

    private static func limiter(_ machine: SharedMachine, _ identity: [UInt8] = [1]) -> RequestLimiter {
        RequestLimiter(
            maxConcurrent: 100, rateLimit: limit, timer: TimerMock(passesWithSleeps: true),
            budget: machine.level.budget(identity, timeout: 5000))
    }

    /// Two machines together send only as many requests at once as the shared limit allows.
    @Test func twoMachinesShareOneRateLimit() async throws {
        let (first, second, third) = (Self.limiter(one), Self.limiter(other), Self.limiter(other, [2]))
        for _ in 0..<3 { try await first.enter(before: .max) }
        try await second.enter(before: .max)
        let now = TimerMock().milliseconds
        await #expect(throws: HTTPError(.limited(Self.limit, wait: 250), attempts: 0)) {
            try await second.enter(before: now + 200)
        }
        try await third.enter(before: now + 200)
    }

    /// If the shared token bucket is too far ahead, the caller uses its own limit and leaves the bucket unchanged.
    @Test func tokenBucketWithATimeFarInTheFutureIsIgnored() async throws {
        let key = SharedMachine.names.bucket([1])
        let ahead = Array(String(clock.now().milliseconds * 1000 + 400_000_000).utf8)
        data.set(key, ahead)
        let limiter = Self.limiter(one)
        for _ in 0..<4 { try await limiter.enter(before: TimerMock().milliseconds + 200) }
        #expect(data.bytes(key) == ahead)
        await #expect(throws: HTTPError(.limited(Self.limit, wait: 250), attempts: 0)) {
            try await limiter.enter(before: TimerMock().milliseconds + 200)
        }
    }

    /// Callers wait for at most the timeout, even if their deadline is later.
    @Test func waitForARateLimitTokenIsLimitedByTheTimeout() async throws {
        _ = await one.level.budget([1], timeout: 5000).take(Self.limit, within: 60_000)
        #expect(one.server.commands.last?.words.suffix(2) == ["5000000.0", "600000000.0"])
    }

    // MARK: The limiter

    private struct Budget: RateBudgetContract {
        let wait: Int?
        let asked = Lock<[Int]>([])

        func take(_ limit: RateLimit, within milliseconds: Int) async -> Int? {
            asked.withLock { $0.append(milliseconds) }
            return wait
        }
    }

    private func limiter(_ budget: Budget, isLimited: Bool = true) -> RequestLimiter {
        RequestLimiter(maxConcurrent: 1, rateLimit: isLimited ? Self.limit : nil, timer: timer, budget: budget)
    }

    @Test(arguments: [nil, 0]) func requestThatNeedNotWaitIsSentImmediately(wait: Int?) async throws {
        let budget = Budget(wait: wait)
        try await limiter(budget).enter(before: timer.milliseconds + 700)
        #expect(timer.sleeps == [] && budget.asked.withLock { $0 } == [699])
    }

    @Test func requestWaitsForTheSharedLimit() async throws {
        let limiter = limiter(Budget(wait: 250))
        let before = timer.milliseconds + 700
        let task = Task { try await limiter.enter(before: before) }
        await timer.sleeping(1)
        #expect(timer.sleeps == [250])
        timer.advance(milliseconds: 250)
        try await task.value
    }

    /// A request whose wait would end past the deadline fails at once and frees its slot.
    @Test(arguments: [(-1500, 1500), (-701, 701), (700, 700), (900, 900), (Int.min, Int.max)])
    func requestRefusedByTheSharedLimitFreesItsSlot(wait: Int, reported: Int) async throws {
        // A leaked slot would make the next request time out, because sleeps pass immediately.
        let timer = TimerMock(passesWithSleeps: true)
        let limiter = RequestLimiter(
            maxConcurrent: 1, rateLimit: Self.limit, timer: timer, budget: Budget(wait: wait))
        for _ in 0..<3 {
            await #expect(throws: HTTPError(.limited(Self.limit, wait: reported), attempts: 0)) {
                try await limiter.enter(before: timer.milliseconds + 700)
            }
        }
        #expect(timer.sleeps == [] && limiter.waiting == 0)
    }

    @Test func requestCancelledDuringTheSharedWaitFreesItsSlot() async throws {
        let limiter = limiter(Budget(wait: 250))
        let before = timer.milliseconds + 700
        for count in 1...2 {
            let task = Task { try await limiter.enter(before: before) }
            await timer.waitForSleeps(count)
            #expect(limiter.waiting == 0)
            task.cancel()
            await #expect(throws: HTTPError.cancelled.unsent) { try await task.value }
        }
    }

    @Test func sharedBudgetIsNotUsedIfThereIsNoRateLimit() async throws {
        let budget = Budget(wait: 250)
        try await limiter(budget, isLimited: false).enter(before: timer.milliseconds + 700)
        #expect(budget.asked.withLock { $0 } == [])
    }
}
