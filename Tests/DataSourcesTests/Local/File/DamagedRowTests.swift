import Mocks
import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// Tests rows of the cache file that another program has changed.
@Suite(.limited) struct DamagedRowTests {
    typealias Entries = LocalEntries

    let folder: TemporaryDirectory
    let faults = FaultRecorder()

    init() throws { folder = try TemporaryDirectory() }

    private func make() -> EntityDataSource {
        EntityDataSource(path: folder.file("cache.sqlite"), limit: 1 << 20, clock: ClockMock(), onFault: faults.record)
    }

    private let items = (1...3).map { number in
        ItemEntity(
            key: LocalEntries.key("\(number)"), json: Array(#"{"name":"rick \#(number)"}"#.utf8),
            fetchedAt: Timestamp(milliseconds: 1000), validators: Validators(etag: "\"e\"", lastModified: nil))
    }
    private let page = PageEntity(
        key: LocalEntries.pageKey(1), ids: ["1", "2", "3"], info: Array(#"{"current":1}"#.utf8),
        fetchedAt: Timestamp(milliseconds: 1000), count: 3, pages: 2, next: .number(2),
        validators: Validators(etag: nil, lastModified: "then"))

    /// Creates a data source over a file that another connection has changed, and returns that connection too.
    private func tampered(_ sql: String) async throws -> (EntityDataSource, SQLiteConnection) {
        let source = make()
        source.save(LocalChange(items: items, page: page))
        await source.close()
        let connection = try SQLiteConnection(path: folder.file("cache.sqlite"))
        try connection.execute(sql)
        return (make(), connection)
    }

    @Test(arguments: [
        "json = CAST('{\"name\":\"rock 1\"}' AS BLOB)", "json = CAST('}' || char(10) || '{' AS BLOB)",
        "json = CAST(json || ' ' AS BLOB)", "fetched_at = fetched_at + 1", "fetched_at = 9223372036854775807",
        "etag = '\"f\"'",
        "etag = NULL", "modified = ''", "modified = etag, etag = NULL", "checksum = checksum + 1", "checksum = 0",
        "invalidated = 1", "id = '4'", "partial = 1", "resource = 2",
        "json = (SELECT json FROM items WHERE id = '2')", "json = x'7B2261223A22FF227D'",
        "fetched_at = -9223372036854775808",
    ])
    func damagedItemIsRemovedAndCountsAsAMiss(_ change: String) async throws {
        let (source, other) = try await tampered(
            "INSERT INTO resources VALUES (2, 'other', x'00'); UPDATE items SET \(change) WHERE id = '1'")
        #expect(try await source.read(items.map(\.key)) == [nil, items[1], items[2]])
        #expect(try await source.read(items[0].key) == nil)
        #expect(try await source.read(page.key) == nil)
        let hits = try await source.search(SearchQuery(resource: Entries.character))
        #expect(hits.items == [items[1].json, items[2].json] && hits.count == 2)
        #expect(hits.keys == [items[1].key, items[2].key])
        // A row that was moved to another key is never read.
        let isMoved = ["id =", "partial =", "resource ="].contains { change.hasPrefix($0) }
        if !isMoved {
            #expect(await source.statistics().damaged == 1)
            #expect(try other.integer("SELECT count(*) FROM items") == 2)
        }
        #expect(try await source.read(Entries.key("4")) == nil)
        #expect(try await source.read(Entries.key("1", isPartial: true)) == nil)
        source.save(LocalChange(items: [items[0]]))
        #expect(try await source.read(page.key)?.items == PackedItems(items))
        #expect(await source.statistics().state == .ok)
        #expect(faults.parts == [])
    }

    @Test(arguments: [
        "info = CAST('{}' AS BLOB)", "info = CAST('}' || char(10) || '{' AS BLOB)", "ids = '[\"1\"]'",
        "ids = '['", "count = 4", "count = NULL", "list = '[]'", "partial = 1", "fetched_at = 0",
        "modified = 'now'", "invalidated = 1", "checksum = 7", "next = '3'", "next = 'null'",
        "pages = 3", "pages = NULL", "next = '{}'", "next = '2 3'",
    ])
    func damagedPageIsRemovedAndCountsAsAMiss(_ change: String) async throws {
        let (source, other) = try await tampered("UPDATE pages SET \(change)")
        for _ in 0..<2 { #expect(try await source.read(page.key) == nil) }
        #expect(await source.statistics().damaged == 1)
        #expect(try other.integer("SELECT count(*) FROM pages") == 0)
        #expect(try await source.read(items.map(\.key)) == items)
    }

    @Test func searchSkipsDamagedItems() async throws {
        let (source, other) = try await tampered("UPDATE items SET json = CAST('rick' AS BLOB) WHERE id = '2'")
        for (text, filters) in [("rick", []), (nil, [PageRequest.Filter("name", .string("rick 1"))])] {
            let query = SearchQuery(resource: Entries.character, text: text, filters: filters)
            let hits = try await source.search(query)
            #expect(!hits.items.contains(Array("rick".utf8)))
            #expect(hits.items.count == hits.count)
        }
        #expect(try other.integer("SELECT count(*) FROM items") == 2)
    }

    @Test func invalidatedEntriesAreNotReportedAsDamaged() async throws {
        let source = make()
        source.save(LocalChange(items: items, page: page))
        await source.flush()
        for _ in 0..<2 { _ = try await source.invalidate(CacheSelection()) }
        let other = PageEntity(
            key: Entries.pageKey(2), ids: ["1"], info: Array("{}".utf8), fetchedAt: page.fetchedAt, count: 3)
        source.save(LocalChange(items: [], page: other))
        await source.flush()
        let outdating = PageEntity(
            key: Entries.pageKey(3), ids: ["1"], info: Array("{}".utf8), fetchedAt: page.fetchedAt, count: 4)
        source.save(LocalChange(items: [], page: outdating))
        await source.close()
        let again = make()
        for item in items { #expect(try await again.read(item.key)?.isInvalidated == true) }
        #expect(try await again.read(page.key)?.page.isInvalidated == true)
        #expect(try await again.read(other.key)?.page.isInvalidated == true)
        #expect(try await again.read(outdating.key)?.page.isInvalidated == false)
        #expect(await again.statistics().damaged == 0)
    }

    /// A damaged row that was replaced after the read is not removed.
    @Test func damagedRowThatWasReplacedIsNotRemoved() async throws {
        let (source, other) = try await tampered("UPDATE items SET checksum = 1 WHERE id = '1'")
        let store = EntityStore(other)
        #expect(try store.item(items[0].key) == nil)
        source.save(LocalChange(items: [items[0]]))
        await source.flush()
        try other.writing { () throws(SQLiteError) in try store.remove(store.takeDamaged()) }
        #expect(try await source.read(items[0].key) == items[0])
    }

    /// The file may contain any row numbers. Arithmetic with them must not overflow.
    @Test(arguments: [Int64.max, .min, -1, 1 << 62])
    func extremeNumbersInTheChangeLogAreAccepted(_ number: Int64) async throws {
        let (source, other) = try await tampered(
            "INSERT OR REPLACE INTO changes VALUES (\(number), 7, 0, 1, '1')")
        source.save(LocalChange(items: items))
        await source.flush()
        try other.execute("INSERT OR REPLACE INTO changes VALUES (\(number), 8, 0, 1, '1')")
        await source.catchUp()
        source.save(LocalChange(items: items))
        await source.flush()
        #expect(try await source.read(items.map(\.key)) == items)
    }
}
