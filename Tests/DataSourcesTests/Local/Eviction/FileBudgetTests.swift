import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// Tests that the least recently used entries are removed from the cache file.
@Suite(.limited) struct FileBudgetTests {
    typealias Entries = LocalEntries

    private static let limit = 1 << 20
    /// The number of bytes that remain for the cache file, without its write-ahead log.
    private static let room = limit - 65_536

    private let folder: TemporaryDirectory
    private let store: EntityStore
    private let json = String(repeating: "x", count: 1000)

    init() throws {
        folder = try TemporaryDirectory()
        store = try SearchedFile(folder).store
    }

    private func save(_ ids: Range<Int>, at now: Int64, page: Int? = nil) throws {
        let items = ids.map { Entries.item(String($0), json: json) }
        let page = page.map { Entries.page($0, ids.map(String.init)) }
        try store.apply([.save(LocalChange(items: items, page: page))], now: Timestamp(milliseconds: now))
    }

    private func fill(_ ids: Range<Int>) throws {
        for id in stride(from: ids.lowerBound, to: ids.upperBound, by: 50) {
            try save(id..<min(id + 50, ids.upperBound), at: Int64(id))
        }
    }

    private func isKept(_ id: Int) throws -> Bool { try store.item(Entries.key(String(id))) != nil }

    private func indexes() throws -> Int {
        Int(try store.connection.integer("SELECT count(*) FROM sqlite_schema WHERE name LIKE '%\\_used' ESCAPE '\\'"))
    }

    @Test func nothingIsEvictedWithinTheSizeLimit() throws {
        try fill(0..<200)
        let budget = FileBudget(store, limit: Self.limit)
        #expect(try !budget.isExceeded())
        #expect(try !budget.isHalfFull())
        try fill(200..<600)
        #expect(try budget.isHalfFull())
        #expect(try !budget.isExceeded())
        #expect(try indexes() == 0)
    }

    @Test func leastRecentlyUsedItemsAreRemoved() throws {
        try fill(0..<1500)
        let budget = FileBudget(store, limit: Self.limit)
        #expect(try budget.isExceeded())
        let dropped = try budget.enforce()
        #expect(try store.size() <= Self.room / 20 * 19)
        #expect(try store.size() > Self.room / 10 * 9)
        #expect(try store.count() == 1500 - dropped)
        #expect(dropped > 500)
        #expect(try indexes() == 2)
        // Items with the same time of use may be removed in any order. Items with different times must be removed in
        // the order of their times.
        let kept = try (0..<1500).filter { try isKept($0) }
        #expect(try #require(kept.first) / 50 >= (1500 - kept.count) / 50)
        #expect(kept.last == 1499)
    }

    @Test func recentlyUsedItemsAreNotEvicted() throws {
        try fill(0..<900)
        let used = UsedKeys(items: [Entries.key("3"), Entries.key("70"), Entries.key("never there")])
        try store.recordUse(used, at: Timestamp(milliseconds: 5000), since: Timestamp(milliseconds: 5000))
        try fill(900..<1500)
        _ = try FileBudget(store, limit: Self.limit).enforce()
        #expect(try isKept(3))
        #expect(try isKept(70))
        #expect(try !isKept(4))
        #expect(try !isKept(69))
    }

    /// Creates a local copy of a list that contains the given items.
    private func copy(_ ids: Range<Int>, at now: Int64) throws {
        let connection = store.connection
        try SyncSchema.prepare(connection)
        try connection.writing { () throws(SQLiteError) in
            let (table, time) = (SyncTable(store), Timestamp(milliseconds: now))
            let set = SyncSet(resource: Entries.character, list: "{}")
            guard let ticket = try table.begin(set, holder: 1, now: time) else { return }
            let items = ids.map { Entries.item(String($0), json: json) }
            _ = try table.store(SyncedPart(items: items, pages: []), ticket, now: time)
            var end = SyncEnd()
            (end.syncedAt, end.isWhole) = (time, true)
            _ = try table.end(ticket, end)
        }
    }

    @Test func itemsOfLocalCopiesAreRemovedLast() throws {
        try copy(0..<300, at: 0)
        try fill(1000..<2200)
        let budget = FileBudget(store, limit: Self.limit)
        let dropped = try budget.enforce()
        #expect(dropped > 400)
        #expect(try (0..<300).allSatisfy { try isKept($0) })
        #expect(try !isKept(1000) && isKept(2199))
        #expect(try store.connection.integer("SELECT partial FROM syncs") == 0)
    }

    @Test func itemsOfLocalCopiesAreRemovedIfNothingElseIsLeft() throws {
        try fill(5000..<5100)
        try copy(0..<1500, at: 6000)
        _ = try FileBudget(store, limit: Self.limit).enforce()
        #expect(try store.size() <= Self.room)
        #expect(try (5000..<5100).allSatisfy { try !isKept($0) })
        let kept = try (0..<1500).filter { try isKept($0) }
        #expect(kept.count > 400 && kept.count < 1500)
        #expect(try store.connection.integer("SELECT partial FROM syncs") == 1)
    }

    @Test func savingAnItemAgainCountsAsUse() throws {
        try fill(0..<900)
        try save(5..<6, at: 5000)
        try fill(900..<1500)
        _ = try FileBudget(store, limit: Self.limit).enforce()
        #expect(try isKept(5))
        #expect(try !isKept(6))
    }

    @Test func leastRecentlyUsedPagesAreRemoved() throws {
        for number in 0..<30 { try save(number * 50..<number * 50 + 50, at: Int64(number), page: number) }
        let used = UsedKeys(pages: [Entries.pageKey(1)])
        try store.recordUse(used, at: Timestamp(milliseconds: 100), since: Timestamp(milliseconds: 100))
        _ = try FileBudget(store, limit: Self.limit).enforce()
        let pages = try store.connection.integer("SELECT count(*) FROM pages")
        #expect(pages < 30)
        #expect(try store.connection.integer("SELECT count(*) FROM pages WHERE request = '{\"page\":0}'") == 0)
        // The page was used, but its items were not. Without its items the page is not a hit.
        #expect(try store.connection.integer("SELECT count(*) FROM pages WHERE request = '{\"page\":1}'") == 1)
        let view = EntityView(store: store, pending: PendingWrites(limit: 0))
        #expect(try view.page(Entries.pageKey(1)) == nil)
        #expect(try view.page(Entries.pageKey(29)) != nil)
    }

    @Test func fileWithPagesOnlyStaysWithinTheLimit() throws {
        for number in 0..<2000 {
            let page = PageEntity(
                key: Entries.pageKey(number), ids: [], info: Array(json.utf8), fetchedAt: Timestamp(milliseconds: 0))
            try store.apply([.save(LocalChange(items: [], page: page))], now: Timestamp(milliseconds: Int64(number)))
        }
        _ = try FileBudget(store, limit: Self.limit).enforce()
        #expect(try store.size() <= Self.room)
        #expect(try store.page(Entries.pageKey(1999)) != nil)
        #expect(try store.page(Entries.pageKey(0)) == nil)
    }

    @Test func onlyAsManyLargeEntriesAsNecessaryAreRemoved() throws {
        let large = String(repeating: "x", count: 100_000)
        for id in 0..<12 {
            try store.apply(
                [.save(Entries.change(Entries.item(String(id), json: large)))],
                now: Timestamp(milliseconds: Int64(id)))
        }
        #expect(try FileBudget(store, limit: Self.limit).enforce() == 4)
        #expect(try isKept(4))
    }

    @Test func lowerSizeLimitShrinksTheCacheFile() throws {
        try fill(0..<4000)
        try store.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        #expect(try folder.read("cache.sqlite").count > 4_000_000)
        _ = try FileBudget(store, limit: Self.limit).enforce()
        #expect(try folder.read("cache.sqlite").count <= Self.room)
        #expect(try store.connection.first("PRAGMA integrity_check") { $0.text(0) } == "ok")
    }

    @Test func sizeLimitOfZeroEvictsEverything() throws {
        try fill(0..<600)
        #expect(try FileBudget(store, limit: 0).enforce() == 600)
        #expect(try store.count() == 0)
        #expect(try FileBudget(store, limit: 0).enforce() == 0)
        #expect(try FileBudget(store, limit: -1).enforce() == 0)
    }

    @Test func removedItemsLeaveTheSearchIndex() throws {
        try fill(0..<1200)
        var indexer = SearchIndexer(store)
        try indexer.prepare()
        while try indexer.indexSome(of: Entries.character) {}
        let dropped = try FileBudget(store, limit: Self.limit).enforce()
        #expect(try store.connection.integer("SELECT count(*) FROM search") == Int64(1200 - dropped))
        #expect(try store.count() == 1200 - dropped)
    }

    @Test(arguments: [(0, 65_536, 16), (4 << 20, 131_072, 32), (64 << 20, 2 << 20, 512), (1 << 30, 8 << 20, 1000)])
    func writeAheadLogSizeDependsOnTheLimit(limit: Int, log: Int64, pages: Int64) throws {
        try FileBudget(store, limit: limit).limitLog()
        #expect(try store.connection.integer("PRAGMA journal_size_limit") == log)
        #expect(try store.connection.integer("PRAGMA wal_autocheckpoint") == pages)
    }

    @Test func recentlyRecordedTimeOfUseIsNotUpdated() throws {
        try save(0..<2, at: 1000, page: 1)
        let used = UsedKeys(
            items: [Entries.key("0"), Entries.key("1", isPartial: true), Entries.key("1", of: Entries.location)],
            pages: [Entries.pageKey(1), Entries.pageKey(2)])
        func times() throws -> [Int64] {
            try [
                "SELECT used_at FROM items WHERE id = '0'", "SELECT used_at FROM items WHERE id = '1'",
                "SELECT used_at FROM pages",
            ].map { try store.connection.integer($0) }
        }
        try store.recordUse(used, at: Timestamp(milliseconds: 1500), since: Timestamp(milliseconds: 1000))
        #expect(try times() == [1000, 1000, 1000])
        try store.recordUse(used, at: Timestamp(milliseconds: 1500), since: Timestamp(milliseconds: 1001))
        #expect(try times() == [1500, 1000, 1500])
        let many = UsedKeys(items: (0..<1300).map { Entries.key(String($0)) })
        try store.recordUse(many, at: Timestamp(milliseconds: 1600), since: Timestamp(milliseconds: 1600))
        #expect(try times() == [1600, 1600, 1500])
    }
}
