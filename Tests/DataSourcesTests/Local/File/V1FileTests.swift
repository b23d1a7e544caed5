import JSON
import System
import TestSupport
import Testing

@testable import DataSources

/// A cache file of schema version 1 is brought up to date with all that it holds.
@Suite(.limited) struct V1FileTests {
    typealias Entries = LocalEntries

    let folder: TemporaryDirectory
    let faults = FaultRecorder()

    init() throws {
        folder = try TemporaryDirectory()
        try folder.write(Files.read(FilePath(Self.fixture)), to: "cache.sqlite")
    }

    /// Found from this file's place in the project.
    private static var fixture: String {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(5)
        return root.joined(separator: "/") + "/Fixtures/cache/v1.sqlite"
    }

    private func make() -> EntityDataSource {
        EntityDataSource(
            path: folder.file("cache.sqlite"), limit: 1 << 30, clock: ClockMock(), onFault: faults.record)
    }

    private func expectAll(_ source: EntityDataSource) async throws {
        // While another one brings the file up to date, a read does not wait for it and finds nothing. A write does.
        await source.flush()
        #expect(try await source.items(V1Entries.items.map(\.key)) == V1Entries.items)
        for page in V1Entries.pages where !page.info.isEmpty { #expect(try await source.page(page.key)?.page == page) }
        #expect(await source.statistics().entries == V1Entries.items.count + V1Entries.pages.count)
        #expect(faults.parts == [])
    }

    @Test func allOfItIsStillThere() async throws {
        let source = make()
        try await expectAll(source)
        await source.close()
        try expectNoChecksums()
        let again = make()
        let empty = try #require(V1Entries.pages.first { $0.info.isEmpty })
        #expect(try await again.page(empty.key) == nil, "what has no checksum must be JSON")
        #expect(await again.statistics().damaged == 1)
        await again.close()
        let connection = try SQLiteConnection(path: folder.file("cache.sqlite"))
        #expect(try connection.integer("PRAGMA user_version") == 5)
        #expect(try connection.first("PRAGMA integrity_check") { $0.text(0) } == "ok")
    }

    /// The file is opened without being written anew.
    private func expectNoChecksums() throws {
        let connection = try SQLiteConnection(path: folder.file("cache.sqlite"))
        defer { connection.close() }
        for table in ["items", "pages"] {
            #expect(try connection.integer("SELECT count(checksum) FROM \(table)") == 0)
        }
    }

    @Test func manyBringItUpToDateAtOnce() async throws {
        let sources = (0..<4).map { _ in make() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for source in sources { group.addTask { try await expectAll(source) } }
            try await group.waitForAll()
        }
    }

    /// Later pages of the same list are found by the text that the request gives.
    @Test func olderPagesKnowTheirList() async throws {
        let source = make()
        _ = await source.statistics()
        await source.close()
        let connection = try SQLiteConnection(path: folder.file("cache.sqlite"))
        for page in V1Entries.pages {
            let list = try connection.first("SELECT list FROM pages WHERE request = ?", .text(page.key.request)) {
                $0.text(0)
            }
            #expect(list == page.key.list)
        }
    }

    @Test func textsThatAreNoJSONAreNoHindrance() async throws {
        let connection = try SQLiteConnection(path: folder.file("cache.sqlite"))
        try connection.execute(
            """
            UPDATE pages SET request = '{"page":' || key, info = CAST('}' AS BLOB) WHERE key = 1;
            UPDATE pages SET request = '[]', info = CAST('{"count":1e99}' AS BLOB) WHERE key = 2;
            UPDATE pages SET request = '{"filter":null}', info = CAST('{"count":99999999999999999999}' AS BLOB)
                WHERE key = 3;
            """)
        connection.close()
        let source = make()
        #expect(try await source.items(V1Entries.items.map(\.key)) == V1Entries.items)
        #expect(await source.statistics().state == .ok)
        #expect(faults.parts == [])
    }
}
