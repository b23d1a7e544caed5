import DataSources
import Model
import Synchronization
import System
import TestSupport
import Testing

@Suite(.limited) struct MemoryDataSourceTests {
    typealias Entries = LocalEntries

    /// The size of an entry of `Entries.item` with a one-digit id, in bytes.
    private var unit: Int {
        let source = MemoryDataSource(limit: 1 << 20)
        source.save(Entries.change(Entries.item("1")))
        return source.statistics().bytes
    }

    private func ids(in source: MemoryDataSource, of ids: String) -> String {
        ids.filter { source.read([Entries.key(String($0))]) != [nil] }
    }

    private func save(_ ids: String, in source: MemoryDataSource) {
        for id in ids { source.save(Entries.change(Entries.item(String(id)))) }
    }

    @Test func oldestUnreadEntryIsEvicted() {
        let source = MemoryDataSource(limit: unit * 3)
        save("123", in: source)
        _ = source.read(Entries.key("1"))
        save("4", in: source)
        // The eviction skipped entry 1 and removed entry 2. It continues from there, so that entry 3 is removed next.
        #expect(source.statistics().evictions == 1)
        save("5", in: source)
        #expect(source.statistics().evictions == 2)
        #expect(ids(in: source, of: "12345") == "145")
    }

    @Test func entriesThatAreReadAgainSurviveManyNewEntries() {
        let source = MemoryDataSource(limit: unit * 5)
        save("12", in: source)
        for _ in 0..<3 {
            _ = source.read(Entries.key("1"))
            _ = source.read(Entries.key("2"))
            save("34567890", in: source)
        }
        #expect(ids(in: source, of: "12") == "12")
    }

    @Test func oldestEntryIsEvictedIfAllEntriesWereRead() {
        let source = MemoryDataSource(limit: unit * 3)
        save("123", in: source)
        #expect(ids(in: source, of: "123") == "123")
        save("4", in: source)
        #expect(ids(in: source, of: "1234") == "234")
    }

    @Test func evictionContinuesAfterItsCurrentEntryIsRemoved() {
        let source = MemoryDataSource(limit: unit * 3)
        save("123", in: source)
        _ = source.read(Entries.key("1"))
        save("4", in: source)
        source.remove(Entries.key("3"))
        save("56", in: source)
        #expect(source.statistics().entries == 3)
        _ = source.remove(CacheSelection(ids: ["1", "4", "5", "6"]))
        save("789", in: source)
        #expect(ids(in: source, of: "789") == "789")
    }

    @Test func readingAPageMarksItsItemsAsUsed() {
        let source = MemoryDataSource(limit: 1 << 20)
        source.save(LocalChange(items: [Entries.item("1")], page: Entries.page(1, ["1"])))
        let taken = source.statistics().bytes
        let small = MemoryDataSource(limit: taken + unit)
        small.save(LocalChange(items: [Entries.item("1")], page: Entries.page(1, ["1"])))
        save("2", in: small)
        #expect(small.read(Entries.pageKey(1)) != nil)
        save("3", in: small)
        // Item 1 and the page were read. Item 2 was not.
        #expect(small.read(Entries.pageKey(1)) != nil)
        #expect(small.read(Entries.key("2")) == nil)
    }

    @Test func entryLargerThanTheLimitIsNotStored() {
        let source = MemoryDataSource(limit: 2000)
        source.save(Entries.change(Entries.item("1"), Entries.item("2")))
        source.save(Entries.change(Entries.item("1", json: String(repeating: "x", count: 2000))))
        // The older entry under the same key is out of date and must not be returned.
        #expect(source.read(Entries.key("1")) == nil)
        #expect(source.read(Entries.key("2")) != nil)
        source.save(LocalChange(items: [], page: Entries.page(1, [])))
        source.save(LocalChange(items: [], page: Entries.page(1, (0..<200).map(String.init))))
        #expect(source.read(Entries.pageKey(1)) == nil)
        #expect(source.statistics().evictions == 0)
    }

    @Test(arguments: [-1, 0, 1]) func memoryStoresNothingIfTheLimitIsAtMostOneByte(_ limit: Int) {
        let source = MemoryDataSource(limit: limit)
        source.save(LocalChange(items: [Entries.item("1")], page: Entries.page(1, ["1"])))
        #expect(source.statistics().entries == 0)
        #expect(source.statistics().bytes == 0)
    }

    @Test func sizeOfMemoryStaysWithinTheLimitUnderManyChanges() {
        let source = MemoryDataSource(limit: 50_000)
        var random = Xorshift(state: 42)
        for _ in 0..<20_000 {
            let id = String(random.next() % 300)
            switch random.next() % 8 {
            case 0: source.remove(Entries.key(id))
            case 1: source.save(LocalChange(items: [], page: Entries.page(Int(random.next() % 50), [id, "1"])))
            case 2: source.remove(Entries.pageKey(Int(random.next() % 50)))
            case 3: _ = source.read(Entries.pageKey(Int(random.next() % 50)))
            case 4, 5: _ = source.read(Entries.key(id))
            default:
                let json = String(repeating: "x", count: Int(random.next() % 3000))
                source.save(Entries.change(Entries.item(id, json: json)))
            }
            #expect(source.statistics().bytes <= 50_000)
        }
        #expect(source.statistics().evictions > 1000)
        #expect(source.remove(CacheSelection(fetchedBefore: Timestamp(milliseconds: 9000))) != 0)
        #expect(source.statistics().entries == 0)
        #expect(source.statistics().bytes == 0)
    }

    @Test func sizeOfAReplacedPageIsUpdated() {
        let source = MemoryDataSource(limit: 1 << 20)
        let (small, large) = (Entries.page(1, ["1"]), Entries.page(1, (0..<100).map(String.init)))
        source.save(LocalChange(items: [], page: small))
        let bytes = source.statistics().bytes
        source.save(LocalChange(items: [], page: large))
        #expect(source.statistics().bytes > bytes)
        source.save(LocalChange(items: [], page: small))
        #expect(source.statistics().bytes == bytes)
        source.save(LocalChange(items: [], page: large))
        source.remove(large.key)
        #expect(source.statistics().bytes == 0)
    }

    @Test func everyItemIsFoundUntilItsKeyIsRemoved() {
        let source = MemoryDataSource(limit: 100 << 20)
        let items = (0..<5000).map { Entries.item(String($0 * 7)) }
        source.save(LocalChange(items: items))
        for item in items where item.key.id.hasSuffix("3") { source.remove(item.key) }
        for item in items {
            #expect((source.read(item.key) == item) == !item.key.id.hasSuffix("3"))
        }
    }

    @Test func memoryStoresNoSpareCapacityOfBuffers() {
        let source = MemoryDataSource(limit: 1 << 20)
        var json = Array("{\"id\":1}".utf8)
        json.reserveCapacity(10_000)
        source.save(
            Entries.change(ItemEntity(key: Entries.key("1"), json: json, fetchedAt: Timestamp(milliseconds: 0))))
        #expect(source.statistics().bytes < 1000)
        #expect(source.read(Entries.key("1"))?.json == Array("{\"id\":1}".utf8))
    }

    @Test func memoryCanBeReadAndWrittenConcurrently() async {
        let source = MemoryDataSource(limit: 20_000)
        await withTaskGroup(of: Void.self) { group in
            for seed in 1...4 {
                group.addTask {
                    var random = Xorshift(state: UInt64(seed))
                    for _ in 0..<2000 {
                        let id = String(random.next() % 40)
                        source.save(LocalChange(items: [Entries.item(id)], page: Entries.page(1, [id])))
                        _ = source.read(Entries.pageKey(1))
                        #expect(source.read(Entries.key(id)).map { $0 == Entries.item(id) } ?? true)
                    }
                }
            }
        }
        let statistics = source.statistics()
        #expect(statistics.hits + statistics.misses == 16_000)
        #expect(statistics.bytes <= 20_000)
    }
}

/// A small random number generator with the same numbers in every run.
struct Xorshift {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
