import TestSupport
import Testing

@testable import DataSources

@Suite(.limited) struct LockBackoffTests {
    @Test func busyTimeoutIsZeroForOneSecondAfterALock() {
        let start = ContinuousClock.now
        var memory = LockBackoff()
        #expect(memory.busyTimeout(500, at: start) == 500)
        memory.note(at: start)
        #expect(memory.busyTimeout(500, at: start) == 0)
        #expect(memory.busyTimeout(500, at: start + .milliseconds(999)) == 0)
        #expect(memory.busyTimeout(500, at: start + .seconds(1)) == 500)
        memory.note(at: start)
        memory.forget()
        #expect(memory.busyTimeout(500, at: start) == 500)
    }
}
