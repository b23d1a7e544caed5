import TestSupport
import Testing

@testable import DataSources

/// Tests connections to a file whose log index was partly overwritten.
@Suite(.limited) struct WriteAheadIndexTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func connect() throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: folder.file("a.sqlite"))
        try connection.execute("PRAGMA journal_mode = WAL")
        return connection
    }

    /// The byte of the index at which the page number of the log's first frame starts.
    private static let firstPage = 136

    /// Sets a range of bytes of the log index to zero, as a truncation does.
    private func clear(_ connection: SQLiteConnection, _ bytes: Range<Int>) throws {
        let region = UnsafeMutableRawPointer(mutating: try #require(try connection.walIndex()))
        region.advanced(by: bytes.lowerBound).initializeMemory(as: UInt8.self, repeating: 0, count: bytes.count)
    }

    /// A running statement uses the page that it read with the incomplete index. SQLite cannot release the page yet. If
    /// another connection rebuilds the index with the same contents, SQLite does not notice that its page is wrong.
    @Test func sqlitePageReadWithAnIncompleteWALIndexIsNotUsedAgain() throws {
        let (one, other) = (try connect(), try connect())
        let sql = "SELECT v FROM t"
        try one.execute("CREATE TABLE t (v); INSERT INTO t VALUES ('old')")
        try one.emptyLog()
        try one.execute("UPDATE t SET v = 'new'")
        // The first connection rebuilds the index and drops its cached pages.
        try clear(one, 0..<Self.firstPage + 4)
        _ = try one.integer("PRAGMA user_version")
        // Without the number of the first frame, the first connection reads the old page from the file.
        try clear(one, Self.firstPage..<Self.firstPage + 4)
        let error = #expect(throws: SQLiteError.self) { try one.first(sql) { $0.text(0) } }
        #expect(error == .indexTruncated)
        _ = try other.integer("PRAGMA user_version")
        #expect(try one.first(sql) { $0.text(0) } == "new")
        #expect(try other.first(sql) { $0.text(0) } == "new")
    }
}
