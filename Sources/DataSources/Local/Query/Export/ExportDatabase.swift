import CSQLite
import System

/// An SQLite file for other programs, to which Larder writes STRICT tables (https://sqlite.org/stricttables.html).
// Exclusivity: only one thread uses the database. No access to a property encloses another access.
final class ExportDatabase {
    @exclusivity(unchecked) private var handle: OpaquePointer?

    /// Opens a file. A missing file is created with permissions for its owner only.
    ///
    /// - Parameter isSafe: whether a crash must leave the file in its previous state. False for a file that is
    ///   discarded after a failure.
    /// - Throws: `SQLiteError` if the file cannot be opened, or is not an SQLite file. The message does not contain the
    ///   path.
    init(_ path: FilePath, isSafe: Bool) throws(SQLiteError) {
        SQLiteConnection.configureMemory
        // Another user may have created a file of this name in the meantime.
        let isNew = isSafe ? 0 : O_EXCL | O_NOFOLLOW
        let descriptor = open(path.cString, O_RDWR | O_CREAT | O_CLOEXEC | isNew, 0o600)
        guard descriptor >= 0 else {
            throw SQLiteError(code: SQLITE_CANTOPEN, message: .withShortage(String(cString: strerror(errno))))
        }
        SystemCall.close(descriptor)
        // SQLite treats names such as `:memory:` specially.
        let name = path.isAbsolute ? path : "./" + path
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(name.cString, &handle, flags, nil)
        guard code == SQLITE_OK, handle != nil else {
            defer { close() }
            throw handle.map { SQLiteError(code, of: $0) } ?? SQLiteError(code: code, message: "out of memory")
        }
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, 5000)
        if isSafe {
            // The schema of an existing file may come from another program.
            try check(larder_sqlite_set(handle, SQLITE_DBCONFIG_DEFENSIVE, 1))
            try execute("PRAGMA trusted_schema = 0")
        } else {
            try execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        }
    }

    deinit { close() }

    /// Closes the file. Later calls fail.
    func close() {
        sqlite3_close_v2(handle)
        handle = nil
    }

    func execute(_ sql: String) throws(SQLiteError) { try check(sqlite3_exec(handle, sql, nil, nil, nil)) }

    /// Returns whether the file has a table or a view with the given name.
    func hasTable(_ name: String) throws(SQLiteError) -> Bool {
        var found = false
        let sql = "SELECT 1 FROM sqlite_schema WHERE name = ?1 COLLATE NOCASE AND type IN ('table', 'view')"
        try withStatement(sql) { (statement) throws(SQLiteError) in
            try check(sqlite3_bind_text(statement, 1, name, -1, larder_sqlite_transient()))
            let code = sqlite3_step(statement)
            found = code == SQLITE_ROW
            if !found { try finish(code) }
        }
        return found
    }

    /// Creates a STRICT table.
    func createTable(_ name: String, _ columns: [ExportColumn]) throws(SQLiteError) {
        let list = columns.map { "\($0.name.quotedName) \($0.type.rawValue)" }.joined(separator: ", ")
        try execute("CREATE TABLE \(name.quotedName) (\(list)) STRICT")
    }

    /// Calls `body` with a statement that inserts a row of `count` values.
    func inserting(
        into name: String, _ count: Int, _ body: (OpaquePointer) throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        let values = Array(repeating: "?", count: count).joined(separator: ", ")
        try withStatement("INSERT INTO \(name.quotedName) VALUES (\(values))", body)
    }

    /// Runs an `INSERT` statement, and resets the statement for the next row.
    func insert(_ statement: OpaquePointer) throws(SQLiteError) {
        try finish(sqlite3_step(statement))
        sqlite3_reset(statement)
    }

    func check(_ code: Int32) throws(SQLiteError) {
        guard code == SQLITE_OK else {
            throw handle.map { SQLiteError(code, of: $0) } ?? SQLiteError(code: code, message: "the file is closed")
        }
    }

    private func finish(_ code: Int32) throws(SQLiteError) { if code != SQLITE_DONE { try check(code) } }

    private func withStatement(
        _ sql: String, _ body: (OpaquePointer) throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
        defer { sqlite3_finalize(statement) }
        guard let statement else { return }
        try body(statement)
    }
}

/// A column of an exported table.
struct ExportColumn {
    /// The type of a column in a STRICT table.
    enum Kind: String {
        case integer = "INTEGER"
        case real = "REAL"
        case text = "TEXT"
        case any = "ANY"
    }

    let name: String
    var type: Kind

    /// Returns whether the column can store values of an SQLite type (`SQLITE_TEXT` and others) unchanged.
    func accepts(_ storage: Int32) -> Bool {
        switch (type, storage) {
        case (.any, _), (_, SQLITE_NULL), (.integer, SQLITE_INTEGER), (.real, SQLITE_FLOAT), (.text, SQLITE_TEXT): true
        default: false
        }
    }
}
