import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// Tests how the keys of read entries are collected.
@Suite(.limited) struct EntryUsageTests {
    typealias Entries = LocalEntries

    private static func same(_ left: UsedKeys, _ right: UsedKeys) -> Bool {
        Set(left.items) == Set(right.items) && left.items.count == right.items.count
            && Set(left.pages) == Set(right.pages) && left.pages.count == right.pages.count
    }

    private static func note(_ id: String, in notes: UsedKeyCollector) { notes.note(Entries.key(id), Entries.item(id)) }

    private static func note(_ page: PageEntity, in notes: UsedKeyCollector) {
        notes.note(page.key, StoredPage(page: page, items: page.ids.map { Entries.item($0) }))
    }

    @Test func keysOfReadEntriesAreReportedOnce() {
        let notes = UsedKeyCollector()
        #expect(notes.takeAll() == UsedKeys())
        Self.note("1", in: notes)
        Self.note("1", in: notes)
        Self.note(Entries.page(1, ["1", "2"]), in: notes)
        let expected = UsedKeys(items: [Entries.key("1"), Entries.key("2")], pages: [Entries.pageKey(1)])
        #expect(Self.same(notes.takeAll(), expected))
        #expect(notes.takeAll() == UsedKeys())
    }

    @Test func numberOfRecordedUsedKeysIsLimited() {
        let notes = UsedKeyCollector()
        for number in 0..<UsedKeyCollector.limit + 100 { Self.note(String(number), in: notes) }
        Self.note(Entries.page(1, []), in: notes)
        #expect(notes.takeAll().count == UsedKeyCollector.limit)
        Self.note("1", in: notes)
        #expect(notes.takeAll().count == 1)
    }

    @Test func memoryReturnsTheKeysReadSinceTheLastCall() {
        let memory = MemoryDataSource(limit: 1 << 20)
        memory.save(
            LocalChange(
                items: ["1", "2", "3", "4"].map { Entries.item($0) }, page: Entries.page(1, ["2", "3"])))
        #expect(memory.takeUsed() == UsedKeys())
        _ = memory.read(Entries.key("1"))
        _ = memory.read(Entries.key("nobody"))
        _ = memory.read(Entries.pageKey(1))
        let expected = UsedKeys(
            items: ["1", "2", "3"].map { Entries.key($0) }, pages: [Entries.pageKey(1)])
        #expect(Self.same(memory.takeUsed(), expected))
        #expect(memory.takeUsed() == UsedKeys())
        _ = memory.read([Entries.key("4")])
        memory.remove(Entries.key("4"))
        #expect(memory.takeUsed() == UsedKeys())
        // A new entry in the slot of a used entry does not count as used.
        memory.save(Entries.change(Entries.item("5")))
        #expect(memory.takeUsed() == UsedKeys())
        #expect(memory.wholeItems(of: SearchQuery(resource: Entries.character)).count == 4)
        #expect(memory.takeUsed() == UsedKeys())
    }
}
