import Synchronization
import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// Tests evictions from a cache file to which much more data is written than its limit allows.
@Suite(.limited) struct CacheFileEvictionTests {
    typealias Entries = LocalEntries

    private static let limit = 1 << 20

    private let folder: TemporaryDirectory
    private let clock = ClockMock()
    private let memory = MemoryDataSource(limit: 1 << 16)
    private let json = #"{"a":"\#(String(repeating: "xx ", count: 1400))"}"#

    init() throws { folder = try TemporaryDirectory() }

    private func make(limit: Int = limit) -> EntityDataSource {
        EntityDataSource(
            path: folder.file("cache.sqlite"), limit: limit, clock: clock, onFault: { _ in },
            usedElsewhere: { [memory] in memory.takeUsed() })
    }

    private func bytes() throws -> Int {
        try folder.read("cache.sqlite").count
            + (folder.names.contains("cache.sqlite-wal") ? folder.read("cache.sqlite-wal").count : 0)
    }

    private func save(_ ids: Range<Int>, in source: EntityDataSource) async throws {
        for id in ids {
            clock.advance(milliseconds: 10)
            source.save(Entries.change(Entries.item(String(id), json: json)))
            if id % 20 == 0 { await source.flush() }
        }
        await source.flush()
    }

    @Test func cacheFileStaysWithinItsLimitAndKeepsUsedEntries() async throws {
        let source = make()
        try await save(0..<10, in: source)
        memory.save(Entries.change(Entries.item("2", json: "{}")))
        for round in 1...15 {
            #expect(try await source.read(Entries.key("1")) != nil)
            #expect(memory.read(Entries.key("2")) != nil)
            try await save(round * 100..<round * 100 + 100, in: source)
        }
        #expect(try bytes() <= Self.limit / 10 * 11)
        let statistics = await source.statistics()
        #expect(statistics.bytes <= Self.limit)
        #expect(statistics.evictions > 1000)
        #expect(statistics.entries + statistics.evictions == 1510)
        #expect(try await source.read(Entries.key("1")) != nil, "a read of the file counts as use")
        #expect(try await source.read(Entries.key("2")) != nil, "a hit in memory counts as use")
        #expect(try await source.read(Entries.key("3")) == nil)
        await source.close()
        #expect(try bytes() <= Self.limit)
    }

    @Test func partialReadOfAnItemCountsAsUse() {
        memory.save(Entries.change(Entries.item("2", json: "{}")))
        #expect(memory.takeUsed().items == [])
        #expect(memory.glance(Entries.key("2")) != nil)
        #expect(memory.takeUsed().items == [Entries.key("2")])
    }

    @Test func largeRemovalShrinksTheFile() async throws {
        let source = make(limit: 1 << 30)
        try await save(0..<2000, in: source)
        #expect(try await source.remove(CacheSelection()) == 2000)
        #expect(try bytes() < 200_000)
        await source.close()
    }

    @Test func smallerSizeLimitShrinksTheCacheFileAtTheFirstWrite() async throws {
        let first = make(limit: 1 << 30)
        try await save(0..<2000, in: first)
        await first.close()
        #expect(try bytes() > 8 * Self.limit)
        let second = make()
        try await save(2000..<2001, in: second)
        #expect(try bytes() <= Self.limit / 10 * 11)
        await second.close()
    }

    @Test func searchIndexStaysWithinTheLimit() async throws {
        let source = make()
        for round in 0..<10 {
            try await save(round * 100..<round * 100 + 100, in: source)
            let found = try await source.search(SearchQuery(resource: Entries.character, text: "xx"))
            #expect(found.count > 0)
        }
        await source.flush()
        let statistics = await source.statistics()
        #expect(statistics.bytes <= Self.limit)
        #expect(statistics.evictions > 500)
    }

    @Test func timeOfUseIsRecordedWhenTheFileIsClosed() async throws {
        let first = make()
        try await save(0..<150, in: first)
        clock.advance(milliseconds: 120_000)
        // After this write, the next record of use is due in a minute.
        try await save(150..<151, in: first)
        #expect(try await first.read(Entries.key("5")) != nil)
        await first.close()
        let second = make()
        try await save(200..<300, in: second)
        #expect(try await second.read(Entries.key("5")) != nil)
        #expect(try await second.read(Entries.key("6")) == nil)
    }

    @Test func cacheFileWithALimitOfZeroStoresNoEntries() async throws {
        let source = make(limit: 0)
        try await save(0..<50, in: source)
        #expect(await source.statistics().entries == 0)
    }
}
