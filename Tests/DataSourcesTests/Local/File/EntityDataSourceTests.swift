import Mocks
import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model

@Suite(.limited) struct EntityDataSourceTests {
    typealias Entries = LocalEntries

    let folder: TemporaryDirectory
    let faults = FaultRecorder()
    let clock = ClockMock()

    init() throws { folder = try TemporaryDirectory() }

    private func make(_ name: String = "cache.sqlite") -> EntityDataSource {
        EntityDataSource(path: folder.file(name), limit: 1 << 26, clock: clock, onFault: faults.record)
    }

    @Test func cachedEntriesOutliveTheProcess() async throws {
        let first = make()
        let page = Entries.page(1, ["2", "1"])
        first.save(LocalChange(items: [Entries.item("1"), Entries.item("2")], page: page))
        #expect(try await first.invalidate(CacheSelection(ids: ["2"])) == 1)
        await first.close()
        #expect(folder.names == ["cache.sqlite"])
        let second = make()
        let stored = try await second.read(page.key)
        #expect(stored?.page == page)
        #expect(stored?.items.map(\.isInvalidated) == [true, false])
        #expect(try await second.read(Entries.key("1")) == Entries.item("1"))
        #expect(faults.parts == [])
    }

    /// The stored item was fetched at 1000.
    @Test(
        arguments: [
            (999, 2000, false, false), (1000, 2000, false, true),
            // A fetch time in the future is wrong.
            (500, 999, false, true), (500, 1000, false, false),
            (500, 2000, true, true),
        ] as [(Int64, Int64, Bool, Bool)])
    func itemFetchedAfterARequestIsNotReplacedByItsAnswer(
        askedAt: Int64, fetchedAt: Int64, isInvalidated: Bool, isReplaced: Bool
    ) async throws {
        let source = make()
        var stored = Entries.item("1", json: "[1]")
        stored.isInvalidated = isInvalidated
        source.save(Entries.change(stored))
        await source.flush()
        var answer = Entries.change(Entries.item("1", json: "[2]", at: fetchedAt))
        answer.askedAt = Timestamp(milliseconds: askedAt)
        source.save(answer)
        await source.flush()
        #expect(try await source.read(Entries.key("1"))?.json == Array((isReplaced ? "[2]" : "[1]").utf8))
    }

    @Test func noFileIsCreatedBeforeTheFirstUse() async throws {
        let source = make("a/b/cache.sqlite")
        #expect(source.isCurrent)
        #expect(folder.names == [])
        source.save(Entries.change(Entries.item("1")))
        await source.flush()
        #expect(folder.names == ["a"])
    }

    @Test func cacheFilesAreReadableByTheirOwnerOnly() async throws {
        let source = make("a/b/cache.sqlite")
        source.save(Entries.change(Entries.item("1")))
        await source.flush()
        #expect(folder.mode(of: "a") == 0o700)
        #expect(folder.mode(of: "a/b") == 0o700)
        #expect(folder.mode(of: "a/b/cache.sqlite") == 0o600)
        #expect(folder.mode(of: "a/b/cache.sqlite-wal") == 0o600)
        #expect(folder.mode(of: "a/b/cache.sqlite-shm") == 0o600)
    }

    @Test func writesReachTheCacheFileWithoutARead() async throws {
        let (first, second) = (make(), make())
        first.save(Entries.change(Entries.item("1")))
        await first.flush()
        #expect(try await second.read(Entries.key("1")) == Entries.item("1"))
    }

    @Test func twoDataSourcesCanWriteOneFile() async throws {
        let (first, second) = (make(), make())
        await withTaskGroup(of: Void.self) { group in
            for (name, source) in [("a", first), ("b", second)] {
                group.addTask {
                    for number in 0..<200 {
                        source.save(Entries.change(Entries.item("\(name)\(number)")))
                        if number % 10 == 0 { await source.flush() }
                    }
                    await source.flush()
                }
            }
        }
        #expect(await first.statistics().entries == 400)
        #expect(await second.statistics().entries == 400)
        #expect(try await first.remove(CacheSelection(ids: ["b7"])) == 1)
        #expect(try await second.read(Entries.key("b7")) == nil)
        #expect(first.lostWrites.count == 0)
        #expect(second.lostWrites.count == 0)
        #expect(faults.parts == [])
    }

    @Test func savedEntryCountsAsUsed() async throws {
        let source = make()
        clock.set(Timestamp(milliseconds: 5000))
        source.save(LocalChange(items: [Entries.item("1")], page: Entries.page(1, ["1"])))
        await source.flush()
        clock.set(Timestamp(milliseconds: 6000))
        source.save(Entries.change(Entries.item("1")))
        await source.flush()
        let connection = try SQLiteConnection(path: folder.file("cache.sqlite"))
        #expect(try connection.integer("SELECT used_at FROM items") == 6000)
        #expect(try connection.integer("SELECT used_at FROM pages") == 5000)
    }

    @Test func changeOfSeveralEntriesIsStoredAtomically() async throws {
        let source = make()
        source.save(Entries.change(Entries.item("0")))
        await source.flush()
        // This connection does not check the schema.
        let connection = try SQLiteConnection(path: folder.file("cache.sqlite"))
        let store = EntityStore(connection)
        try connection.execute(
            """
            CREATE TRIGGER refused BEFORE INSERT ON pages BEGIN SELECT RAISE(ABORT, 'refused'); END
            """)
        let change = LocalChange(
            items: [Entries.item("1", of: Entries.location)], page: Entries.page(1, ["1"], of: Entries.location))
        #expect(throws: SQLiteError.self) { try store.apply([.save(change)], now: ClockMock().now()) }
        #expect(try await source.read(Entries.key("1", of: Entries.location)) == nil)
        try connection.execute("DROP TRIGGER refused")
        // The resource number that was assigned in the rolled-back transaction is no longer valid.
        try store.apply([.save(change)], now: ClockMock().now())
        #expect(try await source.read(Entries.pageKey(1, of: Entries.location))?.items == change.items)
    }

    @Test func largeRemovalShrinksTheFile() async throws {
        let source = make()
        let json = String(repeating: "x", count: 4000)
        source.save(LocalChange(items: (0..<1000).map { Entries.item(String($0), json: json) }))
        let before = await source.statistics().bytes
        #expect(before > 4_000_000)
        #expect(try await source.remove(CacheSelection(resource: "character")) == 1000)
        #expect(await source.statistics().bytes < 100_000)
        await source.close()
        #expect(try folder.read("cache.sqlite").count < 200_000)
    }

    @Test func closedDataSourceBehavesAsEmpty() async throws {
        let source = make()
        source.save(Entries.change(Entries.item("1")))
        await source.close()
        await source.close()
        #expect(try await source.read(Entries.key("1")) == nil)
        source.save(Entries.change(Entries.item("2")))
        await source.flush()
        #expect(try await make().read(Entries.key("1")) == Entries.item("1"))
        #expect(try await make().read(Entries.key("2")) == nil)
    }
}
