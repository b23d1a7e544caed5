import CSQLite
import JSON
import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// Tests the SQLite files to which all tables, or the rows of a query, are written.
@Suite(.limited) struct TableExportTests {
    private let stage: QueryStage
    private let path: FilePath

    init() throws {
        stage = try QueryStage()
        path = stage.folder.file("export.sqlite")
    }

    private func save() {
        stage.saveTickets([1, 2])
        let notes = QueryStage.notes(team: "a", year: 7)
        stage.save(
            LocalEntries.item(
                "x", of: notes, json: #"{"id":"x","text":"t"}"#, at: stage.clock.now().milliseconds),
            LocalEntries.item("u", of: QueryStage.user, json: #"{"id":"u","Name":"A","name":"b"}"#))
    }

    private func export() async throws(QueryError) -> [QueryTableReport] {
        try await stage.queries.export(to: path, stage.schema)
    }

    /// Returns the rows of a statement over the exported file, with the values of a row separated by `|`.
    private func rows(_ sql: String) throws -> [String] {
        let connection = try SQLiteConnection(path: path)
        defer { connection.close() }
        var rows: [String] = []
        try connection.rows(sql) { row in rows.append(row.text(0)) }
        return rows
    }

    private func type(of column: String, in table: String) throws -> String? {
        try rows("SELECT type FROM pragma_table_info('\(table)') WHERE name = '\(column)'").first
    }

    @Test func everyTableIsWrittenWithItsTypes() async throws {
        save()
        let reports = try await export()
        #expect(reports.map(\.name) == ["ticket", "user", "note-book", "raw"])
        #expect(reports.map(\.rows) == [2, 1, 1, 0])
        #expect(
            try rows("SELECT name FROM pragma_table_list WHERE strict ORDER BY name")
                == ["larder_columns", "larder_tables", "note-book", "raw", "ticket", "user"])
        #expect(try rows("SELECT id || title || state || _partial FROM ticket") == ["1t1open0", "2t2open0"])
        #expect(try rows("SELECT Name || name_2 || _json FROM user") == [#"Ab{"id":"u","Name":"A","name":"b"}"#])
        #expect(try rows(#"SELECT team || year || _scope FROM "note-book""#) == [#"a7{"team":"a","year":7}"#])
        #expect(try rows("SELECT rows || coverage FROM larder_tables WHERE name = 'ticket'") == ["2parts"])
        for (column, type) in [("id", "INTEGER"), ("title", "TEXT"), ("price", "REAL"), ("at", "TEXT")] {
            #expect(try self.type(of: column, in: "ticket") == type)
        }
    }

    @Test func columnStoresValuesOfOtherTypesUnchanged() async throws {
        stage.saveTickets([1])
        stage.save(
            LocalEntries.item(
                "2", of: QueryStage.ticket,
                json: #"{"id":2,"title":"a","state":"open","votes":123456789012345678901,"price":"free"}"#))
        _ = try await export()
        #expect(try rows("SELECT votes || typeof(votes) FROM ticket WHERE id = 2") == ["123456789012345678901text"])
        #expect(try rows("SELECT typeof(price) FROM ticket ORDER BY id") == ["null", "text"])
        #expect(try type(of: "votes", in: "ticket") == "ANY" && type(of: "id", in: "ticket") == "INTEGER")
    }

    @Test func onlyTheOwnerCanReadTheFile() async throws {
        _ = try await export()
        var info = stat()
        #expect(stat(path.cString, &info) == 0 && info.st_mode & 0o777 == 0o600)
        #expect(stage.folder.names.filter { $0.contains("tmp") } == [])
    }

    @Test func replacedFileLosesItsJournal() async throws {
        for suffix in ["", "-wal", "-journal"] {
            try stage.folder.write(Array("old".utf8), to: "export.sqlite" + suffix)
        }
        save()
        _ = try await export()
        #expect(stage.folder.names.filter { $0.hasPrefix("export.sqlite-") } == [])
        #expect(try rows("SELECT count(*) || '' FROM ticket") == ["2"])
    }

    @Test func failedExportLeavesTheOldFile() async throws {
        try stage.folder.write(Array("old".utf8), to: "export.sqlite")
        let (queries, schema, path) = (stage.queries, stage.schema, path)
        stage.saveTickets(1...20_000)
        await stage.source.flush()
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            do throws(QueryError) {
                _ = try await queries.export(to: path, schema)
                return QueryError?.none
            } catch {
                return error
            }
        }
        #expect(await cancelled.value == .cancelled)
        #expect(try String(decoding: Files.read(path), as: UTF8.self) == "old")
        #expect(stage.folder.names.filter { $0.contains("tmp") } == [])
        let missing = stage.folder.file("none/export.sqlite") as FilePath
        await #expect(throws: QueryError.self) { try await queries.export(to: missing, schema) }
    }

    @Test func rowsOfAQueryBecomeATable() throws {
        let rows: [[JSONValue]] = [[1, "a", .number("1.5"), nil, 1], [nil, "b", nil, nil, "x"]]
        try ResultExport.write(["i", "t", "r", "n", "a b"], rows, to: path, table: "result", replaces: false)
        #expect(
            try self.rows("SELECT name || ' ' || type FROM pragma_table_info('result')")
                == ["i INTEGER", "t TEXT", "r REAL", "n ANY", "a b ANY"])
        #expect(try self.rows(#"SELECT t || ifnull(i, '-') || typeof("a b") FROM result"#) == ["a1integer", "b-text"])
        #expect(try self.rows("SELECT strict || '' FROM pragma_table_list('result')") == ["1"])
    }

    @Test func tableIsAddedToAFileAndReplacedOnlyIfAsked() throws {
        func write(_ value: JSONValue, _ table: String, replaces: Bool = false) throws(LocalDataError) {
            try ResultExport.write(["a"], [[value]], to: path, table: table, replaces: replaces)
        }
        try write(1, "x")
        try write(2, "y\"z")
        #expect(throws: LocalDataError("cannot write \(path): the table 'X' exists")) { try write(3, "X") }
        #expect(try rows(#"SELECT x.a || y.a FROM x, "y""z" y"#) == ["12"])
        try write("new", "x", replaces: true)
        #expect(try rows("SELECT a FROM x") == ["new"])
        #expect(throws: LocalDataError.self) { try write(1, "sqlite_x") }
    }

    @Test func fileOfAnotherKindStaysAsItIs() throws {
        let text = String(repeating: "this is no database\n", count: 100)
        try stage.folder.write(Array(text.utf8), to: "export.sqlite")
        #expect(throws: LocalDataError.self) {
            try ResultExport.write(["a"], [[1]], to: path, table: "x", replaces: true)
        }
        #expect(try String(decoding: Files.read(path), as: UTF8.self) == text)
        let missing = stage.folder.file("none.sqlite") as FilePath
        #expect(throws: LocalDataError.self) {
            try ResultExport.write(["a"], [[1]], to: missing, table: "sqlite_x", replaces: false)
        }
        #expect(!Files.exists(missing))
    }
}
