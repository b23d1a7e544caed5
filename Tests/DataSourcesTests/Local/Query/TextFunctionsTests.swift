import CSQLite
import System
import TestSupport
import Testing

@testable import DataSources

/// Compares the functions that replace those of SQLite with SQLite's own.
@Suite(.limited) struct TextFunctionsTests {
    private static let texts = [
        "''", "'a'", "' a '", "'aaa'", "'abcabc'", "'ünïü'", "'日本日本'", "'  '", "'b'", "'bc'", "' \t'", "'🦉x🦉'", "'aab'",
        "NULL", "12", "-1.5", "x''", "x'61'", "x'610062'", "char(0)", "char(97, 0, 98)", "'%'",
    ]

    /// Runs a statement on a new connection, and returns its rows.
    private static func rows(of sql: String, isReplaced: Bool) throws -> [String] {
        // SQLite cannot count its memory if a connection was opened before.
        SQLiteConnection.configureMemory
        var handle: OpaquePointer?
        #expect(sqlite3_open_v2(":memory:", &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, nil) == SQLITE_OK)
        defer { sqlite3_close_v2(handle) }
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, 4 << 20)
        if isReplaced { #expect(TextFunctions.register(at: handle) == SQLITE_OK) }
        var statement: OpaquePointer?
        #expect(sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK)
        defer { sqlite3_finalize(statement) }
        var rows: [String] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                let text = sqlite3_column_text(statement, 0)
                rows.append(try #require(text.map { String(cString: $0) }))
            case SQLITE_DONE: return rows
            default:
                rows.append(String(cString: sqlite3_errmsg(handle)))
                return rows
            }
        }
    }

    private static func shown(_ call: String) -> String {
        "typeof(\(call)) || ' ' || hex(\(call)) || ' ' || quote(\(call))"
    }

    @Test(arguments: ["instr(a, b)", "trim(a, b)", "ltrim(a, b)", "rtrim(a, b)", "trim(a)", "ltrim(a)", "rtrim(a)"])
    func functionReturnsTheSameValuesAsInSQLite(call: String) throws {
        let values = Self.texts.map { "(\($0))" }.joined(separator: ", ")
        let sql = "with t(a) as (values \(values)), s(b) as (select a from t) select \(Self.shown(call)) from t, s"
        let expected = try Self.rows(of: sql, isReplaced: false)
        #expect(expected.count == Self.texts.count * Self.texts.count)
        #expect(try Self.rows(of: sql, isReplaced: true) == expected)
    }

    @Test func functionReplaceReturnsTheSameTextsAsInSQLite() throws {
        let values = Self.texts.map { "(\($0))" }.joined(separator: ", ")
        let sql = """
            with t(a) as (values \(values)), s(b) as (select a from t), r(c) as (select a from t)
            select \(Self.shown("replace(a, b, c)")) from t, s, r
            """
        let expected = try Self.rows(of: sql, isReplaced: false)
        #expect(expected.count > 10_000)
        #expect(try Self.rows(of: sql, isReplaced: true) == expected)
    }

    @Test func textOverTheLimitIsAnError() throws {
        let long = "hex(zeroblob(1000000))"
        for isReplaced in [true, false] {
            let rows = try Self.rows(of: "select replace(\(long), '0', '000')", isReplaced: isReplaced)
            #expect(rows == ["string or blob too big"])
        }
        #expect(try Self.rows(of: "select length(replace(\(long), '0', '00'))", isReplaced: true) == ["4000000"])
    }
}
