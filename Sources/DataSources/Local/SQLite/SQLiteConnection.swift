import CSQLite

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// One connection to one SQLite file. It is not `Sendable`: the actor that opened it owns it.
final class SQLiteConnection {
    /// Which file was opened, so that a later one under the same name is not taken for it.
    let identity: FileIdentity?
    private var database: OpaquePointer?
    private var statements: [String: SQLiteStatement] = [:]
    /// How long a call waits for another process's lock, in milliseconds.
    var busyTimeout: Int32 {
        didSet { if busyTimeout != oldValue { sqlite3_busy_timeout(database, busyTimeout) } }
    }
    /// Runs the commit of each `writing` that it is given.
    var onCommit: ((_ commit: () throws(SQLiteError) -> Void) throws(SQLiteError) -> Void)?

    /// Opens a file for reading and writing, and creates it, readable by its owner only, where it is missing.
    ///
    /// - Parameter busyTimeout: How long a call waits for another process's lock, in milliseconds.
    init(path: FilePath, busyTimeout: Int32 = 5000) throws(SQLiteError) {
        self.busyTimeout = busyTimeout
        try Self.createFile(path)
        identity = FileIdentity(path: path)
        try connect(Self.name(path))
    }

    /// Opens a file that is there. It is nil where there is none.
    init?(existing path: FilePath, busyTimeout: Int32) throws(SQLiteError) {
        self.busyTimeout = busyTimeout
        // The lock: see `creation`.
        identity = Self.creation.withLock { _ in FileIdentity(path: path) }
        guard identity != nil else { return nil }
        try connect(Self.name(path))
    }

    /// Opens a database that is in memory and ends with the connection.
    init() throws(SQLiteError) {
        busyTimeout = 0
        identity = nil
        try connect(":memory:")
    }

    /// A relative path must not be taken for a URI or for one of SQLite's special names.
    private static func name(_ path: FilePath) -> FilePath { path.isAbsolute ? path : "./" + path }

    private func connect(_ name: FilePath) throws(SQLiteError) {
        // NOMUTEX: only the owning actor's thread calls in, so SQLite need not lock.
        let code = sqlite3_open_v2(name.cString, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let database else {
            defer { close() }
            throw self.database.map { Self.error(code, in: $0) } ?? SQLiteError(code: code, message: "out of memory")
        }
        sqlite3_extended_result_codes(database, 1)
        sqlite3_busy_timeout(database, busyTimeout)
        guard sqlite3_db_readonly(database, "main") == 0 else {
            close()
            throw SQLiteError(code: SQLITE_READONLY, message: "the file cannot be written")
        }
    }

    deinit { close() }

    /// Closes the connection; the last one to a file moves the write-ahead log into it. Later calls fail.
    func close() {
        for statement in statements.values { statement.finalize() }
        statements = [:]
        sqlite3_close_v2(database)
        database = nil
    }

    /// Runs SQL text of any number of statements, without values and without results.
    func execute(_ sql: String) throws(SQLiteError) {
        let database = try opened()
        let code = sqlite3_exec(database, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw Self.error(code, in: database) }
    }

    /// Runs one statement to its end. Returns how many rows it changed.
    @discardableResult
    func run(_ sql: String, _ values: SQLiteValue...) throws(SQLiteError) -> Int {
        try run(sql, values)
    }

    /// Runs one statement to its end. Returns how many rows it changed.
    @discardableResult
    func run(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError) -> Int {
        let database = try opened()
        let before = sqlite3_total_changes64(database)
        try rows(sql, values) { _ in }
        // The total tells whether the statement changed anything; the other count leaves out what triggers did.
        return sqlite3_total_changes64(database) == before ? 0 : Int(sqlite3_changes64(database))
    }

    /// Reads the first row of a query; nil where there is none.
    func first<Row>(
        _ sql: String, _ values: SQLiteValue..., read: (SQLiteStatement) -> Row
    ) throws(SQLiteError) -> Row? {
        try first(sql, values, read: read)
    }

    /// Reads the first row of a query; nil where there is none.
    func first<Row>(
        _ sql: String, _ values: [SQLiteValue], read: (SQLiteStatement) -> Row
    ) throws(SQLiteError) -> Row? {
        let statement = try prepared(sql)
        defer { statement.reset() }
        try statement.bind(values)
        return try statement.step() ? read(statement) : nil
    }

    /// Reads every row of a query.
    func rows(
        _ sql: String, _ values: [SQLiteValue] = [], read: (SQLiteStatement) -> Void
    ) throws(SQLiteError) {
        let statement = try prepared(sql)
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() { read(statement) }
    }

    /// The first column of a query's first row as an integer; 0 where there is no row.
    func integer(_ sql: String) throws(SQLiteError) -> Int64 {
        try first(sql) { $0.integer(0) } ?? 0
    }

    /// The header of the shared index of the write-ahead log, in memory that stays mapped until the connection is closed;
    /// nil where the file has no such log, or where nothing was read yet. SQLite opened it, and nobody else may: closing any descriptor of that file
    /// would drop the locks of this process.
    func walIndex() throws(SQLiteError) -> UnsafeRawPointer? {
        // In this mode SQLite has mapped it when it first read something.
        guard try first("PRAGMA journal_mode", read: { $0.text(0) }) == "wal" else { return nil }
        return larder_wal_index(try opened())
    }

    /// Moves the write-ahead log into the file, as far as nobody reads an older state.
    func moveLog() throws(SQLiteError) { try execute("PRAGMA wal_checkpoint(PASSIVE)") }

    /// Moves the write-ahead log into the file and empties it, if those who read or write get out of the way in time.
    func emptyLog() throws(SQLiteError) { try execute("PRAGMA wal_checkpoint(TRUNCATE)") }

    /// Runs `body` in a transaction that has the write lock from its start: no later statement of it can be refused
    /// because another process wrote meanwhile. An error undoes all of it.
    func writing<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
        try transaction("BEGIN IMMEDIATE", body) { () throws(SQLiteError) in
            let commit = { () throws(SQLiteError) in _ = try self.run("COMMIT") }
            if let onCommit { try onCommit(commit) } else { try commit() }
        }
    }

    /// Runs `body` over one state of the file, whatever other processes write meanwhile.
    func reading<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
        try transaction("BEGIN", body) { () throws(SQLiteError) in _ = try run("COMMIT") }
    }

    private func transaction<Result>(
        _ begin: String, _ body: () throws(SQLiteError) -> Result, commit: () throws(SQLiteError) -> Void
    ) throws(SQLiteError) -> Result {
        try run(begin)
        do {
            let result = try body()
            try commit()
            return result
        } catch {
            // Some errors have rolled back already; then there is nothing left to undo.
            if let database, sqlite3_get_autocommit(database) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }

    private func prepared(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        if let statement = statements[sql] { return statement }
        let statement = try SQLiteStatement(sql, in: try opened())
        statements[sql] = statement
        return statement
    }

    private func opened() throws(SQLiteError) -> OpaquePointer {
        guard let database else { throw SQLiteError(code: SQLITE_MISUSE, message: "the connection is closed") }
        return database
    }

    /// The connection's last error.
    static func error(_ code: Int32, in database: OpaquePointer) -> SQLiteError {
        let message = String(cString: sqlite3_errmsg(database))
        return code & 0xFF == SQLITE_CANTOPEN ? notOpened(message, code) : SQLiteError(code: code, message: message)
    }

    /// SQLite does not tell why.
    private static func notOpened(_ message: String, _ code: Int32) -> SQLiteError {
        SQLiteError(code: code, message: message + (Descriptors.shortage.map { "; " + $0 } ?? ""))
    }
}

extension SQLiteConnection {
    /// Closing any descriptor of a file drops the locks that this process holds on it (POSIX). Every connection comes
    /// through here before it locks anything, so under this lock the new file's descriptor disturbs nobody.
    private static let creation = Lock(())

    /// Creates an empty file, and the folders above it, for their owner only: SQLite itself would let others read.
    private static func createFile(_ path: FilePath) throws(SQLiteError) {
        try creation.withLock { (_) throws(SQLiteError) in
            guard FileIdentity(path: path) == nil else { return }
            try createFolder(path.parent)
            let lock = FolderLock(folderOf: path)
            defer { lock.unlock() }
            guard FileIdentity(path: path) == nil else { return }
            // Left of a file that somebody deleted, they would be taken for the new one's.
            unlink((path + "-wal").cString)
            unlink((path + "-shm").cString)
            let descriptor = openNew(path)
            if descriptor >= 0 {
                Self.closeDescriptor(descriptor)
            } else if errno != EEXIST {
                throw systemError("cannot create the file")
            }
        }
    }

    private static func openNew(_ path: FilePath) -> Int32 {
        open(path.cString, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    }

    /// The system's `close`, which the method of that name hides.
    private static func closeDescriptor(_ descriptor: Int32) {
        #if canImport(Glibc)
            _ = Glibc.close(descriptor)
        #else
            _ = Darwin.close(descriptor)
        #endif
    }

    private static func createFolder(_ path: FilePath) throws(SQLiteError) {
        guard !path.isEmpty, mkdir(path.cString, 0o700) != 0, errno != EEXIST else { return }
        guard errno == ENOENT else { throw systemError("cannot create the folder \(path)") }
        try createFolder(path.parent)
        guard mkdir(path.cString, 0o700) == 0 || errno == EEXIST else {
            throw systemError("cannot create the folder \(path)")
        }
    }

    static func systemError(_ what: String) -> SQLiteError {
        notOpened("\(what): \(String(cString: strerror(errno)))", SQLITE_CANTOPEN)
    }
}
