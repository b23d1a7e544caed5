import System
import TestSupport
import Testing

@testable import DataSources

/// What a machine has removed, while the server does not know of it, and when it comes to know.
@Suite(.limited) struct SharedRemovalsTests {
    private let clock = ClockMock()
    private let data: RedisData
    private let other: SharedMachine

    init() throws {
        data = RedisData(clock: clock)
        other = try SharedMachine(data, clock: clock)
    }

    private static let one = CacheSelection(resource: "character", ids: ["1"])
    private static let all = CacheSelection(resource: "character")

    /// What a machine says of two items after this.
    private static let selections: [(CacheSelection, isRemoval: Bool, states: [String])] = [
        (one, true, ["absent", "fresh"]), (one, false, ["stale", "fresh"]), (all, true, ["absent", "absent"]),
        (all, false, ["stale", "stale"]), (CacheSelection(), true, ["absent", "absent"]),
        (CacheSelection(resource: "location"), true, ["fresh", "fresh"]),
        (CacheSelection(fetchedBefore: Timestamp(milliseconds: 5)), true, ["absent", "absent"]),
    ]

    /// It is so, whether it may not write or is not let.
    @Test(arguments: selections, [SharedMode.read, .readwrite])
    private func theyOutrankOlderValues(
        _ removal: (CacheSelection, isRemoval: Bool, states: [String]), _ mode: SharedMode
    ) async throws {
        let one = try SharedMachine(data, clock: clock, mode: mode)
        await other.store(["1", "2"].map { LocalEntries.item($0, at: clock.now().milliseconds) })
        one.server.refuseWrites("READONLY")
        _ = try await removal.isRemoval ? one.level.remove(removal.0) : one.level.invalidate(removal.0)
        #expect(try await [one.state("1"), one.state("2")] == removal.states)
        #expect(try await [other.state("1"), other.state("2")] == ["fresh", "fresh"])
        clock.advance(milliseconds: 1)
        await other.store(["1", "2"].map { LocalEntries.item($0, at: clock.now().milliseconds) })
        #expect(try await [one.state("1"), one.state("2")] == ["fresh", "fresh"], "they came after it")
    }

    @Test(arguments: [one, all], [true, false])
    func theyAreDoneWhenTheServerIsReached(selection: CacheSelection, isRemoval: Bool) async throws {
        let one = try SharedMachine(data, clock: clock)
        await other.store([LocalEntries.item("1")])
        await one.level.start()
        one.server.lose()
        _ = try await isRemoval ? one.level.remove(selection) : one.level.invalidate(selection)
        #expect(try await other.state("1") == "fresh")
        #expect(one.index.removals != nil, "the next process would know")
        let before = one.server.commands.count
        one.server.find()
        #expect(one.server.verbs[before...].allSatisfy { ["removeEntry", "markStale", "renewMarks"].contains($0) })
        #expect(try await other.state("1") == (isRemoval ? "absent" : "stale"))
        #expect(one.index.removals == nil)
        let after = one.server.commands.count
        one.server.lose()
        one.server.find()
        #expect(one.server.commands.count == after, "they are done once")
    }

    @Test func whatIsRefusedIsOwedStill() async throws {
        let one = try SharedMachine(data, clock: clock)
        await other.store([LocalEntries.item("1")])
        one.server.refuseWrites("OOM")
        _ = try await one.level.remove(Self.all)
        #expect(one.index.removals != nil)
        one.server.answer { _ in nil }
        _ = try await one.level.invalidate(CacheSelection(resource: "character", ids: ["9"]))
        #expect(try await other.state("1") == "absent")
        #expect(one.index.removals == nil)
    }

    /// Each process has a note of its own, so that none is lost where two owe something.
    @Test func twoProcessesOfOneMachineLoseNothing() async throws {
        await other.store([LocalEntries.item("1"), LocalEntries.item("2")])
        let first = try SharedMachine(data, clock: clock)
        let second = try SharedMachine(data, clock: clock, index: first.index)
        // It has taken over what others owed when it began: what the first one owes is the first one's.
        await second.level.start()
        first.server.lose()
        second.server.lose()
        _ = try await first.level.remove(CacheSelection(resource: "character", ids: ["1"]))
        _ = try await second.level.remove(CacheSelection(resource: "character", ids: ["2"]))
        let third = try SharedMachine(data, clock: clock, index: first.index)
        await third.level.start()
        #expect(try await other.state("1") == "absent")
        #expect(try await other.state("2") == "absent")
        #expect(third.index.removals == nil)
    }

    /// An absence that could not be told is known here all the same.
    @Test(arguments: [SharedMode.read, .readwrite]) func anAbsenceOutranksWhatIsThere(mode: SharedMode) async throws {
        await other.store([LocalEntries.item("1")])
        let one = try SharedMachine(data, clock: clock, mode: mode)
        await one.level.start()
        one.server.lose()
        one.level.removeItem(LocalEntries.key("1"))
        #expect(one.index.removals != nil)
        one.server.find()
        #expect(try await one.state("1") == "absent")
    }

    /// Before anything is read over the first connection, the server hears of them.
    @Test func theNextProcessKnowsThem() async throws {
        await other.store([LocalEntries.item("1")])
        let first = try SharedMachine(data, clock: clock)
        first.server.lose()
        _ = try await first.level.remove(Self.all)
        let second = try SharedMachine(data, clock: clock, index: first.index)
        await second.level.start()
        #expect(second.server.verbs.first == "renewMarks")
        #expect(try await other.state("1") == "absent")
        #expect(second.index.removals == nil)
    }

    @Test func theNextProcessThatOnlyReadsKnowsThem() async throws {
        await other.store([LocalEntries.item("1")])
        let first = try SharedMachine(data, clock: clock, mode: .read)
        _ = try await first.level.invalidate(Self.one)
        let second = try SharedMachine(data, clock: clock, mode: .read, index: first.index)
        await second.level.start()
        #expect(try await second.state("1") == "stale")
        #expect(second.index.removals != nil)
    }

    @Test func aMachineThatOnlyReadsWritesNothing() async throws {
        await other.store([LocalEntries.item("1")])
        let reader = try SharedMachine(data, clock: clock, mode: .read)
        let turn = await reader.level.take([.item(LocalEntries.key("1"))], isForced: false)
        #expect(turn.own == [.item(LocalEntries.key("1"))] && turn.ticket == nil)
        var change = LocalEntries.change(LocalEntries.item("1", at: 5000))
        change.ticket = FetchTicket(
            marks: SharedMarks(data.bytes(SharedMachine.marks.key) ?? []), askedAt: clock.now())
        reader.level.save(change)
        _ = try await reader.level.remove(CacheSelection(resource: "character", ids: ["2"]))
        _ = try await reader.level.invalidate(CacheSelection(resource: "character", ids: ["3"]))
        reader.level.markStale(items: [LocalEntries.key("4")], pages: [LocalEntries.pageKey(1)])
        reader.level.removeItem(LocalEntries.key("5"))
        _ = await reader.level.probe()
        let budget = reader.level.budget([1])
        #expect(await budget.take(.init(requests: 1, per: 1000), within: 1000) == nil)
        turn.end()
        reader.server.lose()
        reader.server.find()
        #expect(try await reader.state("1") == "fresh")
        #expect(Set(reader.server.verbs).isSubset(of: ["MGET", "PING", "XRANGE", "XREVRANGE", "XREAD"]))
        #expect(try await other.level.item(LocalEntries.key("1")) == LocalEntries.item("1"))
    }

    /// What the API has no longer, and what is known to be out of date, is not taken from the level again.
    @Test func singleEntriesOutrankToo() async throws {
        await other.store(["1", "2"].map { LocalEntries.item($0) })
        let reader = try SharedMachine(data, clock: clock, mode: .read)
        reader.level.removeItem(LocalEntries.key("1"))
        reader.level.markStale(items: [LocalEntries.key("2")], pages: [])
        #expect(try await [reader.state("1"), reader.state("2")] == ["absent", "stale"])
        let writer = try SharedMachine(data, clock: clock)
        writer.level.markStale(items: [LocalEntries.key("2")], pages: [])
        #expect(try await other.state("2") == "stale")
    }
}
