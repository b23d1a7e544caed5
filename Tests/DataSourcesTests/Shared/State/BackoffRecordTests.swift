import System
import TestSupport
import Testing

@testable import DataSources
@testable import Redis

/// Tests how long later processes pause before they connect to a server that did not answer.
@Suite(.limited) struct BackoffRecordTests {
    private let clock = ClockMock()
    private let notes = CacheNotesDouble()

    private var note: BackoffRecord { BackoffRecord(notes, server: "redis://cache", clock: clock) }

    private static let silent = health(failures: 1, reason: "no connection within 100 ms")

    private static func health(failures: Int = 0, reason: String? = nil, wasReached: Bool = false) -> RedisHealth {
        var health = RedisHealth()
        (health.failures, health.reason, health.wasReached) = (failures, reason, wasReached)
        return health
    }

    @Test func pausesOfTheSharedLevelDoubleUpToTheMaximum() async {
        #expect(await note.current() == nil)
        for pause in [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000] {
            await note.update(Self.silent, attempts: 1)
            #expect(await note.current() == RedisBackoff(left: pause, reason: "no connection within 100 ms"))
            clock.advance(milliseconds: Int64(pause) - 1)
            #expect(await note.current()?.left == 1)
            clock.advance(milliseconds: 1)
            #expect(await note.current() == nil)
        }
    }

    @Test func backoffRecordIsRemovedOnceTheRedisServerIsReached() async {
        await note.update(Self.silent, attempts: 1)
        await note.update(Self.health(), attempts: 0)
        #expect(await note.current() != nil, "a process without attempts changes nothing")
        await note.update(Self.health(wasReached: true), attempts: 0)
        #expect(await note.current() == nil)
        await note.update(Self.health(failures: 3, reason: "lost", wasReached: true), attempts: 3)
        #expect(await note.current() == nil, "a server that was reached needs no pause")
        await note.update(Self.silent, attempts: 1)
        #expect(await note.current()?.left == 1000)
    }

    @Test func backoffRecordAppliesToItsServerOnly() async {
        await note.update(Self.silent, attempts: 1)
        #expect(await BackoffRecord(notes, server: "redis://another", clock: clock).current() == nil)
    }

    @Test(arguments: [
        "", "x", "1 2", "9000000000000000000 1000 x", "-5 1000 x", "-9223372036854775808 1000 x", "5 -1 x",
        "5 99999999999999999999 x",
    ])
    func invalidBackoffRecordIsIgnored(text: String) async {
        notes.keep(note: "rest redis://cache", text)
        #expect(await note.current() == nil)
    }

    /// The next process waits for the rest of the pause, but `larder doctor` connects immediately.
    @Test func nextProcessWaitsForTheRestOfThePause() async throws {
        let data = RedisData(clock: clock)
        let first = try SharedMachine(data, clock: clock, notes: notes)
        first.server.lose()
        await first.level.start()
        first.server.health = Self.silent
        await first.level.noteBackoff()
        let second = try SharedMachine(data, clock: clock, notes: notes)
        await second.level.start()
        #expect(second.server.rests.map { $0?.left } == [1000])
        second.server.health = Self.silent
        clock.advance(milliseconds: 500)
        await second.level.noteBackoff()
        let third = try SharedMachine(data, clock: clock, notes: notes)
        await third.level.start()
        #expect(third.server.rests.map { $0?.left } == [500], "a process without attempts does not extend the pause")
        let doctor = try SharedMachine(data, clock: clock, notes: notes)
        _ = await doctor.level.probe()
        #expect(doctor.server.rests == [nil])
    }
}
