import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// Tests searches of a file with pending writes, and of a file that cannot be used.
@Suite(.limited) struct FileSearchTests {
    typealias Entries = LocalEntries

    private let folder: TemporaryDirectory
    private let query = SearchQuery(resource: Entries.character, text: "rick")

    init() throws { folder = try TemporaryDirectory() }

    private func file(_ name: String) -> EntityDataSource {
        EntityDataSource(path: folder.file(name), limit: 1 << 24, clock: ClockMock()) { _ in }
    }

    private func found(_ source: EntityDataSource) async throws(LocalDataError) -> [String] {
        let hits = try await source.search(query)
        return hits.items.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func searchIncludesPendingWrites() async throws {
        let source = file("cache.sqlite")
        source.save(Entries.change(Entries.item("2", json: #"{"id":2,"a":"rick in the file"}"#)))
        #expect(try await found(source) == [#"{"id":2,"a":"rick in the file"}"#])
        source.remove(Entries.key("2"))
        #expect(try await found(source) == [])
        let many = (0..<1100).map { Entries.item(String($0), json: #"{"id":\#($0),"a":"rick"}"#) }
        source.save(LocalChange(items: many))
        #expect(try await source.search(query).count == 1100)
        await source.close()
        #expect(try await file("cache.sqlite").search(query).count == 1100)
    }

    @Test func searchOfAnUnusableFileFails() async throws {
        try folder.write([], to: "file")
        let source = file("file/cache.sqlite")
        await #expect {
            try await source.search(query)
        } throws: {
            ($0 as? LocalDataError)?.isUnavailable == true
        }
    }

    /// Searches until all items are found.
    private func all(_ source: EntityDataSource) async throws {
        while try await source.search(query).count < 700 {}
    }

    @Test func twoDataSourcesSearchOneFile() async throws {
        let (first, second) = (file("cache.sqlite"), file("cache.sqlite"))
        first.save(LocalChange(items: (0..<700).map { Entries.item(String($0), json: #"{"a":"rick \#($0)"}"#) }))
        await first.flush()
        // While one source indexes items, the second source searches the items indexed so far.
        async let one = all(first)
        async let other = all(second)
        _ = try await (one, other)
        second.remove(Entries.key("1"))
        await second.flush()
        #expect(try await first.search(query).count == 699)
    }
}
