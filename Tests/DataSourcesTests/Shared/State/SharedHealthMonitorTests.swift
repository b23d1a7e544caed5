import Mocks
import System
import TestSupport
import Testing

@testable import DataSources
@testable import Redis

/// Tests the reports of faults and recoveries of the shared level.
@Suite(.limited) struct SharedHealthMonitorTests {
    private let clock = ClockMock()
    private let faults = FaultRecorder()
    private let recoveries = Watched(0)
    private let condition: SharedHealthMonitor

    init() throws {
        condition = SharedHealthMonitor(
            try RedisURL("redis://u:hunter2@cache"), clock: clock, onFault: faults.record,
            onRecovery: { [recoveries] in recoveries.change { $0 += 1 } })
    }

    private static func error(_ code: String) -> RESPValue { .error(code: code, message: "\(code) as it says") }

    private static func health(_ reason: String?) -> RedisHealth {
        var health = RedisHealth()
        (health.reason, health.since) = (reason, reason.map { _ in Timestamp(milliseconds: 5) })
        return health
    }

    private var reasons: [String] { faults.parts.map(\.reason) }

    @Test func reasonOfARedisFailureIsReportedOnce() {
        for _ in 0..<3 { condition.note([Self.error("OOM")], of: .writing) }
        #expect(faults.parts.map(\.part) == ["shared"] && faults.parts.first?.since == clock.now())
        condition.note([Self.error("READONLY")], of: .writing)
        #expect(reasons.count == 2, "another reason is reported")
        #expect(condition.note([.integer(1)], of: .reading))
        #expect(recoveries.value == 0, "a command of another purpose succeeded")
        #expect(condition.note([.integer(1)], of: .writing))
        #expect(recoveries.value == 1)
        condition.note([.integer(1)], of: .writing)
        #expect(recoveries.value == 1)
        condition.note([Self.error("READONLY")], of: .writing)
        #expect(reasons.count == 3, "the reason is reported again after a recovery")
    }

    @Test func recoveryIsReportedAfterAllRefusalsEnd() {
        condition.note([Self.error("NOPERM")], of: .reading)
        condition.note([Self.error("NOPERM")], of: .leasing)
        condition.note([.null], of: .reading)
        #expect(recoveries.value == 0 && reasons.last?.contains("let Larder write") == true)
        condition.note([.null], of: .leasing)
        #expect(recoveries.value == 1)
    }

    @Test func lostConnectionIsReportedUntilItIsRestored() {
        condition.note(Self.health("it is gone"))
        #expect(reasons == ["redis://cache is not used: it is gone"])
        #expect(faults.parts.first?.since == Timestamp(milliseconds: 5))
        condition.note(Self.health(nil))
        #expect(recoveries.value == 1)
    }

    /// A refusal of the server is reported again after a reconnection, because a new connection does not end the
    /// refusal.
    @Test func refusalIsReportedAgainAfterReconnect() {
        condition.note([Self.error("READONLY")], of: .writing)
        condition.note(Self.health("it is gone"))
        condition.note(Self.health(nil))
        #expect(recoveries.value == 0)
        #expect(reasons.count == 3 && reasons.first == reasons.last)
        condition.note([.integer(1)], of: .writing)
        #expect(recoveries.value == 1)
    }

    @Test func lostConnectionIsNotReportedAsRecoveredWhenARefusalEnds() {
        condition.note([Self.error("READONLY")], of: .writing)
        condition.note(Self.health("it is gone"))
        condition.note([.integer(1)], of: .writing)
        #expect(recoveries.value == 0 && reasons.last?.contains("it is gone") == true)
    }

    /// A change during a report is reported afterwards, so that the last report is the final state.
    @Test func lastHealthReportMatchesTheCurrentState() throws {
        let reported = Watched<[String]>([])
        let held = Lock(SharedHealthMonitor?.none)
        let condition = SharedHealthMonitor(
            try RedisURL("redis://cache"), clock: clock,
            onFault: { _ in
                held.withLock { $0 }?.note([.integer(1)], of: .writing)
                reported.change { $0.append("fault") }
            }, onRecovery: { reported.change { $0.append("recovery") } })
        held.withLock { $0 = condition }
        condition.note([Self.error("OOM")], of: .writing)
        #expect(reported.value == ["fault", "recovery"])
        held.withLock { $0 = nil }
    }

    /// Tests the complete shared level: reads do not fail, and nothing is stored.
    @Test func sharedLevelReportsARefusalUntilTheRefusalEnds() async throws {
        let data = RedisData(clock: clock)
        let (one, other) = (try SharedMachine(data, clock: clock), try SharedMachine(data, clock: clock))
        await other.store([LocalEntries.item("1")])
        await one.level.start()
        one.server.answer { ["store", "removeEntry"].contains($0.verb) ? Self.error("OOM") : nil }
        await one.store([LocalEntries.item("2")])
        let refused = try await one.statistics()
        #expect(refused?.writeRefusal?.contains("maxmemory") == true && refused?.state == .failing)
        #expect(refused?.lost == 1 && refused?.reason == refused?.writeRefusal)
        #expect(try await one.state("1") == "fresh")
        #expect(one.faults.parts.map(\.part) == ["shared"] && one.recoveries.value == 0)
        one.server.answer { _ in nil }
        await one.store([LocalEntries.item("2")])
        #expect(try await one.statistics()?.writeRefusal == nil && one.recoveries.value == 1)
        #expect(try await other.state("2") == "fresh")
    }
}
