import CSQLite
import CSQLiteMemory
import System

/// A connection to an SQLite file. The connection is not `Sendable`: only the actor that opened it may use it.
// Exclusivity: only the actor that owns the connection uses it. No access to a property encloses another access.
final class SQLiteConnection {
    /// The identity of the opened file. Another file that later gets the same path has a different identity.
    let identity: FileIdentity?
    @exclusivity(unchecked) private var database: OpaquePointer?
    @exclusivity(unchecked) private var statements: [StatementText: SQLiteStatement] = [:]
    /// The maximum time that a call waits for another process's lock, in milliseconds.
    var busyTimeout: Int32 {
        didSet { if busyTimeout != oldValue { sqlite3_busy_timeout(database, busyTimeout) } }
    }
    /// A closure that is called to commit a write transaction. The closure must call its argument `commit`, which
    /// commits the transaction.
    var onCommit: ((_ commit: () throws(SQLiteError) -> Void) throws(SQLiteError) -> Void)?

    /// A closure that is called at the start of each write transaction, after the connection has taken the write lock.
    var onWriting: (() throws(SQLiteError) -> Void)?
    /// The index of the file's write-ahead log, which all processes share; nil for a database in memory.
    @exclusivity(unchecked) private var index: WriteAheadIndex?
    /// Whether SQLite's page cache may contain wrong pages, because the index of the write-ahead log was truncated.
    @exclusivity(unchecked) private var hasDoubtfulPages = false

    /// Opens a file for reading and writing. A missing file is created with permissions for its owner only.
    ///
    /// - Parameter busyTimeout: The maximum time that a call waits for another process's lock, in milliseconds.
    init(path: FilePath, busyTimeout: Int32 = 5000) throws(SQLiteError) {
        self.busyTimeout = busyTimeout
        index = WriteAheadIndex(of: path)
        try DatabaseCreation.createFile(path, timeout: busyTimeout)
        identity = FileIdentity(path: path)
        try connect(Self.name(path))
    }

    /// Opens an existing database file. Returns nil if there is no file.
    init?(existing path: FilePath, busyTimeout: Int32) throws(SQLiteError) {
        self.busyTimeout = busyTimeout
        index = WriteAheadIndex(of: path)
        identity = DatabaseCreation.identity(of: path)
        guard identity != nil else { return nil }
        try connect(Self.name(path))
    }

    /// Opens a database in memory. Its data is lost when the connection closes.
    init() throws(SQLiteError) {
        busyTimeout = 0
        identity = nil
        try connect(":memory:")
    }

    /// Returns the path under which SQLite opens a file. A relative path gets the prefix `./`, because SQLite treats
    /// names such as `:memory:` specially.
    private static func name(_ path: FilePath) -> FilePath { path.isAbsolute ? path : "./" + path }

    /// Turns off SQLite's memory statistics, which take a lock at each allocation. Instead, SQLite's memory can be
    /// counted per thread. Does nothing if SQLite is already initialized.
    static let configureMemory: Void = larder_sqlite_configure_memory()

    private func connect(_ name: FilePath) throws(SQLiteError) {
        Self.configureMemory
        // NOMUTEX: only the thread of the owning actor uses the connection, so SQLite need not lock.
        let code = sqlite3_open_v2(
            name.cString, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, ShortSleepVFS.name)
        guard code == SQLITE_OK, let database else {
            defer { close() }
            throw self.database.map { SQLiteError(code, of: $0) } ?? SQLiteError(code: code, message: "out of memory")
        }
        sqlite3_extended_result_codes(database, 1)
        sqlite3_busy_timeout(database, busyTimeout)
        guard sqlite3_db_readonly(database, "main") == 0 else {
            close()
            throw SQLiteError(code: SQLITE_READONLY, message: "the file is not writable; add write permission")
        }
    }

    /// Disables three SQLite features that a manipulated database file could exploit: views, writes to the schema
    /// table, and memory-mapped reads.
    ///
    /// - Throws: `SQLITE_ERROR` if the SQLite library cannot disable one of these features. The caller must then close
    ///   the connection.
    // Without these features, no statement can recurse forever. Only views and triggers can recurse, and `SchemaGuard`
    // rejects triggers before the first write.
    func harden() throws(SQLiteError) {
        try set(SQLITE_DBCONFIG_DEFENSIVE, to: 1)
        try set(SQLITE_DBCONFIG_ENABLE_VIEW, to: 0)
        try execute("PRAGMA mmap_size = 0")
    }

    /// Turns an option of the connection (`SQLITE_DBCONFIG_...`) on or off.
    func set(_ option: Int32, to value: Int32) throws(SQLiteError) {
        let code = larder_sqlite_set(try opened(), option, value)
        guard code == SQLITE_OK else {
            // `sqlite3_errmsg` has no text for this error.
            throw SQLiteError(
                code: code,
                message: "this SQLite does not support option \(option) of sqlite3_db_config; install a newer SQLite")
        }
    }

    deinit { close() }

    /// Closes the connection. If no other connection to the file is open, SQLite copies the write-ahead log into the
    /// file and deletes the log. Later calls fail.
    func close() {
        for statement in statements.values { statement.finalize() }
        statements = [:]
        // The last connection uses the index to move the log into the file. An incomplete index is therefore reset
        // first.
        if index?.isWhole == false { index?.reset() }
        index?.region = nil
        sqlite3_close_v2(database)
        database = nil
    }

    /// Runs one or more SQL statements without parameters. Ignores all results.
    func execute(_ sql: String) throws(SQLiteError) {
        let database = try opened()
        let code = sqlite3_exec(database, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code, of: database) }
    }

    /// Runs one SQL statement with the given parameters. Returns the number of changed rows.
    @discardableResult
    func run(_ sql: String, _ values: SQLiteValue...) throws(SQLiteError) -> Int {
        try run(sql, values)
    }

    /// Runs one SQL statement with an array of parameters. Returns the number of changed rows.
    @discardableResult
    func run(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError) -> Int {
        let database = try opened()
        let before = sqlite3_total_changes64(database)
        try rows(sql, values) { _ in }
        // If this statement changes nothing, `sqlite3_changes64` may still return the count of an earlier statement.
        // The difference of the totals would include changes by triggers.
        return sqlite3_total_changes64(database) == before ? 0 : Int(sqlite3_changes64(database))
    }

    /// Reads the first row of a query with the given parameters. Returns nil if there are no rows.
    func first<Row>(
        _ sql: String, _ values: SQLiteValue..., read: (SQLiteStatement) -> Row
    ) throws(SQLiteError) -> Row? {
        try first(sql, values, read: read)
    }

    /// Reads the first row of a query with an array of parameters. Returns nil if there are no rows.
    func first<Row>(
        _ sql: String, _ values: [SQLiteValue], read: (SQLiteStatement) -> Row
    ) throws(SQLiteError) -> Row? {
        try running(sql, values) { (statement) throws(SQLiteError) in try statement.step() ? read(statement) : nil }
    }

    /// Reads every row of a query.
    func rows(
        _ sql: String, _ values: [SQLiteValue] = [], read: (SQLiteStatement) -> Void
    ) throws(SQLiteError) {
        try running(sql, values) { (statement) throws(SQLiteError) in while try statement.step() { read(statement) } }
    }

    /// Creates a statement that the connection does not cache. The caller must free it before the connection closes.
    func makeStatement(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        try SQLiteStatement(sql, in: opened())
    }

    /// Installs a meter that can interrupt statements. Before the meter is freed, pass nil to remove it.
    func stopStatements(if meter: QueryMeter?) {
        guard let meter else { return sqlite3_progress_handler(database, 0, nil, nil) }
        sqlite3_progress_handler(database, 1000, QueryMeter.handler, meter.pointer)
    }

    /// Returns the first column of a query's first row as an integer. Returns 0 if there are no rows.
    func integer(_ sql: String) throws(SQLiteError) -> Int64 {
        try first(sql) { $0.integer(0) } ?? 0
    }

    /// The row id of the row that the last INSERT statement added.
    var lastInsertedRow: Int64 { database.map { sqlite3_last_insert_rowid($0) } ?? 0 }

    /// Returns the address of the write-ahead log's index in memory. Returns nil if the file has no write-ahead log, or
    /// if SQLite has read nothing from the file yet. The address stays valid until the connection is closed.
    // Only SQLite may open the index file, because closing any descriptor of the file would drop this process's locks
    // on it.
    func walIndex() throws(SQLiteError) -> UnsafeRawPointer? {
        // In WAL mode, SQLite maps the index when it first reads the file.
        guard try first("PRAGMA journal_mode", read: { $0.text(0) }) == "wal" else { return nil }
        let region = larder_wal_index(try opened())
        index?.region = UnsafeMutableRawPointer(mutating: region)
        return region
    }

    /// Returns an upper bound for the size of the database pages in use, in bytes. Returns nil if the size is unknown.
    // The bound comes from the header of the log's index.
    func maxSize(pageSize: Int) -> Int? {
        guard let region = index?.region, case let pages = Int(larder_wal_pages(region)), pages > 0 else { return nil }
        return pages * pageSize
    }

    /// Checks that no program has truncated the index of the write-ahead log (the `-shm` file) during the current
    /// transaction. After a truncation, the results of the transaction may be wrong.
    ///
    /// - Throws: `SQLiteError.indexTruncated`, or `SQLiteError.unshared` if this process no longer shares the index
    ///   with other processes.
    // SQLite's cached pages may be wrong, too, so they are released before the next transaction. The next attempt
    // rebuilds the index.
    func checkIndex() throws(SQLiteError) {
        guard let index, let database else { return }
        if index.isUnshared { throw .unshared }
        guard index.wasTruncated || !index.isWhole else { return }
        if index.region == nil { self.index?.region = UnsafeMutableRawPointer(mutating: larder_wal_index(database)) }
        self.index?.reset()
        hasDoubtfulPages = true
        throw .indexTruncated
    }

    /// Runs a passive checkpoint: copies the write-ahead log into the database file, except for frames that a reader
    /// still needs.
    func checkpoint() throws(SQLiteError) { try execute("PRAGMA wal_checkpoint(PASSIVE)") }

    /// Runs a truncating checkpoint: copies the write-ahead log into the database file, and empties the log. The log is
    /// not emptied if another connection uses it for longer than the lock timeout.
    func emptyLog() throws(SQLiteError) { try execute("PRAGMA wal_checkpoint(TRUNCATE)") }

    /// Runs `body` in a transaction that takes the write lock at its start (`BEGIN IMMEDIATE`). An error rolls the
    /// transaction back.
    func writing<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
        let checked = { () throws(SQLiteError) in
            try self.onWriting?()
            return try body()
        }
        return try transaction("BEGIN IMMEDIATE", checked) { () throws(SQLiteError) in
            let commit = { () throws(SQLiteError) in
                try self.checkIndex()
                if self.index?.isMade == false {
                    self.hasDoubtfulPages = true
                    throw .indexTruncated
                }
                try self.run("COMMIT")
            }
            if let onCommit { try onCommit(commit) } else { try commit() }
        }
    }

    /// Runs `body` in a read transaction. All of its reads see the same snapshot of the file.
    func reading<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
        try transaction("BEGIN", body) { () throws(SQLiteError) in _ = try run("COMMIT") }
    }

    private func transaction<Result>(
        _ begin: String, _ body: () throws(SQLiteError) -> Result, commit: () throws(SQLiteError) -> Void
    ) throws(SQLiteError) -> Result {
        do {
            try run(begin)
            let result = try body()
            try commit()
            return result
        } catch {
            // After some errors, SQLite has already rolled back. There is then nothing to undo.
            if let database, sqlite3_get_autocommit(database) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }

    private func running<Result>(
        _ sql: String, _ values: [SQLiteValue], _ body: (SQLiteStatement) throws(SQLiteError) -> Result
    ) throws(SQLiteError) -> Result {
        let statement = try prepared(sql)
        defer { statement.reset() }
        try statement.bind(values)
        do {
            let result = try body(statement)
            try checkIndex()
            return result
        } catch {
            throw diagnosed(error, sql)
        }
    }

    private func prepared(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        if let database, sqlite3_get_autocommit(database) != 0 { begin(database) }
        if let statement = statements[StatementText(sql: sql)] { return statement }
        do {
            let statement = try SQLiteStatement(sql, in: try opened())
            statements[StatementText(sql: sql)] = statement
            return statement
        } catch {
            try checkIndex()
            throw error.asForeignSchema
        }
    }

    /// Prepares the connection for a new transaction or a single statement. Discards SQLite's page cache if the index
    /// of the write-ahead log was truncated.
    private func begin(_ database: OpaquePointer) {
        index?.begin()
        // SQLite keeps the pages that a running statement uses, so an earlier release would miss them. SQLite itself
        // drops all pages only if another connection has rebuilt the index with other contents.
        if hasDoubtfulPages { sqlite3_db_release_memory(database) }
        hasDoubtfulPages = false
    }

    /// Returns a more specific error if another program caused the failure of a statement, for example by changing the
    /// schema. Otherwise returns the given error.
    private func diagnosed(_ error: SQLiteError, _ sql: String) -> SQLiteError {
        do throws(SQLiteError) {
            try checkIndex()
            if error.primaryCode == SQLITE_ERROR { try SQLiteStatement(sql, in: opened()).finalize() }
            return error
        } catch {
            return error.asForeignSchema
        }
    }

    private func opened() throws(SQLiteError) -> OpaquePointer {
        guard let database else { throw SQLiteError(code: SQLITE_MISUSE, message: "the connection is closed") }
        return database
    }
}
