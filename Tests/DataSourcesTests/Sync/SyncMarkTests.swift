import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// Tests the marks of sets, and items that the API reports as deleted.
@Suite(.limited) struct SyncMarkTests {
    private typealias Entries = LocalEntries

    private static let mark = SyncMark(
        value: "2024-03-01T00:00:30Z", declaration: "abc", wholeAt: Timestamp(milliseconds: 1000), isComplete: true)

    private static func end(_ mark: SyncEnd.MarkChange = .keep, isHeld: Bool = false) -> SyncEnd {
        var end = SyncEnd()
        (end.mark, end.isHeld) = (mark, isHeld)
        return end
    }

    @Test func syncMarkIsStoredWithTheItems() async throws {
        let stage = try SyncStoreStage()
        let ticket = try await stage.begin()
        var part = stage.part([Entries.item("1")])
        part.mark = Self.mark
        #expect(try await stage.store.store(part, ticket)?.added.map(\.id) == ["1"])
        #expect(try await stage.state()?.mark == Self.mark)
        #expect(try await stage.anotherSource().syncStore(clock: stage.clock).states().first?.mark == Self.mark)
    }

    @Test(arguments: [true, false]) func endOfASyncRunSetsKeepsOrRemovesTheMark(isHeld: Bool) async throws {
        let stage = try SyncStoreStage()
        for (change, expected) in [
            (.set(Self.mark), Self.mark), (.keep, Self.mark), (.remove, nil), (.keep, nil),
        ] as [(SyncEnd.MarkChange, SyncMark?)] {
            let state = try await stage.store.end(try await stage.begin(), Self.end(change, isHeld: isHeld))
            #expect(state?.mark == expected && state?.isHeld == isHeld)
            #expect(try await stage.state() == state)
        }
    }

    @Test func damagedSyncMarkIsNotUsed() async throws {
        let stage = try SyncStoreStage()
        _ = try await stage.store.end(try await stage.begin(), Self.end(.set(Self.mark)))
        try stage.connection().execute("UPDATE syncs SET mark = replace(mark, '2024', '2025')")
        let state = try #require(await stage.state())
        #expect(state.mark == nil && state.isPartial)
    }

    @Test func storedSyncPositionHasItsMarkAndDeclaration() async throws {
        let stage = try SyncStoreStage()
        let ticket = try await stage.begin()
        var position = SyncPosition(page: .opaque("c"), start: stage.clock.now())
        (position.mark, position.declaration) = ("18", "abc")
        position.totals.omitsElements = true
        let part = SyncedPart(items: [], position: position)
        _ = try await stage.store.store(part, ticket)
        #expect(try await stage.state()?.position == position)
    }

    @Test func itemDeletedInTheAPIIsRemovedFromEveryLocalCopyAndTheCache() async throws {
        let stage = try SyncStoreStage()
        try await stage.sync(ids: "1", "2")
        try await stage.sync(ids: "1", in: SyncStoreStage.filtered)
        let ticket = try await stage.begin()
        var part = stage.part([Entries.item("3")])
        part.removed = ["1", "9"].map { Entries.key($0) }
        let changes = try #require(await stage.store.store(part, ticket))
        #expect(changes.removed.map(\.id) == ["1"] && changes.deleted.map(\.id) == ["1"])
        _ = try await stage.store.end(ticket, Self.end())
        #expect(try await stage.source.read(Entries.key("1")) == nil)
        let (list, filtered) = (try await stage.state(), try await stage.state(SyncStoreStage.filtered))
        #expect(list?.items == 2 && list?.isPartial == false)
        #expect(filtered?.items == 0 && filtered?.isPartial == false)
    }

    @Test func itemDeletedInTheAPIIsRemovedFromTheCacheEvenIfNotInTheCopy() async throws {
        let stage = try SyncStoreStage()
        try await stage.sync(ids: "1")
        stage.source.save(LocalChange(items: [Entries.item("2")]))
        let ticket = try await stage.begin()
        var part = stage.part([])
        part.removed = [Entries.key("2")]
        let changes = try #require(await stage.store.store(part, ticket))
        #expect(changes.removed.isEmpty && changes.deleted.map(\.id) == ["2"])
        #expect(try await stage.source.read(Entries.key("2")) == nil)
    }
}
