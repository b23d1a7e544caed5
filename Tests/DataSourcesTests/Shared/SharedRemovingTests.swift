import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// Tests removals and invalidations as seen by the machine that makes them and by another machine.
@Suite(.limited) struct SharedRemovingTests {
    private let clock = ClockMock()
    private let data: RedisData
    private let one: SharedMachine
    private let other: SharedMachine

    init() throws {
        data = RedisData(clock: clock)
        one = try SharedMachine(data, clock: clock)
        other = try SharedMachine(data, clock: clock)
    }

    private static let item = CacheSelection(resource: "character", ids: ["1"])
    private static let all = CacheSelection(resource: "character")

    /// The states of two items after a removal or an invalidation.
    private static let selections: [(CacheSelection, isRemoval: Bool, states: [String])] = [
        (item, true, ["absent", "fresh"]), (item, false, ["stale", "fresh"]), (all, true, ["absent", "absent"]),
        (all, false, ["stale", "stale"]), (CacheSelection(), true, ["absent", "absent"]),
        (CacheSelection(resource: "location"), true, ["fresh", "fresh"]),
        (CacheSelection(fetchedBefore: Timestamp(milliseconds: 5)), true, ["absent", "absent"]),
        (CacheSelection(resource: "character", pages: .all), false, ["stale", "stale"]),
    ]

    private func apply(_ selection: CacheSelection, isRemoval: Bool, by machine: SharedMachine) async throws {
        _ = try await isRemoval ? machine.level.remove(selection) : machine.level.invalidate(selection)
    }

    private func storeTwo(by machine: SharedMachine) async {
        await machine.store(["1", "2"].map { LocalEntries.item($0, at: clock.now().milliseconds) })
    }

    @Test(arguments: selections)
    func removalReachesAllMachines(selection: CacheSelection, isRemoval: Bool, states: [String]) async throws {
        await storeTwo(by: other)
        try await apply(selection, isRemoval: isRemoval, by: one)
        for machine in [one, other] {
            #expect(try await [machine.state("1"), machine.state("2")] == states)
        }
        clock.advance(milliseconds: 1)
        await storeTwo(by: other)
        #expect(try await [one.state("1"), one.state("2")] == ["fresh", "fresh"], "fetched after the removal")
    }

    @Test func removalChangesOneGeneration() async throws {
        await one.store([LocalEntries.item("1")])
        func generations() throws -> [Substring] {
            try #require(data.text(SharedMachine.generations)).split(separator: " ")
        }
        let first = try generations()
        try await apply(Self.all, isRemoval: false, by: one)
        let second = try generations()
        #expect(second[0] == first[0] && second[1] != first[1])
        try await apply(Self.all, isRemoval: true, by: one)
        #expect(try generations()[0] != second[0])
        try await apply(Self.item, isRemoval: true, by: one)
        #expect(one.server.verbs.suffix(1) == ["storeTombstones"])
    }

    /// A tombstone outlives every fetch in flight. An invalidated value keeps its lifetime.
    @Test func tombstoneOutlivesTheLongestTimeout() async throws {
        let name = SharedMachine.name("1").key
        try await apply(Self.item, isRemoval: true, by: one)
        #expect(data.life(name) == 65_000)
        await one.store([LocalEntries.item("2", at: clock.now().milliseconds)])
        try await apply(CacheSelection(resource: "character", ids: ["3"]), isRemoval: false, by: one)
        #expect(data.life(SharedMachine.name("3").key) == 65_000, "no fetch stores it as fresh")
        let life = try #require(data.life(SharedMachine.name("2").key))
        try await apply(CacheSelection(resource: "character", ids: ["2"]), isRemoval: false, by: one)
        #expect(data.life(SharedMachine.name("2").key) == life)
    }

    @Test func sharedEntryInvalidatedTwiceKeepsItsValue() async throws {
        await storeTwo(by: one)
        for _ in 0..<2 {
            try await apply(Self.item, isRemoval: false, by: one)
            #expect(try await other.state("1") == "stale")
        }
        try await apply(Self.item, isRemoval: true, by: one)
        try await apply(Self.item, isRemoval: false, by: one)
        #expect(try await other.state("1") == "absent")
    }

    /// The partial form of an item is a separate entry with the same id.
    @Test func removalByIDIncludesThePartialItem() async throws {
        let items = [LocalEntries.item("1"), LocalEntries.item("1", isPartial: true)]
        await one.store(items)
        try await apply(Self.item, isRemoval: true, by: other)
        #expect(try await one.level.read(items.map(\.key)) == [nil, nil])
    }

    /// A script blocks the server while it runs.
    @Test func manyIDsAreRemovedInBatches() async throws {
        let selection = CacheSelection(resource: "character", ids: (0..<600).map { String($0) })
        try await apply(selection, isRemoval: true, by: one)
        #expect(one.server.count("storeTombstones") == 3)
    }

    // MARK: Unconfirmed removals

    private static let unconfirmed: [(CacheSelection, isRemoval: Bool)] = [
        (item, true), (item, false), (all, true), (all, false), (CacheSelection(), true),
    ]

    /// The machine does not use entries that it has removed. Other machines keep them.
    @Test(arguments: unconfirmed, [SharedMode.read, .readwrite])
    func unconfirmedRemovalMakesOlderValuesStale(
        _ removal: (selection: CacheSelection, isRemoval: Bool), _ mode: SharedMode
    ) async throws {
        let one = try SharedMachine(data, clock: clock, mode: mode)
        await storeTwo(by: other)
        one.server.refuseWrites("READONLY")
        try await apply(removal.selection, isRemoval: removal.isRemoval, by: one)
        #expect(try await [one.state("1"), one.state("2")] == ["stale", "stale"])
        #expect(try await [other.state("1"), other.state("2")] == ["fresh", "fresh"])
        clock.advance(milliseconds: 1)
        await storeTwo(by: other)
        #expect(try await [one.state("1"), one.state("2")] == ["fresh", "fresh"], "fetched after the removal")
    }

    @Test func removalIsUnconfirmedIfTheRedisServerIsUnreachable() async throws {
        await storeTwo(by: other)
        await one.level.start()
        one.server.lose()
        try await apply(Self.item, isRemoval: true, by: one)
        one.server.find()
        #expect(try await one.state("1") == "stale")
        #expect(one.server.count("storeTombstones") == 0, "unsent removals are not queued")
    }

    @Test func unconfirmedRemovalDoesNotAffectOtherResources() async throws {
        await storeTwo(by: other)
        one.server.refuseWrites("READONLY")
        try await apply(CacheSelection(resource: "location"), isRemoval: true, by: one)
        #expect(try await one.state("1") == "fresh")
    }

    // MARK: Entries that the API no longer has

    @Test func entryMissingInTheAPIIsRemoved() async throws {
        await one.store([LocalEntries.item("1")], page: LocalEntries.page(1, ["1"]))
        one.level.remove(LocalEntries.pageKey(1))
        #expect(try await other.level.read(LocalEntries.pageKey(1)) == nil)
        #expect(try await other.state("1") == "fresh")
        one.level.remove(LocalEntries.key("1"))
        #expect(try await other.state("1") == "absent")
        for machine in [one, other] {
            #expect(try await machine.statistics()?.rejected == 0, "a tombstone does not count as a forged value")
        }
    }

    @Test func sharedReadModeRemovesNoEntry() async throws {
        await storeTwo(by: other)
        let reader = try SharedMachine(data, clock: clock, mode: .read)
        reader.level.remove(LocalEntries.key("1"))
        #expect(try await other.state("1") == "fresh" && reader.server.count("storeTombstones") == 0)
    }
}
