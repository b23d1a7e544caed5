import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// Tests that entries from the file are promoted to memory, unless memory has newer data.
@Suite(.limited) struct PromotionTests {
    typealias Entries = LocalEntries

    private let memory = MemoryDataSource(limit: 1 << 20)

    @Test func entriesFromLowerLevelsAreCopiedToMemory() {
        let mark = memory.removals
        memory.save(Entries.change(Entries.item("2")))
        memory.promote(LocalChange(items: [Entries.item("1")], page: Entries.page(1, ["1", "2"])), since: mark)
        #expect(memory.read(Entries.pageKey(1))?.items.count == 2)
    }

    @Test func promotionDoesNotReplaceNewerEntries() {
        let newer = Entries.item("1", json: #"{"v":2}"#, at: 2000)
        memory.save(LocalChange(items: [newer], page: Entries.page(1, ["1"], at: 2000)))
        memory.promote(
            LocalChange(
                items: [Entries.item("1", json: #"{"v":1}"#, at: 1000)],
                page: Entries.page(1, [], at: 1000)), since: memory.removals)
        #expect(memory.read(Entries.pageKey(1))?.items == [newer])
    }

    /// A newer but stale entry in memory is replaced by an older fresh entry, but not by an older stale entry.
    @Test(arguments: [false, true]) func newerStaleEntriesAreReplacedByFreshEntries(isStaleToo: Bool) {
        memory.save(LocalChange(items: [Entries.item("1", at: 2000)], page: Entries.page(1, ["1"], at: 2000)))
        #expect(memory.invalidate(CacheSelection()) == 2)
        var (item, page) = (Entries.item("1", at: 1000), Entries.page(1, ["1"], at: 1000))
        item.isInvalidated = isStaleToo
        page.isInvalidated = isStaleToo
        memory.promote(LocalChange(items: [item], page: page), since: memory.removals)
        let now = memory.read(Entries.pageKey(1))
        #expect(now?.page.fetchedAt.milliseconds == (isStaleToo ? 2000 : 1000))
        #expect(now?.items.first?.fetchedAt.milliseconds == (isStaleToo ? 2000 : 1000))
        #expect(now?.page.isInvalidated == isStaleToo && now?.items.first?.isInvalidated == isStaleToo)
    }

    enum Removal: CaseIterable { case item, page, selection, invalidation }

    @Test(arguments: Removal.allCases) func noEntryIsPromotedAfterARemoval(removal: Removal) {
        let mark = memory.removals
        switch removal {
        case .item: memory.remove(Entries.key("9"))
        case .page: memory.remove(Entries.pageKey(9))
        case .selection: _ = memory.remove(CacheSelection(resource: "another"))
        case .invalidation: _ = memory.invalidate(CacheSelection())
        }
        memory.promote(Entries.change(Entries.item("1")), since: mark)
        #expect(memory.read(Entries.key("1")) == nil)
        memory.promote(Entries.change(Entries.item("1")), since: memory.removals)
        #expect(memory.read(Entries.key("1")) != nil)
    }

    @Test func singleItemIsPromotedToMemory() {
        memory.promote(Entries.item("1"), since: memory.removals)
        #expect(memory.read(Entries.key("1")) == Entries.item("1"))
    }

    @Test func singleItemIsNotPromotedAfterARemoval() {
        let removals = memory.removals
        memory.remove(Entries.key("9"))
        memory.promote(Entries.item("1"), since: removals)
        #expect(memory.read(Entries.key("1")) == nil)
    }

    @Test func singleItemDoesNotReplaceANewerItem() {
        let newer = Entries.item("1", json: #"{"v":2}"#, at: 2000)
        memory.save(Entries.change(newer))
        memory.promote(Entries.item("1", json: #"{"v":1}"#, at: 1000), since: memory.removals)
        #expect(memory.read(Entries.key("1")) == newer)
    }

    @Test func removalOfAllEntriesIsCounted() {
        let mark = memory.removals
        _ = memory.remove(CacheSelection())
        #expect(memory.removals > mark)
    }
}
