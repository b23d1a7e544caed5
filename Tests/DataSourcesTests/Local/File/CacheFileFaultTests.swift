import Mocks
import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// Tests the cache file's data source if the file is broken or cannot be opened.
@Suite(.limited) struct CacheFileFaultTests {
    typealias Entries = LocalEntries

    let folder: TemporaryDirectory
    let faults = FaultRecorder()
    let clock = ClockMock()
    let asideName = "cache.sqlite.corrupt-20260131T090500.250Z"

    init() throws { folder = try TemporaryDirectory() }

    private func make(_ name: String = "cache.sqlite") -> EntityDataSource {
        EntityDataSource(path: folder.file(name), limit: 1 << 20, clock: clock, onFault: faults.record)
    }

    private func fill() async throws {
        let source = make()
        let items = (0..<500).map { Entries.item(String($0), json: String(repeating: "x", count: 500)) }
        source.save(LocalChange(items: items, page: Entries.page(1, ["1"])))
        await source.close()
    }

    private func expectRebuilt(_ source: EntityDataSource, keeping bytes: [UInt8]) async throws {
        #expect(await source.statistics().state == .rebuilt)
        #expect(try folder.read(asideName) == bytes)
        #expect(faults.parts.count == 1)
        #expect(faults.parts.first?.part == "persistence")
        #expect(faults.parts.first?.since == clock.now())
        #expect(faults.parts.first?.reason.contains(asideName) == true)
        source.save(Entries.change(Entries.item("new")))
        #expect(try await source.read(Entries.key("new")) == Entries.item("new"))
        await source.close()
        #expect(try await make().read(Entries.key("new")) == Entries.item("new"))
        #expect(faults.parts.count == 1)
        #expect(folder.mode(of: "cache.sqlite") == 0o600)
    }

    @Test(arguments: [2, 50, 600, 100_000]) func cacheFileThatIsNotADatabaseIsSetAside(_ size: Int) async throws {
        let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: size)
        try folder.write(bytes, to: "cache.sqlite")
        try folder.write(bytes, to: "cache.sqlite-wal")
        let source = make()
        #expect(try await source.read(Entries.key("1")) == nil)
        try await expectRebuilt(source, keeping: bytes)
    }

    @Test func errorOfAReadIsThrownUnlessTheFileIsReplaced() async throws {
        try await fill()
        let source = make()
        #expect(try await source.read(Entries.key("1")) != nil)
        let path = folder.file("cache.sqlite")
        let error = await #expect(throws: LocalDataError.self) {
            try await source.reader.read("count") { (_) throws(SQLiteError) -> Int in
                throw SQLiteError(code: 20, message: "misuse")
            }
        }
        #expect(error?.message == "cannot count: \(path): misuse (SQLite 20)")
        #expect(faults.parts.isEmpty)
        let count = try await source.reader.read("count") { (view) throws(SQLiteError) -> Int in
            if view.store != nil { throw SQLiteError.unshared }
            return 7
        }
        #expect(count == 7)
        #expect(faults.parts.map(\.part) == ["persistence"])
    }

    @Test func closingAnUnusedDataSourceStartsNoThread() async {
        let source = make()
        #expect(await source.close())
        #expect(!source.writer.loop.hasBegun && folder.names == [])
    }

    @Test func truncatedCacheFileIsSetAside() async throws {
        try await fill()
        let half = Array(try folder.read("cache.sqlite").prefix(100_000))
        try folder.write(half, to: "cache.sqlite")
        let source = make()
        #expect(try await source.read(Entries.key("1")) == nil)
        try await expectRebuilt(source, keeping: half)
    }

    @Test func cacheFileIsRepairedIfAReadFindsDamage() async throws {
        try await fill()
        var bytes = try folder.read("cache.sqlite")
        for at in 4096..<bytes.count { bytes[at] = 0xAA }
        try folder.write(bytes, to: "cache.sqlite")
        let source = make()
        #expect(try await source.read(Entries.key("1")) == nil)
        try await expectRebuilt(source, keeping: bytes)
    }

    @Test func cacheFileIsRepairedIfAWriteFindsDamage() async throws {
        try await fill()
        var bytes = try folder.read("cache.sqlite")
        for at in 4096..<bytes.count { bytes[at] = 0xAA }
        try folder.write(bytes, to: "cache.sqlite")
        let source = make()
        source.save(Entries.change(Entries.item("kept")))
        await source.flush()
        #expect(try await source.read(Entries.key("kept")) == Entries.item("kept"))
        #expect(source.lostWrites.count == 0)
        try await expectRebuilt(source, keeping: bytes)
    }

    /// Processes of several versions of Larder may share a file, so its schema version is fixed.
    @Test(arguments: [(5, true), (6, false)])
    func fileWithAnOlderSchemaIsSetAside(version: Int, isSetAside: Bool) async throws {
        try await fill()
        #expect(EntitySchema.migrations.version == 6)
        let connection = try SQLiteConnection(path: folder.file("cache.sqlite"))
        try connection.execute("PRAGMA user_version = \(version)")
        connection.close()
        let source = make()
        #expect(try await (source.read(Entries.key("1")) == nil) == isSetAside)
        #expect(await (source.statistics().state == .rebuilt) == isSetAside)
        #expect(folder.names.contains(asideName) == isSetAside)
        await source.close()
    }

    @Test func brokenFileWithTwoConnectionsIsSetAsideOnlyOnce() async throws {
        try await fill()
        var bytes = try folder.read("cache.sqlite")
        for at in 4096..<bytes.count { bytes[at] = 0xAA }
        try folder.write(bytes, to: "cache.sqlite")
        let file = DatabaseFile(
            path: folder.file("cache.sqlite"), migrations: EntitySchema.migrations, synchronous: "NORMAL",
            cacheSize: 64)
        // Both connections have the file open when the first one finds the fault.
        let (first, second) = (try file.open(now: clock.now()), try file.open(now: clock.now()))
        let fault = SQLiteError(code: 11, message: "malformed")
        let rebuilt = try file.replace(first.connection, after: fault, now: clock.now())
        try EntityStore(rebuilt.connection).apply([.save(Entries.change(Entries.item("new")))], now: clock.now())
        let joined = try file.replace(second.connection, after: fault, now: clock.now())
        #expect(try EntityStore(joined.connection).item(Entries.key("new")) == Entries.item("new"))
        #expect(folder.names.filter { $0.contains("corrupt") && !$0.hasSuffix("-wal") } == [asideName])
    }

    @Test(arguments: ["file/cache.sqlite", "folder"]) func unopenableCacheFileIsReported(_ name: String) async throws {
        try folder.write([], to: "file")
        _ = try SQLiteConnection(path: folder.file("folder/other.sqlite"))
        try await expectUnavailable(make(name), path: folder.file(name))
    }

    @Test func folderThatCannotBeCreatedIsReported() async throws {
        let path: FilePath = "/proc/larder-test/cache.sqlite"
        let source = EntityDataSource(path: path, limit: 1, clock: clock, onFault: faults.record)
        try await expectUnavailable(source, path: path)
    }

    @Test func cacheFileOfANewerVersionIsUnchanged() async throws {
        try await fill()
        let connection = try SQLiteConnection(path: folder.file("cache.sqlite"))
        try connection.execute("PRAGMA user_version = 99")
        connection.close()
        let bytes = try folder.read("cache.sqlite")
        try await expectUnavailable(make(), path: folder.file("cache.sqlite"))
        #expect(faults.parts.first?.reason.contains("schema version 99") == true)
        #expect(try folder.read("cache.sqlite") == bytes)
        #expect(folder.names == ["cache.sqlite"])
    }

    private func expectUnavailable(_ source: EntityDataSource, path: FilePath) async throws {
        source.save(LocalChange(items: [Entries.item("1")], page: Entries.page(1, ["1"])))
        source.remove(Entries.key("2"))
        await source.flush()
        #expect(try await source.read(Entries.key("1")) == nil)
        #expect(try await source.read([Entries.key("1"), Entries.key("2")]) == [nil, nil])
        #expect(try await source.read(Entries.pageKey(1)) == nil)
        #expect(try await source.remove(CacheSelection()) == 0)
        #expect(try await source.invalidate(CacheSelection()) == 0)
        let statistics = await source.statistics()
        #expect(statistics.state == .unavailable)
        #expect(statistics.entries == 0)
        #expect(statistics.misses == 4)
        await source.close()
        #expect(faults.parts.map(\.part) == ["persistence"])
        #expect(faults.parts.first?.reason.contains(path.description) == true)
    }

    @Test(
        arguments: [
            "DROP TABLE items", "DROP TABLE pages", "DROP TABLE changes", "ALTER TABLE items DROP COLUMN etag",
            "ALTER TABLE items RENAME TO hidden", "DROP INDEX pages_list", "CREATE TABLE more (x)",
            "CREATE TRIGGER theirs AFTER INSERT ON items BEGIN DELETE FROM items; END",
            "ALTER TABLE items RENAME TO hidden; CREATE VIEW items AS SELECT * FROM hidden",
            "DROP TABLE search", "DROP TRIGGER items_search", "DROP INDEX items_unindexed",
            """
            CREATE TRIGGER theirs AFTER INSERT ON changes BEGIN
                INSERT INTO resources SELECT n, n, zeroblob(n) FROM (
                    WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c) WHERE n < 0;
            END
            """,
        ], [true, false])
    func fileWithForeignSchemaIsSetAside(_ sql: String, isOpen: Bool) async throws {
        var source = make()
        source.save(Entries.change(Entries.item("1", json: #"{"name":"rick"}"#)))
        _ = try await source.search(SearchQuery(resource: Entries.character, text: "rick"))
        if !isOpen { await source.close() }
        let connection = try SQLiteConnection(path: folder.file("cache.sqlite"))
        try connection.execute(sql)
        connection.close()
        if !isOpen { source = make() }
        source.save(Entries.change(Entries.item("2")))
        await source.flush()
        #expect(await source.statistics().state == .rebuilt)
        #expect(source.lostWrites.count == 0)
        #expect(faults.parts.count == 1)
        #expect(faults.parts.first?.reason.contains(asideName) == true)
        #expect(try await source.read(Entries.key("1")) == nil)
        #expect(try await source.read(Entries.key("2")) == Entries.item("2"))
        await source.close()
        #expect(try await make().read(Entries.key("2")) == Entries.item("2"))
    }

    /// A process that only reads does not compare the schema. It detects a schema that it cannot read.
    @Test(
        arguments: [
            "DROP TABLE items", "ALTER TABLE items DROP COLUMN etag", "DROP TABLE changes", "DROP TABLE resources",
            "ALTER TABLE items RENAME TO hidden; CREATE VIEW items AS SELECT * FROM hidden",
            """
            ALTER TABLE items RENAME TO hidden;
            CREATE VIEW items AS WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c)
                SELECT hidden.* FROM hidden, c WHERE n < 0
            """,
        ], [true, false])
    func fileWithUnreadableSchemaIsSetAside(_ sql: String, isOpen: Bool) async throws {
        var source = make()
        source.save(Entries.change(Entries.item("1")))
        await source.flush()
        if !isOpen { await source.close() }
        let connection = try SQLiteConnection(path: folder.file("cache.sqlite"))
        try connection.execute(sql)
        connection.close()
        if !isOpen { source = make() }
        #expect(try await source.read(Entries.key("1")) == nil)
        #expect(await source.statistics().state == .rebuilt)
        #expect(faults.parts.count == 1)
    }

    @Test func tablesCreatedByAnalyzeAreAccepted() async throws {
        try await fill()
        let connection = try SQLiteConnection(path: folder.file("cache.sqlite"))
        try connection.execute("ANALYZE")
        connection.close()
        let source = make()
        source.save(Entries.change(Entries.item("new")))
        #expect(await source.statistics().state == .ok)
        #expect(try await source.read(Entries.key("new")) != nil)
    }

    @Test func cacheFileIsNotUsedAfterThreeRebuilds() async throws {
        let source = make()
        for round in 1...6 {
            source.save(Entries.change(Entries.item("1")))
            await source.flush()
            let connection = try SQLiteConnection(path: folder.file("cache.sqlite"))
            try connection.execute(
                """
                PRAGMA writable_schema = 1;
                UPDATE sqlite_schema SET sql = 'CREATE TABLE items (' WHERE name = 'items';
                PRAGMA schema_version = 1000;
                """)
            connection.close()
            #expect(try await source.read(Entries.key("1")) == nil)
            let statistics = await source.statistics()
            #expect(statistics.state == (round <= 3 ? .rebuilt : .unavailable))
        }
        #expect(faults.parts.count == 4)
    }
}
