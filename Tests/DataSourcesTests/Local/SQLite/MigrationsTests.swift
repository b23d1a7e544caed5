import System
import TestSupport
import Testing

@testable import DataSources

@Suite(.limited) struct MigrationsTests {
    let folder: TemporaryDirectory
    let steps = ["CREATE TABLE a (x)", "CREATE TABLE b (y); INSERT INTO a VALUES (7)"]

    init() throws { folder = try TemporaryDirectory() }

    private func connect() throws(SQLiteError) -> SQLiteConnection {
        try SQLiteConnection(path: folder.file("test.sqlite"))
    }

    @Test func eachMigrationStepRunsOnceOnANewFile() throws {
        let connection = try connect()
        for _ in 0..<2 { try Migrations(applicationID: 77, steps: steps).apply(to: connection) }
        #expect(try connection.integer("PRAGMA user_version") == 2)
        #expect(try connection.integer("PRAGMA application_id") == 77)
        #expect(try connection.integer("SELECT count(*) FROM a, (SELECT count(*) FROM b)") == 1)
    }

    @Test func missingMigrationStepsAreAppliedToAnOlderFile() throws {
        let connection = try connect()
        try Migrations(applicationID: 77, steps: [steps[0]]).apply(to: connection)
        try connection.execute("INSERT INTO a VALUES (1)")
        try Migrations(applicationID: 77, steps: steps).apply(to: connection)
        #expect(try connection.integer("SELECT sum(x) FROM a") == 8)
    }

    @Test func failedMigrationStepIsRolledBackAndEarlierStepsStay() throws {
        let connection = try connect()
        let broken = Migrations(applicationID: 77, steps: [steps[0], "CREATE TABLE c (x); NO SQL"])
        #expect(throws: SQLiteError.self) { try broken.apply(to: connection) }
        #expect(try connection.integer("PRAGMA user_version") == 1)
        #expect(try connection.integer("SELECT count(*) FROM sqlite_schema") == 1)
        try Migrations(applicationID: 77, steps: steps).apply(to: connection)
        #expect(try connection.integer("PRAGMA user_version") == 2)
    }

    @Test func databaseOfANewerVersionIsRefused() throws {
        let connection = try connect()
        try Migrations(applicationID: 77, steps: steps).apply(to: connection)
        let error = #expect(throws: SQLiteError.self) {
            try Migrations(applicationID: 77, steps: [steps[0]]).apply(to: connection)
        }
        let expected =
            "the file has the schema version 2, but this version of Larder supports only versions up to 1; update Larder"
        #expect(error?.message == expected)
        #expect(error?.isCorrupt == false)
    }

    @Test func schemaVersionStartsAtTheOldestSupportedVersion() throws {
        let connection = try connect()
        try Migrations(applicationID: 77, base: 5, steps: [steps[0]]).apply(to: connection)
        #expect(try connection.integer("PRAGMA user_version") == 6)
        try connection.execute("INSERT INTO a VALUES (1)")
        try Migrations(applicationID: 77, base: 5, steps: steps).apply(to: connection)
        #expect(try connection.integer("PRAGMA user_version") == 7)
        #expect(try connection.integer("SELECT sum(x) FROM a") == 8)
    }

    @Test(arguments: [1, 5]) func fileWithAnUnsupportedOldVersionIsSetAside(_ version: Int) throws {
        let connection = try connect()
        try Migrations(applicationID: 77, steps: [steps[0]]).apply(to: connection)
        try connection.execute("PRAGMA user_version = \(version)")
        connection.close()
        let file = DatabaseFile(
            path: folder.file("test.sqlite"), migrations: Migrations(applicationID: 77, base: 5, steps: steps),
            synchronous: "NORMAL", cacheSize: 64)
        let message = "the file's schema version \(version) is no longer supported, so Larder creates a new file"
        #expect(throws: SQLiteError(code: 11, message: message)) {
            try file.openToRead(busyTimeout: 1000)
        }
        let opening = try file.open(now: Timestamp(milliseconds: 0))
        #expect(opening.rebuilt?.contains("schema version \(version)") == true)
        #expect(try opening.connection.integer("PRAGMA user_version") == 7)
    }

    @Test(arguments: ["PRAGMA application_id = 5", "CREATE TABLE other (x)", "PRAGMA user_version = 1"])
    func fileOfAnotherProgramIsRefused(_ sql: String) throws {
        let connection = try connect()
        try connection.execute(sql)
        let error = #expect(throws: SQLiteError.self) {
            try Migrations(applicationID: 77, steps: steps).apply(to: connection)
        }
        #expect(error?.message == "the file is another program's database; use another folder")
    }

    @Test func worldWritableFileIsNotOpened() throws {
        var file = DatabaseFile(
            path: folder.file("test.sqlite"), migrations: Migrations(applicationID: 77, steps: steps),
            synchronous: "NORMAL", cacheSize: 64)
        try file.open(now: Timestamp(milliseconds: 0)).connection.close()
        file.trust = .found
        try #require(try file.openToRead(busyTimeout: 1000)).close()
        chmod(file.path.cString, 0o666)
        let error = #expect(throws: SQLiteError.self) { try file.openToRead(busyTimeout: 1000) }
        #expect(error?.primaryCode == 3, "SQLITE_PERM")
    }

    @Test func concurrentMigrationsSucceed() async throws {
        let file = DatabaseFile(
            path: folder.file("test.sqlite"), migrations: Migrations(applicationID: 77, steps: steps),
            synchronous: "NORMAL", cacheSize: 64)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let connection = try file.open(now: Timestamp(milliseconds: 0)).connection
                    #expect(try connection.integer("SELECT count(*) FROM a") == 1)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func openedFileHasTheConfiguredPragmas() throws {
        let file = DatabaseFile(
            path: folder.file("test.sqlite"), migrations: Migrations(applicationID: 77, steps: steps),
            synchronous: "NORMAL", cacheSize: 64)
        let connection = try file.open(now: Timestamp(milliseconds: 0)).connection
        #expect(try connection.first("PRAGMA journal_mode") { $0.text(0) } == "wal")
        #expect(try connection.integer("PRAGMA auto_vacuum") == 2)
        #expect(try connection.integer("PRAGMA synchronous") == 1)
        #expect(try connection.integer("PRAGMA cache_size") == -64)
    }

    @Test func databaseConnectionReportsItsErrors() throws {
        let connection = try connect()
        let error = #expect(throws: SQLiteError.self) { try connection.run("SELECT * FROM missing") }
        #expect(error == SQLiteError(code: 11, message: "no such table: missing"), "the schema lacks the table")
        #expect(throws: SQLiteError(code: 1, message: "malformed JSON")) { try connection.run("SELECT json('}')") }
        try connection.execute("CREATE TABLE t (x UNIQUE)")
        try connection.run("INSERT INTO t VALUES (?)", .blob([]))
        #expect(try connection.first("SELECT typeof(x) FROM t") { $0.text(0) } == "blob")
        #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO t VALUES (?)", .blob([])) }
        // A failed statement can be run again.
        #expect(try connection.run("INSERT INTO t VALUES (?)", .text("")) == 1)
        connection.close()
        #expect(throws: SQLiteError.self) { try connection.integer("SELECT 1") }
    }

    @Test func failedDatabaseTransactionIsRolledBack() throws {
        let connection = try connect()
        try connection.execute("CREATE TABLE t (x)")
        #expect(throws: SQLiteError.self) {
            try connection.writing { () throws(SQLiteError) in
                try connection.run("INSERT INTO t VALUES (1)")
                try connection.run("INSERT INTO missing VALUES (1)")
            }
        }
        #expect(try connection.integer("SELECT count(*) FROM t") == 0)
        try connection.writing { () throws(SQLiteError) in _ = try connection.run("INSERT INTO t VALUES (2)") }
        #expect(try connection.integer("SELECT count(*) FROM t") == 1)
    }
}
