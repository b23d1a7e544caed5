import DataSources
import Model
import System
import TestSupport
import Testing

/// Tests of `remove` and `invalidate` with selections, for every implementation of `LocalDataSourceContract`.
@Suite(.limited) struct LocalSelectionTests {
    typealias Entries = LocalEntries
    typealias Subject = LocalDataSourceContractTests.Subject

    let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func filled(_ subject: Subject) -> any LocalDataSourceContract {
        let source = subject.make(in: folder)
        let items = [
            Entries.item("1"), Entries.item("1", isPartial: true), Entries.item("2", at: 2000),
            Entries.item("1", of: Entries.otherCharacter), Entries.item("1", of: Entries.location),
        ]
        source.save(LocalChange(items: items, page: Entries.page(1, ["1"])))
        source.save(LocalChange(items: [], page: Entries.page(2, ["2"], at: 2000)))
        source.save(LocalChange(items: [], page: Entries.page(1, ["1"], of: Entries.location)))
        return source
    }

    /// Selections, each with the number of matching entries among the eight stored entries.
    static let selections: [(CacheSelection, Int)] = [
        (CacheSelection(), 8),
        (CacheSelection(resource: "character"), 6),
        (CacheSelection(resource: "location"), 2),
        (CacheSelection(resource: "nothing"), 0),
        (CacheSelection(ids: ["1"]), 4),
        (CacheSelection(resource: "character", ids: ["1", "2", "1", "9"]), 4),
        (CacheSelection(ids: []), 0),
        (CacheSelection(pages: .all), 3),
        (CacheSelection(resource: "character", pages: .all), 2),
        (CacheSelection(resource: "character", pages: .list("{}")), 2),
        (CacheSelection(resource: "character", pages: .list(#"{"name":"x"}"#)), 0),
        (CacheSelection(pages: .all, fetchedBefore: Timestamp(milliseconds: 2000)), 2),
        (CacheSelection(fetchedBefore: Timestamp(milliseconds: 2000)), 6),
        (CacheSelection(fetchedBefore: Timestamp(milliseconds: 1000)), 0),
        (CacheSelection(resource: "character", fetchedBefore: Timestamp(milliseconds: 2000)), 4),
        (CacheSelection(resource: "character", ids: ["1", "2"], fetchedBefore: Timestamp(milliseconds: 2000)), 3),
    ]

    @Test(arguments: Subject.allCases, selections)
    func removalReturnsCountOfRemovedEntries(_ subject: Subject, _ selection: (CacheSelection, Int)) async throws {
        let source = filled(subject)
        #expect(await source.statistics().entries == 8)
        #expect(try await source.remove(selection.0) == selection.1)
        #expect(await source.statistics().entries == 8 - selection.1)
        #expect(try await source.remove(selection.0) == 0)
    }

    @Test(arguments: Subject.allCases, selections)
    func invalidationCountsEachEntryOnce(_ subject: Subject, _ selection: (CacheSelection, Int)) async throws {
        let source = filled(subject)
        #expect(try await source.invalidate(selection.0) == selection.1)
        #expect(try await source.invalidate(selection.0) == 0)
        #expect(await source.statistics().entries == 8)
        #expect(try await source.invalidate(CacheSelection()) == 8 - selection.1)
    }

    @Test(arguments: Subject.allCases) func onlySelectedEntriesAreRemoved(_ subject: Subject) async throws {
        let source = filled(subject)
        _ = try await source.remove(CacheSelection(resource: "character", ids: ["1"]))
        #expect(try await source.read(Entries.key("1")) == nil)
        #expect(try await source.read(Entries.key("1", isPartial: true)) == nil)
        #expect(try await source.read(Entries.key("1", of: Entries.otherCharacter)) == nil)
        #expect(try await source.read(Entries.key("1", of: Entries.location)) != nil)
        #expect(try await source.read(Entries.key("2")) != nil)
        #expect(try await source.read(Entries.pageKey(2)) != nil)
    }

    @Test(arguments: Subject.allCases) func onlySelectedEntriesBecomeStale(_ subject: Subject) async throws {
        let source = filled(subject)
        _ = try await source.invalidate(CacheSelection(resource: "character", ids: ["2"]))
        #expect(try await source.read(Entries.key("2"))?.isInvalidated == true)
        #expect(try await source.read(Entries.key("1"))?.isInvalidated == false)
        let page = try await source.read(Entries.pageKey(2))
        #expect(page?.page.isInvalidated == false)
        #expect(page?.items.first?.isInvalidated == true)
        _ = try await source.invalidate(CacheSelection(resource: "location"))
        #expect(try await source.read(Entries.pageKey(1, of: Entries.location))?.page.isInvalidated == true)
        source.save(Entries.change(Entries.item("2")))
        #expect(try await source.read(Entries.key("2"))?.isInvalidated == false)
    }

    @Test(arguments: Subject.allCases) func readOfACachedPageIsCountedOnce(_ subject: Subject) async throws {
        let source = filled(subject)
        _ = try await source.read(Entries.pageKey(1))
        _ = try await source.read(Entries.pageKey(9))
        _ = try await source.read(Entries.key("1"))
        _ = try await source.read(Entries.key("9"))
        _ = try await source.read([Entries.key("1"), Entries.key("2"), Entries.key("9")])
        source.remove(Entries.key("2"))
        _ = try await source.read(Entries.pageKey(2))
        let statistics = await source.statistics()
        #expect(statistics.hits == 4)
        #expect(statistics.misses == 4)
        #expect(statistics.entries == 7)
        #expect(statistics.limit == 1 << 20)
        #expect(statistics.bytes > 0)
        #expect(statistics.evictions == 0)
        #expect(statistics.state == .ok)
    }
}
