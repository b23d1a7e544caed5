import TestSupport
import Testing

@testable import DataSources

/// Which level is searched.
@Suite(.limited) struct CacheSearchTests {
    typealias Entries = LocalEntries

    private let folder: TemporaryDirectory
    private let memory = MemoryDataSource(limit: 1 << 20)
    private let query = SearchQuery(resource: Entries.character, text: "rick")

    init() throws {
        folder = try TemporaryDirectory()
        memory.save(Entries.change(Entries.item("1", json: #"{"id":1,"a":"rick in memory"}"#)))
    }

    private func file(_ name: String) -> EntityDataSource {
        EntityDataSource(path: folder.file(name), limit: 1 << 24, clock: ClockMock()) { _ in }
    }

    private func found(_ persistence: EntityDataSource?) async throws(LocalDataError) -> [String] {
        let hits = try await CacheSearch(memory: memory, persistence: persistence).hits(query)
        return hits.items.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func theFileAlsoWithWhatWaitsToBeWritten() async throws {
        let source = file("cache.sqlite")
        source.save(Entries.change(Entries.item("2", json: #"{"id":2,"a":"rick in the file"}"#)))
        #expect(try await found(source) == [#"{"id":2,"a":"rick in the file"}"#])
        source.removeItem(Entries.key("2"))
        #expect(try await found(source) == [])
        let many = (0..<1100).map { Entries.item(String($0), json: #"{"id":\#($0),"a":"rick"}"#) }
        source.save(LocalChange(items: many))
        #expect(try await source.search(query).count == 1100)
        await source.close()
        #expect(try await file("cache.sqlite").search(query).count == 1100)
    }

    @Test func memoryWhereThereIsNoFile() async throws {
        #expect(try await found(nil) == [#"{"id":1,"a":"rick in memory"}"#])
    }

    @Test func memoryWhereTheFileCannotBeUsed() async throws {
        try folder.write([], to: "file")
        let source = file("file/cache.sqlite")
        #expect(try await found(source) == [#"{"id":1,"a":"rick in memory"}"#])
        await #expect(throws: LocalDataError.self) { try await source.search(query) }
    }

    /// Searches until all items are found.
    private func all(_ source: EntityDataSource) async throws {
        while try await source.search(query).count < 700 {}
    }

    @Test func twoProcessesSearchOneFile() async throws {
        let (first, second) = (file("cache.sqlite"), file("cache.sqlite"))
        first.save(LocalChange(items: (0..<700).map { Entries.item(String($0), json: #"{"a":"rick \#($0)"}"#) }))
        await first.flush()
        // Where one indexes, the other searches what is indexed by then.
        async let one = all(first)
        async let other = all(second)
        _ = try await (one, other)
        second.removeItem(Entries.key("1"))
        await second.flush()
        #expect(try await first.search(query).count == 699)
    }
}
