import DataSources
import Model
import System
import TestSupport
import Testing

/// Tests that every implementation of `LocalDataSourceContract` must pass.
@Suite(.limited) struct LocalDataSourceContractTests {
    enum Subject: CaseIterable {
        case memory
        case entity

        func make(in folder: TemporaryDirectory) -> any LocalDataSourceContract {
            switch self {
            case .memory: MemoryDataSource(limit: 1 << 20)
            case .entity:
                EntityDataSource(path: folder.file("cache.sqlite"), limit: 1 << 20, clock: ClockMock()) { _ in }
            }
        }
    }

    typealias Entries = LocalEntries

    let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    @Test(arguments: Subject.allCases) func emptyCacheLevelReturnsNothing(_ subject: Subject) async throws {
        let source = subject.make(in: folder)
        #expect(try await source.read(Entries.key("1")) == nil)
        #expect(try await source.read([Entries.key("1"), Entries.key("2")]) == [nil, nil])
        #expect(try await source.read([ItemKey]()) == [])
        #expect(try await source.read(Entries.pageKey(1)) == nil)
        #expect(try await source.remove(CacheSelection()) == 0)
        #expect(try await source.invalidate(CacheSelection()) == 0)
    }

    @Test(arguments: Subject.allCases) func savedItemIsReturnedUnchanged(_ subject: Subject) async throws {
        let source = subject.make(in: folder)
        var stale = Entries.item("2", json: "", at: -5)
        stale.isInvalidated = true
        source.save(Entries.change(Entries.item("1", json: "{\"a\":\"\u{0}é\u{1F680}\"}"), stale))
        #expect(try await source.read(Entries.key("1")) == Entries.item("1", json: "{\"a\":\"\u{0}é\u{1F680}\"}"))
        #expect(try await source.read(Entries.key("2")) == stale)
    }

    @Test(arguments: Subject.allCases) func savedValidatorsAreReturnedUnchanged(_ subject: Subject) async throws {
        let source = subject.make(in: folder)
        let validators = [
            Validators(etag: "W/\"1\"", lastModified: nil), Validators(etag: nil, lastModified: "Sat, 31 Jan 2026"),
            Validators(etag: "", lastModified: "x"),
        ]
        for (number, validators) in validators.enumerated() {
            let item = ItemEntity(
                key: Entries.key("1"), json: [], fetchedAt: Timestamp(milliseconds: 0), validators: validators)
            let page = PageEntity(
                key: Entries.pageKey(1), ids: ["1"], info: [], fetchedAt: Timestamp(milliseconds: 0),
                count: number * 1000, validators: validators)
            source.save(LocalChange(items: [item], page: page))
            #expect(try await source.read(page.key) == StoredPage(page: page, items: [item]))
        }
        source.save(LocalChange(items: [Entries.item("1")], page: Entries.page(1, ["1"])))
        let plain = StoredPage(page: Entries.page(1, ["1"]), items: [Entries.item("1")])
        #expect(try await source.read(Entries.pageKey(1)) == plain)
    }

    @Test(arguments: Subject.allCases) func savedEntryReplacesTheEarlierEntry(_ subject: Subject) async throws {
        let source = subject.make(in: folder)
        var old = Entries.item("1", json: "\"old\"")
        old.isInvalidated = true
        source.save(LocalChange(items: [old], page: Entries.page(1, ["1"])))
        let new = Entries.item("1", json: "\"new and longer\"", at: 2000)
        source.save(LocalChange(items: [new], page: Entries.page(1, ["1", "1"], at: 3000)))
        #expect(try await source.read(Entries.key("1")) == new)
        let expected = StoredPage(page: Entries.page(1, ["1", "1"], at: 3000), items: [new, new])
        #expect(try await source.read(Entries.pageKey(1)) == expected)
        #expect(await source.statistics().entries == 2)
    }

    @Test(arguments: Subject.allCases) func similarKeysHaveSeparateEntries(_ subject: Subject) async throws {
        let source = subject.make(in: folder)
        let items = [
            Entries.item("1"), Entries.item("1", isPartial: true, json: "2"),
            Entries.item("1", of: Entries.otherCharacter, json: "3"),
            Entries.item("1", of: Entries.location, json: "4"),
            Entries.item("01", json: "5"), Entries.item("", json: "6"), Entries.item("a\u{0}b", json: "7"),
            Entries.item("a", json: "8"), Entries.item("é", json: "9"), Entries.item("e\u{301}", json: "10"),
            Entries.item("an id of more than fifteen bytes", json: "11"),
        ]
        source.save(LocalChange(items: items))
        #expect(try await source.read(items.map(\.key)) == items)
        for item in items { #expect(try await source.read(item.key) == item) }
        #expect(try await source.read(Entries.key("A")) == nil)
    }

    @Test(arguments: Subject.allCases) func itemsAreReturnedInRequestedOrder(_ subject: Subject) async throws {
        let source = subject.make(in: folder)
        source.save(Entries.change(Entries.item("1"), Entries.item("2"), Entries.item("3")))
        let found = try await source.read(["3", "9", "1", "3"].map { Entries.key($0) })
        #expect(found == [Entries.item("3"), nil, Entries.item("1"), Entries.item("3")])
    }

    @Test(arguments: Subject.allCases) func pagesAreReturnedInRequestedOrder(_ subject: Subject) async throws {
        let source = subject.make(in: folder)
        let items = ["1", "2"].map { Entries.item($0) }
        for number in 1...2 {
            source.save(LocalChange(items: [items[number - 1]], page: Entries.page(number, ["\(number)"])))
        }
        let found = try await source.read([2, 9, 1].map { Entries.pageKey($0) })
        let expected = [2, 1].map { StoredPage(page: Entries.page($0, ["\($0)"]), items: [items[$0 - 1]]) }
        #expect(found == [expected[0], nil, expected[1]])
    }

    @Test(arguments: Subject.allCases) func pageIsAMissUnlessAllItemsAreStored(_ subject: Subject) async throws {
        let source = subject.make(in: folder)
        let page = Entries.page(1, ["2", "1"])
        source.save(LocalChange(items: [Entries.item("1"), Entries.item("2")], page: page))
        let stored = StoredPage(page: page, items: [Entries.item("2"), Entries.item("1")])
        #expect(try await source.read(page.key) == stored)
        source.remove(Entries.key("1"))
        #expect(try await source.read(page.key) == nil)
        source.save(Entries.change(Entries.item("1", isPartial: true)))
        #expect(try await source.read(page.key) == nil)
        source.save(Entries.change(Entries.item("1")))
        #expect(try await source.read(page.key) == stored)
    }

    @Test(arguments: Subject.allCases) func pageOfPartialItemsReturnsPartialItems(_ subject: Subject) async throws {
        let source = subject.make(in: folder)
        let page = Entries.page(1, ["1"], isPartial: true)
        source.save(LocalChange(items: [Entries.item("1", isPartial: true)], page: page))
        #expect(try await source.read(page.key)?.items == [Entries.item("1", isPartial: true)])
        #expect(try await source.read(Entries.key("1")) == nil)
    }

    @Test(arguments: Subject.allCases) func emptyPagesAndUnusualIDsAreStored(_ subject: Subject) async throws {
        let source = subject.make(in: folder)
        source.save(LocalChange(items: [], page: Entries.page(1, [])))
        #expect(try await source.read(Entries.pageKey(1)) == StoredPage(page: Entries.page(1, []), items: []))
        let ids = ["\"", "\\", "a,b", "\u{2028}\n", ""]
        let page = Entries.page(2, ids)
        source.save(LocalChange(items: ids.map { Entries.item($0) }, page: page))
        #expect(try await source.read(page.key)?.page == page)
    }

    @Test(arguments: Subject.allCases) func cacheChangesTakeEffectInOrder(_ subject: Subject) async throws {
        let source = subject.make(in: folder)
        for round in 0..<50 {
            source.save(Entries.change(Entries.item("1", json: "\(round)")))
            source.remove(Entries.key("1"))
            source.save(LocalChange(items: [Entries.item("2", json: "\(round)")], page: Entries.page(1, ["2"])))
            source.remove(Entries.pageKey(1))
            source.save(Entries.change(Entries.item("3", json: "\(round)")))
            #expect(try await source.read(Entries.key("1")) == nil)
            #expect(try await source.read(Entries.key("2"))?.json == Array("\(round)".utf8))
            #expect(try await source.read(Entries.pageKey(1)) == nil)
            #expect(try await source.read(Entries.key("3"))?.json == Array("\(round)".utf8))
        }
        source.remove(Entries.key("never there"))
        source.remove(Entries.pageKey(9, of: Entries.location))
        #expect(await source.statistics().entries == 2)
    }
}
