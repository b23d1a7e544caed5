import TestSupport
import Testing

@testable import System

@Suite(.limited) struct MonitorTests {
    @Test func wokenThreadCanChangeTheStateOfAMonitor() async {
        let monitor = Monitor(0)
        async let taken = onThread {
            monitor.wait(
                until: { $0 >= 3 },
                then: { state in
                    defer { state = 100 }
                    return state
                })
        }
        for _ in 1...3 { monitor.change { $0 += 1 } }
        #expect(await taken == 3)
        #expect(monitor.withLock { $0 } == 100)
    }

    /// Two threads alternate. A thread that missed the other's change would wait forever.
    @Test func waitingThreadSeesTheChangeOfAnotherThread() async {
        let turns = 5_000
        let monitor = Monitor(0)
        await onThreads(0..<2) { thread in
            for _ in 0..<turns {
                monitor.wait(until: { $0 % 2 == thread }, then: { _ in })
                monitor.change { $0 += 1 }
            }
        }
        #expect(monitor.withLock { $0 } == 2 * turns)
    }

    @Test func timedWaitReturnsAfterAChange() async {
        let monitor = Monitor(false)
        async let isSeen = onThread { monitor.wait(upTo: .seconds(600)) { $0 } }
        monitor.change { $0 = true }
        #expect(await isSeen)
    }

    @Test(arguments: [Duration.zero, .milliseconds(1), .seconds(-1), .seconds(Int64.min)])
    func timedWaitEndsAtItsLimit(limit: Duration) {
        #expect(!Monitor(false).wait(upTo: limit) { $0 })
        #expect(Monitor(true).wait(upTo: limit) { $0 })
    }

    @Test(arguments: [Duration.unlimited, .seconds(Int64.max)])
    func endlessTimedWaitDoesNotTrap(limit: Duration) async {
        let monitor = Monitor(false)
        async let isSeen = onThread { monitor.wait(upTo: limit) { $0 } }
        monitor.change { $0 = true }
        #expect(await isSeen)
    }

    @Test func changesOfManyThreadsAreAllCounted() async {
        let monitor = Monitor(0)
        await onThreads(0..<8) { _ in
            for _ in 0..<1000 { monitor.withLock { $0 += 1 } }
        }
        #expect(monitor.withLock { $0 } == 8000)
    }
}
