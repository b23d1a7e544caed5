import DataSources
import Mocks
import TestSupport
import Testing

@testable import Model
@testable import Repositories

/// Tests which cache level a search uses.
@Suite(.limited) struct CacheSearchTests {
    private let second = LocalDataSourceMock()

    private func stage(_ persistence: Stage.Persistence) throws -> Stage {
        let stage = try Stage(persistence: persistence)
        stage.memory.save(LocalChange(items: [stage.entity("1", "rick in memory")]))
        return stage
    }

    private func found(_ stage: Stage) async throws(LocalDataError) -> [String] {
        try await stage.repository.search("rick", filters: [], scope: nil, limit: 20, offset: 0).items.map(\.text)
    }

    @Test func searchReadsTheCacheFileIfItExists() async throws {
        let stage = try stage(.double(second))
        second.succeed()
        second.find(SearchHits(items: [Stage.bytes("2", "rick in the file")], count: 1))
        #expect(try await found(stage) == [Stage.text("2", "rick in the file")])
    }

    @Test func memoryIsSearchedWithoutAFile() async throws {
        #expect(try await found(try stage(.none)) == [Stage.text("1", "rick in memory")])
    }

    @Test func memoryIsSearchedIfTheFileIsUnusable() async throws {
        let folder = try TemporaryDirectory()
        try folder.write([], to: "file")
        let clock = ClockMock()
        let file = EntityDataSource(path: folder.file("file/cache.sqlite"), limit: 1 << 24, clock: clock) { _ in }
        #expect(try await found(try stage(.double(file))) == [Stage.text("1", "rick in memory")])
    }

    @Test func failedSearchOfAUsableFileIsAnError() async throws {
        let stage = try stage(.double(second))
        second.fail("no FTS5")
        await #expect(throws: LocalDataError("no FTS5")) { try await found(stage) }
    }
}
