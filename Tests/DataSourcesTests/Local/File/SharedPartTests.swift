import System
import TestSupport
import Testing

@testable import DataSources

/// What the cache file has for a shared level: names of rows, and notes.
@Suite(.limited) struct SharedPartTests {
    typealias Entries = LocalEntries

    let folder: TemporaryDirectory
    let faults = FaultRecorder()

    init() throws { folder = try TemporaryDirectory() }

    private func make(
        naming hash: (@Sendable (EntryKey) -> [UInt8]?)? = { Entries.name($0) }
    ) -> EntityDataSource {
        EntityDataSource(
            path: folder.file("cache.sqlite"), limit: 1 << 30, clock: ClockMock(), onFault: faults.record,
            sharedHash: hash)
    }

    private func connect() throws -> SQLiteConnection { try SQLiteConnection(path: folder.file("cache.sqlite")) }

    private func name(_ id: String) -> [UInt8] { Entries.name(.item(Entries.key(id))) ?? [] }

    private func entry(_ id: String, at moment: Int64 = 1000) -> IndexedEntry {
        IndexedEntry(key: .item(Entries.key(id)), fetchedAt: Timestamp(milliseconds: moment))
    }

    @Test func whatIsSavedIsFoundByItsName() async throws {
        let source = make()
        let page = PageKey(resource: Entries.character, request: #"{"page":1,"filter":{"a":1}}"#, list: #"{"a":1}"#)
        let keys = [Entries.key("1"), Entries.key("1", isPartial: true), Entries.key("1", of: Entries.otherCharacter)]
        let names = try keys.map { try #require(Entries.name(.item($0))) }
        let pageName = try #require(Entries.name(.page(page)))
        let items = keys.map { ItemEntity(key: $0, json: [], fetchedAt: Timestamp(milliseconds: 1)) }
        let entity = PageEntity(key: page, ids: [], info: [], fetchedAt: Timestamp(milliseconds: 2))
        source.save(LocalChange(items: items, page: entity))
        source.save(Entries.change(Entries.item("1", of: Entries.location)))
        for again in [false, true] {
            let source = again ? make() : source
            let found = await source.entries(of: names + [pageName, name("nobody's")])
            #expect(found.count == 4)
            for (name, key) in zip(names, keys) {
                #expect(found[name] == IndexedEntry(key: .item(key), fetchedAt: Timestamp(milliseconds: 1)))
            }
            #expect(found[pageName]?.fetchedAt.milliseconds == 2)
            guard case .page(let key)? = found[pageName]?.key else { return #expect(Bool(false)) }
            #expect(key == page && key.list == page.list)
            #expect(await source.entries(of: []) == [:])
            await source.close()
            #expect(await source.entries(of: names) == [:])
        }
        #expect(faults.parts == [])
    }

    /// Also where another process has the file locked for writing, so that nothing comes into it.
    @Test func whatWaitsIsSeen() async throws {
        let source = make()
        source.save(Entries.change(Entries.item("1"), Entries.item("2"), Entries.item("3")))
        source.keep(note: "a", "1")
        await source.flush()
        let other = try connect()
        try other.execute("BEGIN IMMEDIATE")
        source.save(Entries.change(Entries.item("1", at: 2000), Entries.item("4")))
        source.removeItem(Entries.key("2"))
        source.keep(note: "a", "2")
        source.keep(note: "b", "3")
        let found = await source.entries(of: ["1", "2", "3", "4"].map { name($0) })
        #expect(found == [name("1"): entry("1", at: 2000), name("3"): entry("3"), name("4"): entry("4")])
        #expect(await source.note("a") == "2")
        #expect(await source.note("b") == "3")
        try other.execute("ROLLBACK")
        await source.close()
        #expect(await make().note("a") == "2")
    }

    @Test func aProcessWithoutTheLevelLeavesNames() async throws {
        let first = make()
        first.save(Entries.change(Entries.item("1")))
        await first.close()
        let without = make(naming: nil)
        #expect(try await without.item(Entries.key("1")) == Entries.item("1"))
        without.save(Entries.change(Entries.item("1", at: 2000)))
        await without.close()
        let connection = try connect()
        let kept = try connection.first("SELECT shared FROM items") { $0.blob(0) }
        #expect(kept == name("1"))
        connection.close()
        #expect(await make().entries(of: [name("1")]) == [name("1"): entry("1", at: 2000)])
        #expect(faults.parts == [])
    }

    @Test func rowsWithoutANameAreNamedWhenTheyAreLookedFor() async throws {
        let without = make(naming: nil)
        let count = 2 * SharedPart.batch + 1
        let items = (0..<count).map { Entries.item("\($0)") } + [Entries.item("1", of: Entries.location)]
        without.save(LocalChange(items: items, page: Entries.page(1, ["1"])))
        await without.close()
        let names = (0..<count).map { name("\($0)") }
        let pageName = try #require(Entries.name(.page(Entries.pageKey(1))))
        let source = make()
        let found = await source.entries(of: names + [pageName])
        #expect(found.count == count + 1)
        await source.close()
        let connection = try connect()
        #expect(try connection.integer("SELECT count(shared) FROM items") == Int64(count))
    }

    /// A secret was changed: a name that the new one does not give stands for nothing.
    @Test func namesOfAnotherSecretAreNone() async throws {
        let other: @Sendable (EntryKey) -> [UInt8]? = { key in Entries.name(key).map { SHA256.hash($0) } }
        let otherName = SHA256.hash(name("1"))
        let first = make(naming: other)
        first.save(Entries.change(Entries.item("1")))
        #expect(await first.entries(of: [otherName]) == [otherName: entry("1")])
        await first.close()
        let second = make()
        #expect(await second.entries(of: [otherName, name("1")]) == [:])
        second.save(Entries.change(Entries.item("1", at: 2000)))
        #expect(await second.entries(of: [otherName, name("1")]) == [name("1"): entry("1", at: 2000)])
        await second.close()
    }

    @Test func notesOutliveTheProcess() async throws {
        let first = make()
        #expect(await first.note("a") == nil)
        first.keep(note: "a", "1")
        first.keep(note: "a", "é\u{0}\n")
        first.keep(note: "b", "")
        first.keep(note: "c", "3")
        first.keep(note: "c", nil)
        await first.close()
        #expect(await first.note("a") == nil)
        let second = make()
        #expect(await second.note("a") == "é\u{0}\n")
        #expect(await second.note("b") == "")
        #expect(await second.note("c") == nil)
        second.keep(note: "a", nil)
        await second.close()
        #expect(await make().note("a") == nil)
        #expect(faults.parts == [])
    }

    @Test func whoHasNoSuchLevelHasNothingOfIt() async throws {
        let source = make(naming: nil)
        source.save(LocalChange(items: [Entries.item("1")], page: Entries.page(1, ["1"])))
        source.keep(note: "a", "1")
        #expect(await source.note("a") == nil)
        #expect(await source.entries(of: [name("1")]) == [:])
        await source.close()
        let connection = try connect()
        #expect(try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name GLOB '*shared*'") == 0)
        for table in ["items", "pages"] {
            #expect(try connection.integer("SELECT count(shared) FROM \(table)") == 0)
        }
    }

    @Test(arguments: [
        "DROP INDEX items_shared", "DROP TABLE shared_notes", "DROP INDEX pages_unshared",
        "DROP INDEX pages_shared; DROP INDEX pages_unshared; ALTER TABLE pages DROP COLUMN shared",
        "CREATE INDEX theirs ON items (shared)",
    ])
    func aPartThatIsNotWholeIsNotOurs(_ sql: String) async throws {
        let source = make()
        source.save(Entries.change(Entries.item("1")))
        source.keep(note: "a", "1")
        await source.close()
        let connection = try connect()
        try connection.execute(sql)
        connection.close()
        let again = make(naming: nil)
        again.save(Entries.change(Entries.item("2")))
        await again.flush()
        #expect(await again.statistics().state == .rebuilt)
        await again.close()
    }

    /// What is made with the first save is undone with it, and made anew.
    @Test func whatIsUndoneIsMadeAnew() throws {
        let file = DatabaseFile(
            path: folder.file("cache.sqlite"), migrations: EntitySchema.migrations, synchronous: "OFF", cacheSize: 256)
        let store = EntityStore(try file.open(now: Timestamp(milliseconds: 0)).connection, hash: { Entries.name($0) })
        let now = Timestamp(milliseconds: 0)
        store.connection.onCommit = { (_) throws(SQLiteError) in throw SQLiteError(code: 13, message: "full") }
        #expect(throws: SQLiteError.self) { try store.apply([.keep(note: "a", "1")], now: now) }
        store.connection.onCommit = nil
        try store.apply([.keep(note: "a", "2")], now: now)
        #expect(try store.shared?.note("a") == "2")
    }

    /// All that files of earlier versions hold is still there, and gets names.
    @Test(arguments: ["v1", "v3", "v4", "builtin-0.1"], [true, false])
    func olderFilesStayHits(_ fixture: String, isShared: Bool) async throws {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(5)
        let path = root.joined(separator: "/") + "/Fixtures/cache/\(fixture).sqlite"
        try folder.write(Files.read(FilePath(path)), to: "cache.sqlite")
        let items = try storedItems()
        #expect(!items.isEmpty)
        let source = isShared ? make() : make(naming: nil)
        for item in items { #expect(try await source.item(item.key)?.json == item.json) }
        #expect(await source.statistics().damaged == 0)
        let names = items.compactMap { Entries.name(.item($0.key)) }
        #expect(await source.entries(of: names).count == (isShared ? names.count : 0))
        await source.close()
        #expect(faults.parts == [])
        let connection = try connect()
        #expect(try connection.integer("PRAGMA user_version") == 5)
        #expect(try connection.first("PRAGMA integrity_check") { $0.text(0) } == "ok")
        #expect(try connection.integer("SELECT count(shared) FROM items") == (isShared ? Int64(names.count) : 0))
    }

    private func storedItems() throws -> [ItemEntity] {
        let connection = try connect()
        defer { connection.close() }
        var items: [ItemEntity] = []
        try connection.rows(
            """
            SELECT name, fingerprint, id, partial, json FROM items JOIN resources ON resources.key = resource
            """
        ) { row in
            guard let fingerprint = ResourceKey.Fingerprint(bytes: row.blob(1)) else { return }
            let resource = ResourceKey(name: row.text(0), fingerprint: fingerprint)
            let key = ItemKey(resource: resource, id: row.text(2), isPartial: row.integer(3) != 0)
            items.append(ItemEntity(key: key, json: row.blob(4), fetchedAt: Timestamp(milliseconds: 0)))
        }
        return items
    }
}
