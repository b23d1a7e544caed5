import JSON
import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// How a list goes on after a kept page: from columns of the cache file, and from the info of pages that were kept
/// before there were any.
@Suite(.limited) struct PageCourseTests {
    typealias Entries = LocalEntries

    let folder: TemporaryDirectory
    let faults = FaultRecorder()

    init() throws { folder = try TemporaryDirectory() }

    private func make() -> EntityDataSource {
        EntityDataSource(
            path: folder.file("cache.sqlite"), limit: 1 << 30, clock: ClockMock(), onFault: faults.record)
    }

    private static let third = PageRequest(
        page: .opaque("a\"b"), filters: [.init("name", .string("rick"))])

    /// What `Fixtures/cache/v3.sqlite` holds, made with the version that had checksums and no such columns.
    private static let pages = [
        page(PageRequest(), #"{"current":1,"pages":42,"count":826,"next":2,"previous":null}"#, 826, 42, .number(2)),
        page(
            PageRequest(page: .number(42)), #"{"current":42,"pages":42,"count":826,"next":null,"previous":41}"#, 826,
            42,
            nil),
        page(
            third, #"{"current":"a\"b","pages":null,"count":null,"next":"é\\ 2","previous":null}"#, nil, nil,
            .opaque("é\\ 2")),
        page(
            PageRequest(page: .number(3)), #"{"current":3,"pages":41,"count":826,"next":4,"previous":2}"#, 826, 41,
            .number(4), isInvalidated: true),
    ]

    private static func page(
        _ request: PageRequest, _ info: String, _ count: Int?, _ pages: Int?, _ next: PageToken?,
        isInvalidated: Bool = false
    ) -> PageEntity {
        PageEntity(
            key: PageKey(resource: Entries.character, request), ids: ["1", "2"], info: Array(info.utf8),
            fetchedAt: Timestamp(milliseconds: 1_700_000_000_003), isInvalidated: isInvalidated, count: count,
            pages: pages, next: next, validators: Validators(etag: "\"e\"", lastModified: nil))
    }

    private static var fixture: String {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(5)
        return root.joined(separator: "/") + "/Fixtures/cache/v3.sqlite"
    }

    @Test func olderRowsStayHitsAndAreNotWrittenAnew() async throws {
        try folder.write(Files.read(FilePath(Self.fixture)), to: "cache.sqlite")
        let source = make()
        // What brings the file up to date is a write.
        await source.flush()
        for page in Self.pages { #expect(try await source.page(page.key)?.page == page) }
        #expect(await source.statistics().damaged == 0)
        await source.close()
        #expect(faults.parts == [])
        let connection = try SQLiteConnection(path: folder.file("cache.sqlite"))
        #expect(try connection.integer("PRAGMA user_version") == 5)
        #expect(try connection.integer("SELECT count(next) + count(pages) FROM pages") == 0)
        #expect(try connection.integer("SELECT count(checksum) FROM pages") == Int64(Self.pages.count))
    }

    /// Also of a row that was there before: whoever brings it anew writes the columns.
    @Test(arguments: [false, true]) func whatIsKeptIsNotParsedAgain(_ isOlder: Bool) async throws {
        if isOlder { try folder.write(Files.read(FilePath(Self.fixture)), to: "cache.sqlite") }
        let source = make()
        let items = ["1", "2"].map { Entries.item($0) }
        for page in Self.pages { source.save(LocalChange(items: items, page: page)) }
        await source.close()
        let connection = try SQLiteConnection(path: folder.file("cache.sqlite"))
        // Nothing checks a row without a checksum but its JSON: what the info says would be believed.
        try connection.execute(
            #"UPDATE pages SET info = CAST('{"pages":7,"next":7}' AS BLOB), checksum = NULL"#)
        let again = make()
        for page in Self.pages {
            let found = try #require(try await again.page(page.key)?.page)
            #expect(found.next == page.next)
            #expect(found.pages == page.pages)
        }
    }

    /// As the cache of 0.1 had it: what is no page info says nothing.
    @Test(arguments: [
        #"{}"#, #"{"next":true,"pages":"2"}"#, #"{"next":1.5,"pages":1e99}"#, #"{"next":null,"pages":null}"#,
    ])
    func olderInfoMaySayNothing(_ info: String) async throws {
        let source = make()
        let items = ["1", "2"].map { Entries.item($0) }
        source.save(LocalChange(items: items, page: Self.pages[0]))
        await source.close()
        let connection = try SQLiteConnection(path: folder.file("cache.sqlite"))
        try connection.run(
            "UPDATE pages SET info = CAST(? AS BLOB), checksum = NULL, next = NULL, pages = NULL", .text(info))
        let found = try #require(try await make().page(Self.pages[0].key)?.page)
        #expect(found.next == nil)
        #expect(found.pages == nil)
    }
}
