import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// How it is known which entries are used.
@Suite(.limited) struct UsageTests {
    typealias Entries = LocalEntries

    private static func same(_ left: UsedKeys, _ right: UsedKeys) -> Bool {
        Set(left.items) == Set(right.items) && left.items.count == right.items.count
            && Set(left.pages) == Set(right.pages) && left.pages.count == right.pages.count
    }

    @Test func notesAreTakenOnce() {
        let notes = UsageNotes()
        #expect(notes.takeAll() == UsedKeys())
        notes.note(Entries.key("1"))
        notes.note(Entries.key("1"))
        notes.note(StoredPage(page: Entries.page(1, ["1", "2"]), items: [Entries.item("1"), Entries.item("2")]))
        let expected = UsedKeys(items: [Entries.key("1"), Entries.key("2")], pages: [Entries.pageKey(1)])
        #expect(Self.same(notes.takeAll(), expected))
        #expect(notes.takeAll() == UsedKeys())
    }

    @Test func notesAreBound() {
        let notes = UsageNotes()
        for number in 0..<UsageNotes.limit + 100 { notes.note(Entries.key(String(number))) }
        notes.note(StoredPage(page: Entries.page(1, []), items: []))
        #expect(notes.takeAll().count == UsageNotes.limit)
        notes.note(Entries.key("1"))
        #expect(notes.takeAll().count == 1)
    }

    @Test func memoryTellsWhatWasReadSinceItWasAsked() {
        let memory = MemoryDataSource(limit: 1 << 20)
        memory.save(
            LocalChange(
                items: ["1", "2", "3", "4"].map { Entries.item($0) }, page: Entries.page(1, ["2", "3"])))
        #expect(memory.takeUsed() == UsedKeys())
        _ = memory.item(Entries.key("1"))
        _ = memory.item(Entries.key("nobody"))
        _ = memory.page(Entries.pageKey(1))
        let expected = UsedKeys(
            items: ["1", "2", "3"].map { Entries.key($0) }, pages: [Entries.pageKey(1)])
        #expect(Self.same(memory.takeUsed(), expected))
        #expect(memory.takeUsed() == UsedKeys())
        _ = memory.items([Entries.key("4")])
        memory.removeItem(Entries.key("4"))
        #expect(memory.takeUsed() == UsedKeys())
        // What takes the place of an entry that was used has not been used itself.
        memory.save(Entries.change(Entries.item("5")))
        #expect(memory.takeUsed() == UsedKeys())
        #expect(memory.wholeItems(of: SearchQuery(resource: Entries.character)).count == 4)
        #expect(memory.takeUsed() == UsedKeys())
    }
}
