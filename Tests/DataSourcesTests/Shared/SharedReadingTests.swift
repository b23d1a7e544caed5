import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// Tests that one machine reads the entries that another machine has stored.
@Suite(.limited) struct SharedReadingTests {
    private let data: RedisData
    private let one: SharedMachine
    private let other: SharedMachine

    init() throws {
        let clock = ClockMock()
        data = RedisData(clock: clock)
        one = try SharedMachine(data, clock: clock)
        other = try SharedMachine(data, clock: clock)
    }

    private static func page(_ number: Int, _ ids: [String], count: Int, at: Int64) -> PageEntity {
        PageEntity(
            key: LocalEntries.pageKey(number), ids: ids, info: Array("{\"current\":\(number)}".utf8),
            fetchedAt: Timestamp(milliseconds: at), count: count, pages: 2)
    }

    @Test func storedItemIsReadUnchanged() async throws {
        let item = ItemEntity(
            key: LocalEntries.key("1"), json: Array(#"{"id":1,"name":"Rick"}"#.utf8),
            fetchedAt: Timestamp(milliseconds: 1234), validators: Validators(etag: "\"a\"", lastModified: nil))
        await one.store([item])
        #expect(try await other.level.read(item.key) == item)
        #expect(try await other.level.read([LocalEntries.key("2"), item.key]) == [nil, item])
        let statistics = try await other.statistics()
        #expect(statistics?.hits == 2 && statistics?.misses == 1 && statistics?.rejected == 0)
        #expect(try await one.statistics()?.written == 1)
    }

    /// The current generations on the server, each with the resulting state of a value. `{R}` and `{I}` stand for the
    /// generations under which the value was stored.
    private static let generations: [(String?, String)] = [
        ("{R} {I}", "fresh"), ("{R} 0123456789abcdef", "stale"), ("0123456789abcdef {I}", "absent"),
        ("0123456789abcdef 0123456789abcdef", "absent"), ("{R}", "absent"), ("{R} {I} ", "absent"),
        ("{R} {I} {I}", "absent"), ("", "absent"), (nil, "absent"),
    ]

    @Test(arguments: generations) func generationsDetermineWhetherAnEntryIsFresh(generations: String?, state: String)
        async throws
    {
        await one.store([LocalEntries.item("1")])
        let old = try #require(data.text(SharedMachine.generations)).split(separator: " ").map { String($0) }
        let new = generations?.replacing("{R}", with: old[0]).replacing("{I}", with: old[1])
        data.set(SharedMachine.generations, new.map { Array($0.utf8) })
        #expect(try await other.state("1") == state)
    }

    /// New generations replace evicted ones, so that old values remain missing.
    @Test func valuesAreMissingIfTheirGenerationsWereEvicted() async throws {
        await one.store([LocalEntries.item("1")])
        data.set(SharedMachine.generations, nil)
        await one.store([LocalEntries.item("2")])
        #expect(try await other.state("1") == "absent")
        #expect(try await other.state("2") == "fresh")
    }

    /// One round trip reads the value and the generations of its resource.
    @Test func sharedEntryIsReadWithOneRedisCommand() async throws {
        await one.store([LocalEntries.item("1")])
        _ = try await other.state("1")
        #expect(
            other.server.commands.map(\.words) == [["MGET", SharedMachine.generations, SharedMachine.name("1").key]])
    }

    @Test func storedPageIsReadWithItsItems() async throws {
        let items = ["1", "2"].map { LocalEntries.item($0) }
        let page = Self.page(1, ["2", "1"], count: 2, at: 1000)
        await one.store(items, page: page)
        #expect(
            try await other.level.read(page.key) == StoredPage(page: page, items: Array(items.reversed())))
        data.set(SharedMachine.name("1").key, nil)
        #expect(try await other.level.read(page.key) == nil)
        let statistics = try await other.statistics()
        #expect(statistics?.hits == 1 && statistics?.misses == 1)
    }

    @Test func forgedSharedValueReadTwiceIsCountedOnce() async throws {
        await one.store([LocalEntries.item("1")])
        var value = try #require(data.bytes(SharedMachine.name("1").key))
        value[value.count - 2] ^= 1
        data.set(SharedMachine.name("1").key, value)
        #expect(try await other.state("1") == "absent")
        #expect(await other.level.reread([LocalEntries.key("1")]) == [nil])
        let statistics = try await other.statistics()
        #expect(statistics?.rejected == 1 && statistics?.misses == 1)
    }

    @Test func repeatedReadOfTheSharedLevelCountsNoHitOrMiss() async throws {
        let page = LocalEntries.page(1, ["1"])
        #expect(await other.level.reread([LocalEntries.key("1")]) == [nil])
        #expect(await other.level.reread([page.key]) == [nil])
        await one.store([LocalEntries.item("1")], page: page)
        #expect(await other.level.reread([LocalEntries.key("2"), LocalEntries.key("1")])[1] != nil)
        #expect(await other.level.reread([page.key])[0]?.page == page)
        var statistics = try await other.statistics()
        #expect(statistics?.waited == 0 && statistics?.hits == 0 && statistics?.misses == 0)
        other.level.countReceived(2)
        statistics = try await other.statistics()
        #expect(statistics?.waited == 2)
    }

    /// A page whose total count differs from the count of a newer page is stale, as in the other cache levels.
    @Test func olderSharedPageWithAnotherTotalCountIsStale() async throws {
        let items = [LocalEntries.item("1")]
        let pages = [(1, 826, 1000), (2, 827, 2000), (3, 827, 1500), (4, 828, 3000)].map { number, count, at in
            Self.page(number, ["1"], count: count, at: Int64(at))
        }
        for page in pages { await one.store(items, page: page) }
        #expect(try await one.level.read(pages[0].key)?.page.isInvalidated == true, "it stored a newer page")
        func isStale(_ index: Int) async throws -> Bool? {
            try await other.level.read(pages[index].key)?.page.isInvalidated
        }
        #expect(try await isStale(0) == false, "no newer page is known")
        #expect(try await isStale(1) == false)
        #expect(try await isStale(0) == true)
        #expect(try await isStale(2) == false, "the count is equal")
        #expect(try await isStale(3) == false)
        #expect(try await isStale(1) == true)
    }

    @Test func keyOfAnUnsharedEntryIsNotRequestedFromTheSharedLevel() async throws {
        let key = LocalEntries.key("1", of: LocalEntries.location)
        #expect(try await other.level.read(key) == nil)
        #expect(try await other.level.read(LocalEntries.pageKey(1, of: LocalEntries.location)) == nil)
        let statistics = try await other.statistics()
        #expect(other.server.commands.isEmpty && statistics?.misses == 0)
    }

    @Test func readReturnsNoEntriesIfTheRedisServerIsUnreachable() async throws {
        await one.store([LocalEntries.item("1")], page: LocalEntries.page(1, ["1"]))
        other.server.lose()
        #expect(try await other.state("1") == "absent")
        #expect(try await other.level.read(LocalEntries.pageKey(1)) == nil)
        other.server.find()
        #expect(try await other.state("1") == "fresh")
    }
}
