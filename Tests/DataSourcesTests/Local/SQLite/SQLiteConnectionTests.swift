import TestSupport
import Testing

@testable import DataSources

@Suite(.limited) struct SQLiteConnectionTests {
    @Test func hardenedConnectionRefusesViews() throws {
        let connection = try SQLiteConnection()
        try connection.execute("CREATE VIEW v AS SELECT 7")
        #expect(try connection.integer("SELECT * FROM v") == 7)
        try connection.harden()
        #expect(throws: SQLiteError.self) { try connection.integer("SELECT count(*) FROM v") }
    }

    @Test func unknownDatabaseOptionIsAnError() throws {
        let connection = try SQLiteConnection()
        let error = #expect(throws: SQLiteError.self) { try connection.set(-1, to: 1) }
        #expect(error?.message.contains("option -1") == true)
    }
}
