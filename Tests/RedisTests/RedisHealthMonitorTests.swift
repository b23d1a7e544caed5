import System
import TestSupport
import Testing

@testable import Redis

/// Tests the recorded health of a Redis server, and the reports of its changes.
@Suite(.limited) struct RedisHealthMonitorTests {
    private let clock = ClockMock()
    private let changes = Lock<[RedisHealth]>([])

    @Test func eachChangeOfTheReasonIsReportedOnce() {
        let monitor = RedisHealthMonitor(clock: clock) { [changes] health in changes.withLock { $0.append(health) } }
        let start = clock.now()
        var first = RedisHealth()
        (first.reason, first.since, first.isBackingOff, first.failures) = ("refused", start, false, 1)
        monitor.failed("refused", isBackingOff: false)
        #expect(monitor.health == first)

        clock.advance(milliseconds: 1000)
        var second = first
        (second.isBackingOff, second.failures) = (true, 2)
        monitor.failed("refused", isBackingOff: true)
        #expect(monitor.health == second, "the fault began at the first failure")

        var third = second
        (third.reason, third.isBackingOff, third.failures) = ("silent", false, 3)
        monitor.failed("silent", isBackingOff: false)
        #expect(monitor.health == third)

        var reached = RedisHealth()
        (reached.wasReached, reached.version, reached.isReplica, reached.failures) = (true, "7.0.15", true, 3)
        monitor.reached(.init(version: "7.0.15", isReplica: true))
        monitor.reached(.init(version: "7.0.15", isReplica: true))
        #expect(monitor.health == reached)
        #expect(changes.withLock { $0 } == [first, third, reached])

        monitor.failed("gone", isBackingOff: false)
        #expect(monitor.health.since == clock.now() && monitor.health.wasReached && monitor.health.version == "7.0.15")
    }
}
