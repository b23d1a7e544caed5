import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// Tests how items leave the synced sets of a cache file.
@Suite(.limited) struct SyncRemovalTests {
    typealias Entries = LocalEntries
    typealias Stage = SyncStoreStage

    let stage: SyncStoreStage
    var store: FileSyncStore { stage.store }

    init() throws { stage = try SyncStoreStage() }

    private func members() throws -> Int64 { try stage.connection().integer("SELECT count(*) FROM members") }

    // MARK: Absent items

    @Test func itemsNotFoundByASyncRunAreAbsent() async throws {
        try await stage.sync(ids: "1", "2", "3")
        let ticket = try await stage.reading(ids: "2", "4")
        #expect(try await stage.absent(ticket) == ["1", "3"])
        let first = try await store.absent(ticket, from: 1, before: stage.clock.now(), limit: 1)
        #expect(first.count == 2 && first.keys == [Entries.key("1")])
    }

    @Test func itemsFetchedDuringASyncRunAreNotAbsent() async throws {
        try await stage.sync([Entries.item("1", at: 1000), Entries.item("2", at: 2000)])
        let ticket = try await stage.reading()
        let expected: [(Int64, [String])] = [(1000, []), (1001, ["1"]), (2000, ["1"]), (2001, ["1", "2"])]
        for (start, ids) in expected {
            let absent = try await store.absent(ticket, from: 1, before: Timestamp(milliseconds: start), limit: 9)
            #expect(absent.count == ids.count && absent.keys.map(\.id) == ids, "\(start)")
        }
    }

    @Test func onlyCompleteSyncRunsShowThatAnItemIsAbsent() async throws {
        try await stage.sync(ids: "1", "2")
        let second = try await stage.reading(ids: "1")
        #expect(try await stage.absent(second, from: 2) == [])
        // A run that may lack items does not count.
        _ = try await store.end(second, syncedAt: stage.clock.now(), isWhole: false, isHeld: false, continues: false)
        let third = try await stage.reading(ids: "1")
        #expect(try await stage.absent(third, from: 2) == [])
        _ = try await store.end(third, syncedAt: stage.clock.now(), isWhole: true, isHeld: false, continues: false)
        let fourth = try await stage.reading(ids: "1")
        #expect(try await stage.absent(fourth, from: 2) == ["2"])
    }

    @Test func itemFoundAgainByASyncRunIsNoLongerAbsent() async throws {
        try await stage.sync(ids: "1", "2")
        try await stage.sync(ids: "1")
        try await stage.sync(ids: "1", "2")
        let ticket = try await stage.reading(ids: "1")
        #expect(try await stage.absent(ticket, from: 1) == ["2"])
        #expect(try await stage.absent(ticket, from: 2) == [])
    }

    @Test func absentItemsCanBeMarkedAsStale() async throws {
        try await stage.sync([Entries.item("1"), Entries.item("2"), Entries.item("3", at: 5000)])
        stage.source.save(Entries.change(Entries.item("4")))
        let ticket = try await stage.reading(ids: "1")
        try await store.invalidateAbsent(ticket, before: Timestamp(milliseconds: 5000))
        let items = try await stage.source.read(["1", "2", "3", "4"].map { Entries.key($0) })
        #expect(items.map { $0?.isInvalidated } == [false, true, false, false])
        #expect(try await stage.state()?.items == 3)
        try await store.invalidateAbsent(ticket, before: Timestamp(milliseconds: 5000))
        #expect(try await stage.source.read(Entries.key("2"))?.isInvalidated == true)
        #expect(await stage.source.statistics().damaged == 0)
    }

    // MARK: Removals by a run

    @Test func removalDeletesAnItemFromEveryLocalCopyOfItsResource() async throws {
        let others = [
            SyncSet(resource: Entries.otherCharacter, list: "{}"), SyncSet(resource: Entries.location, list: "{}"),
        ]
        let partial = SyncSet(resource: Entries.character, list: #"{"name":"morty"}"#)
        for set in others { try await stage.sync([Entries.item("1", of: set.resource)], set) }
        try await stage.sync(ids: "1", "2", in: Stage.filtered)
        try await stage.sync([Entries.item("1", isPartial: true)], partial)
        try await stage.sync(ids: "1", "2", "3")
        let ticket = try await stage.begin()
        let keys = [Entries.key("1"), Entries.key("9")]
        #expect(try await store.remove(keys, ticket, before: stage.later, deletes: true) == [Entries.key("1")])
        let states = try await store.states()
        #expect(states.map(\.items) == [1, 1, 1, 0, 2])
        #expect(states.allSatisfy { !$0.isPartial }, "the lists no longer have the item")
        for isPartial in [true, false] {
            #expect(try await stage.source.read(Entries.key("1", isPartial: isPartial)) == nil)
        }
        #expect(try await stage.source.read(Entries.key("2")) != nil)
        for set in others { #expect(try await stage.source.read(Entries.key("1", of: set.resource)) != nil) }
        #expect(try members() == 5)
    }

    @Test func itemOfTheCurrentRunIsNotRemoved() async throws {
        try await stage.sync(ids: "1", "2")
        let (ticket, keys) = (try await stage.reading(ids: "1"), [Entries.key("1"), Entries.key("2")])
        let start = Timestamp(milliseconds: 1000)
        #expect(try await store.remove(keys, ticket, before: start, deletes: true) == [], "they are not older")
        let later = Timestamp(milliseconds: 1001)
        #expect(try await store.remove(keys, ticket, before: later, deletes: true) == [Entries.key("2")])
    }

    @Test func itemCanBeRemovedFromOneLocalCopyOnly() async throws {
        try await stage.sync(ids: "1", "2", in: Stage.filtered)
        try await stage.sync(ids: "1", "2")
        let ticket = try await stage.begin(Stage.filtered)
        let key = Entries.key("1")
        let earlier = Timestamp(milliseconds: 0)
        #expect(try await store.remove([key], ticket, before: earlier, deletes: true) == [], "it was fetched later")
        #expect(try await store.remove([key], ticket, before: stage.later, deletes: false) == [key])
        #expect(try await store.remove([key], ticket, before: stage.later, deletes: false) == [], "it has left")
        #expect(try await stage.source.read(Entries.key("1"))?.isInvalidated == true)
        #expect(await stage.source.statistics().damaged == 0)
        #expect(try await stage.state(Stage.filtered)?.items == 1)
        let state = try #require(try await stage.state())
        #expect(state.items == 2 && !state.isPartial)
    }

    // MARK: Removals by other means

    @Test func localCopyIsPartialFromTheRemovalOfAnItemUntilTheNextSync() async throws {
        try await stage.sync(ids: "1", "2")
        stage.source.remove(Entries.key("1", isPartial: true))
        await stage.source.flush()
        #expect(try await stage.state()?.isPartial == false)
        stage.source.remove(Entries.key("1"))
        await stage.source.flush()
        var state = try #require(try await stage.state())
        #expect(state.isPartial && state.items == 1)
        #expect(try members() == 1)
        state = try await stage.sync(ids: "1", "2")
        #expect(!state.isPartial && state.items == 2)
        #expect(try await stage.state() == state)
    }

    @Test func failedSyncRunLeavesALocalCopyPartial() async throws {
        try await stage.sync(ids: "1", "2")
        stage.source.remove(Entries.key("1"))
        let ticket = try await stage.reading()
        #expect(try await stage.state()?.isPartial == true)
        let state = try await store.end(ticket, syncedAt: nil, isWhole: false, isHeld: false, continues: true)
        #expect(state?.isPartial == true)
        #expect(try await stage.sync(ids: "1", "2").isPartial == false)
    }

    @Test func localCopyIsPartialIfAnItemIsRemovedDuringTheSyncRun() async throws {
        try await stage.sync(ids: "1", "2")
        stage.source.remove(Entries.key("1"))
        let ticket = try await stage.reading(ids: "1", "2")
        stage.source.remove(Entries.key("2"))
        await stage.source.flush()
        let state = try await store.end(
            ticket, syncedAt: stage.clock.now(), isWhole: true, isHeld: false, continues: false)
        #expect(state?.isPartial == true && state?.items == 1)
        #expect(try await stage.sync(ids: "1", "2").isPartial == false)
    }

    @Test func localCopyIsPartialOnlyIfItIsLargerThanTheCacheFile() async throws {
        let stage = try SyncStoreStage(limit: 1 << 20)
        let json = #"{"a":"\#(String(repeating: "xx ", count: 1400))"}"#
        try await stage.sync((1...50).map { Entries.item("\($0)", json: json) })
        for id in 100..<500 {
            stage.clock.advance(milliseconds: 10)
            stage.source.save(Entries.change(Entries.item("\(id)", json: json)))
            if id % 20 == 0 { await stage.source.flush() }
        }
        await stage.source.flush()
        // Other items were evicted instead.
        let kept = try #require(try await stage.state())
        #expect(!kept.isPartial && kept.items == 50)
        #expect(try stage.connection().integer("SELECT count(*) FROM items") < 400)
        try await stage.sync((1...400).map { Entries.item("\($0)", json: json) })
        let state = try #require(try await stage.state())
        #expect(state.isPartial && state.items < 400)
        #expect(try stage.connection().integer("SELECT count(*) FROM members") == Int64(state.items))
    }

    @Test func itemThatReusesTheRowNumberOfARemovedItemIsNotInTheLocalCopy() async throws {
        try await stage.sync(ids: "1", "2")
        let number = try stage.connection().integer("SELECT key FROM items WHERE id = '2'")
        stage.source.remove(Entries.key("2"))
        stage.source.save(Entries.change(Entries.item("3")))
        await stage.source.flush()
        #expect(try stage.connection().integer("SELECT key FROM items WHERE id = '3'") == number)
        let ticket = try await stage.begin()
        #expect(try await stage.absent(ticket) == ["1"])
        #expect(try await stage.store([Entries.item("3")], ticket).added == [Entries.key("3")])
    }

    private static let scoped = ResourceKey(name: #"character{"owner":"x"}"#, fingerprint: .init(high: 3, low: 4))

    @Test(
        arguments: [
            (CacheSelection(), [] as [String]), (CacheSelection(resource: "character"), ["location"]),
            (CacheSelection(resource: "location"), ["character", "character", scoped.name]),
            (
                CacheSelection(resource: "character", scope: ScopeNarrowing([("owner", "x")])),
                ["character", "character", "location"]
            ),
        ])
    func removalOfAllEntriesOfAResourceDeletesItsLocalCopies(selection: CacheSelection, names: [String]) async throws {
        for resource in [Entries.character, Entries.otherCharacter, Self.scoped, Entries.location] {
            try await stage.sync([Entries.item("1", of: resource)], SyncSet(resource: resource, list: "{}"))
        }
        let ticket = try await stage.begin()
        _ = try await stage.source.remove(selection)
        let states = try await store.states()
        #expect(states.map(\.set.resource.name) == names)
        #expect(states.allSatisfy { $0.items == 1 && !$0.isPartial })
        #expect(try members() == Int64(names.count))
        let isForgotten = !names.contains("character")
        #expect((try await store.store(stage.part([]), ticket) == nil) == isForgotten)
    }

    @Test(
        arguments: [
            (CacheSelection(resource: "character", ids: ["1"]), true),
            (CacheSelection(ids: ["9"]), false), (CacheSelection(pages: .all), false),
            (CacheSelection(resource: "character", pages: .list("{}")), false),
            (CacheSelection(fetchedBefore: Timestamp(milliseconds: 1001)), true),
            (CacheSelection(fetchedBefore: Timestamp(milliseconds: 1000)), false),
        ])
    func removalOfSomeEntriesOfAResourceKeepsItsLocalCopies(selection: CacheSelection, isPartial: Bool) async throws {
        try await stage.sync([Entries.item("1"), Entries.item("2", at: 2000)])
        _ = try await stage.source.remove(selection)
        let state = try #require(try await stage.state())
        #expect(state.isPartial == isPartial && state.items == (isPartial ? 1 : 2))
    }
}
