import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model
@testable import Redis

/// Tests the start, the state and the end of the shared level.
@Suite(.limited) struct SharedLevelStateTests {
    private let clock = ClockMock()
    private let data: RedisData
    private let machine: SharedMachine

    init() throws {
        data = RedisData(clock: clock)
        machine = try SharedMachine(data, clock: clock)
    }

    @Test func sharedLevelStartsOnce() async throws {
        #expect(machine.server.rests.isEmpty && !machine.server.isReady)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<10 { group.addTask { await machine.level.start() } }
        }
        #expect(machine.server.rests == [nil] && machine.server.commands.isEmpty && machine.timer.alarms.isEmpty)
    }

    /// Every operation that needs the server starts the level and so respects the backoff of an earlier process.
    @Test(arguments: 0..<5) func everyOperationStartsTheSharedLevel(operation: Int) async throws {
        let key = LocalEntries.key("1")
        switch operation {
        case 0: _ = try await machine.level.read(key)
        case 1: _ = try await machine.level.read(LocalEntries.pageKey(1))
        case 2: _ = await machine.level.take([.item(key)], isForced: false)
        case 3: _ = try await machine.level.remove(CacheSelection())
        default: _ = try await machine.level.invalidate(CacheSelection())
        }
        #expect(machine.server.rests == [nil])
    }

    private struct Row: Sendable {
        var reason: String?
        var isBackingOff = false
        var wasReached = true
        var refused: [ServerRefusals.Purpose] = []
        let state: SharedStatistics.State
        var isRead = false
        /// A substring of the expected reason; nil if no reason is expected.
        var told: String?
        /// Whether the reason is also that of refused writes.
        var isOfWriting = false
    }

    private static let rows = [
        Row(wasReached: false, state: .connecting),
        Row(state: .ok, isRead: true),
        Row(reason: "lost", state: .failing, told: "lost"),
        Row(reason: "lost", isBackingOff: true, state: .unavailable, told: "lost"),
        Row(reason: "refused", isBackingOff: true, wasReached: false, state: .unavailable, told: "refused"),
        Row(refused: [.writing], state: .failing, isRead: true, told: "let Larder write", isOfWriting: true),
        Row(refused: [.leasing], state: .failing, isRead: true, told: "let Larder write", isOfWriting: true),
        Row(refused: [.reading], state: .failing, told: "let Larder read:"),
        Row(refused: [.leasing, .writing, .reading], state: .failing, told: "let Larder read:"),
        Row(reason: "lost", refused: [.writing], state: .failing, told: "lost"),
    ]

    @Test(arguments: rows) private func stateOfTheSharedLevelFollowsHealthAndRefusals(_ row: Row) throws {
        var health = RedisHealth()
        (health.reason, health.isBackingOff, health.wasReached) = (row.reason, row.isBackingOff, row.wasReached)
        (health.version, health.failures) = ("7.2", 3)
        var refusals = ServerRefusals()
        for purpose in row.refused {
            refusals.note([.error(code: "NOPERM", message: "NOPERM no")], of: purpose, at: clock.now())
        }
        var shared = SharedStatistics(url: "redis://cache", mode: .readwrite, namespace: "ci")
        shared.note(health, refusals)
        #expect(shared.state == row.state && shared.isRead == row.isRead)
        #expect(row.told.map { shared.reason?.contains($0) == true } ?? (shared.reason == nil))
        #expect((shared.writeRefusal != nil) == !Set(row.refused).isDisjoint(with: [.writing, .leasing]))
        if row.isOfWriting { #expect(shared.writeRefusal == shared.reason) }
        #expect(shared.version == "7.2" && shared.failures == 3)
    }

    @Test func sharedLevelReportsItsStatistics() async throws {
        #expect(try await machine.statistics()?.state == .connecting)
        var health = RedisHealth()
        (health.wasReached, health.version) = (true, "7.2")
        machine.server.health = health
        let statistics = try #require(try await machine.statistics())
        #expect(statistics.state == .ok && statistics.version == "7.2")
        #expect(statistics.url == "redis://cache" && statistics.mode == .readwrite && statistics.namespace == "ci")
    }

    @Test func sharedLevelProbeReportsWhetherReadsWork() async throws {
        #expect(await machine.level.probe()?.isRead == true)
        machine.server.answer { $0.words[0] == "MGET" ? .error(code: "NOPERM", message: "NOPERM no") : nil }
        let probed = await machine.level.probe()
        #expect(probed?.isRead == false && probed?.writeRefusal == nil && probed?.state == .failing)
    }

    @Test func sharedLevelProbeReportsWhetherWritesWork() async throws {
        #expect(await machine.level.probe()?.writeRefusal == nil)
        machine.server.refuseWrites("READONLY")
        #expect(await machine.level.probe()?.writeRefusal?.contains("replica") == true)
    }

    /// The callbacks of the connection do not retain the level.
    @Test func sharedLevelIsDeallocatedAfterUse() throws {
        weak var level: SharedDataSource?
        weak var server: RedisServerDouble?
        do {
            let machine = try SharedMachine(data, clock: clock)
            machine.server.start(after: nil)
            (level, server) = (machine.level, machine.server)
            #expect(level != nil && server != nil)
        }
        #expect(level == nil && server == nil)
    }

    /// Pending writes are sent before the level closes; later writes are not sent.
    @Test func closingTheSharedLevelSendsPendingWrites() async throws {
        let turn = await machine.level.take([.item(LocalEntries.key("1"))], isForced: false)
        var change = LocalEntries.change(LocalEntries.item("1"))
        change.ticket = turn.ticket
        machine.server.hold()
        machine.level.save(change)
        let end = Task { [level = machine.level] in await level.close() }
        machine.server.release()
        _ = await end.value
        #expect(data.bytes(SharedMachine.name("1").key) != nil)
        #expect(try await machine.state("1") == "absent")
    }

    /// A server that does not reply delays the shutdown of the level by at most a second.
    @Test func closingTheSharedLevelTakesAtMostASecond() async throws {
        let turn = await machine.level.take([.item(LocalEntries.key("1"))], isForced: false)
        var change = LocalEntries.change(LocalEntries.item("1"))
        change.ticket = turn.ticket
        machine.server.hold()
        machine.level.save(change)
        let end = Task { [level = machine.level] in await level.close() }
        await machine.timer.alarm(in: 1000)
        machine.timer.advance(milliseconds: 1000)
        _ = await end.value
    }
}
