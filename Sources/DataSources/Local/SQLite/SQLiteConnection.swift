import CSQLite
import System

/// One connection to one SQLite file. It is not `Sendable`: the actor that opened it owns it.
// Exclusivity: only the actor that owns the connection uses it, and no access to a property encloses another one.
final class SQLiteConnection {
    /// Which file was opened, so that a later one under the same name is not taken for it.
    let identity: FileIdentity?
    @exclusivity(unchecked) private var database: OpaquePointer?
    @exclusivity(unchecked) private var statements: [StatementText: SQLiteStatement] = [:]
    /// How long a call waits for another process's lock, in milliseconds.
    var busyTimeout: Int32 {
        didSet { if busyTimeout != oldValue { sqlite3_busy_timeout(database, busyTimeout) } }
    }
    /// Runs the commit of each `writing` that it is given.
    var onCommit: ((_ commit: () throws(SQLiteError) -> Void) throws(SQLiteError) -> Void)?

    /// Called at the beginning of each `writing`, with the write lock held.
    var onWriting: (() throws(SQLiteError) -> Void)?
    /// Nil for a database in memory.
    @exclusivity(unchecked) private var index: WriteAheadIndex?

    /// Opens a file for reading and writing, and creates it, readable by its owner only, where it is missing.
    ///
    /// - Parameter busyTimeout: How long a call waits for another process's lock, in milliseconds.
    init(path: FilePath, busyTimeout: Int32 = 5000) throws(SQLiteError) {
        self.busyTimeout = busyTimeout
        index = WriteAheadIndex(of: path)
        try Self.createFile(path, patience: busyTimeout)
        identity = FileIdentity(path: path)
        try connect(Self.name(path))
    }

    /// Opens a file that is there. It is nil where there is none.
    init?(existing path: FilePath, busyTimeout: Int32) throws(SQLiteError) {
        self.busyTimeout = busyTimeout
        index = WriteAheadIndex(of: path)
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

    /// SQLite would take a lock at each allocation to count the bytes, which nobody asks for. Where it has begun
    /// already, it goes on counting.
    private static let countNoMemory: Void = larder_sqlite_count_no_memory()

    private func connect(_ name: FilePath) throws(SQLiteError) {
        Self.countNoMemory
        // NOMUTEX: only the owning actor's thread calls in, so SQLite need not lock.
        let code = sqlite3_open_v2(
            name.cString, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, BriefSleeps.name)
        guard code == SQLITE_OK, let database else {
            defer { close() }
            throw self.database.map { SQLiteError(code, of: $0) } ?? SQLiteError(code: code, message: "out of memory")
        }
        sqlite3_extended_result_codes(database, 1)
        sqlite3_busy_timeout(database, busyTimeout)
        guard sqlite3_db_readonly(database, "main") == 0 else {
            close()
            throw SQLiteError(code: SQLITE_READONLY, message: "the file cannot be written")
        }
    }

    /// Disables what Larder's files do not need and a foreign schema could misuse: views, writes to the schema's own
    /// table, and mapping the file. A statement then ends, because only a view or a trigger can recurse, and
    /// `SchemaGuard` refuses triggers before the first write.
    ///
    /// - Throws: `SQLITE_ERROR` if this SQLite cannot disable them. The connection must not be used then.
    func distrust() throws(SQLiteError) {
        try set(SQLITE_DBCONFIG_DEFENSIVE, to: 1)
        try set(SQLITE_DBCONFIG_ENABLE_VIEW, to: 0)
        try execute("PRAGMA mmap_size = 0")
    }

    /// Turns an option of the connection (`SQLITE_DBCONFIG_...`) on or off.
    func set(_ option: Int32, to value: Int32) throws(SQLiteError) {
        let code = larder_sqlite_set(try opened(), option, value)
        guard code == SQLITE_OK else {
            // `sqlite3_errmsg` has no text for this.
            throw SQLiteError(
                code: code, message: "this SQLite has no option \(option) of sqlite3_db_config; install a newer one")
        }
    }

    deinit { close() }

    /// Closes the connection; the last one to a file moves the write-ahead log into it. Later calls fail.
    func close() {
        for statement in statements.values { statement.finalize() }
        statements = [:]
        // The last one to close moves the log into the file, as the index tells it to.
        if index?.isWhole == false { index?.reset() }
        index?.region = nil
        sqlite3_close_v2(database)
        database = nil
    }

    /// Runs SQL text of any number of statements, without values and without results.
    func execute(_ sql: String) throws(SQLiteError) {
        let database = try opened()
        let code = sqlite3_exec(database, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code, of: database) }
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
        try running(sql, values) { (statement) throws(SQLiteError) in try statement.step() ? read(statement) : nil }
    }

    /// Reads every row of a query.
    func rows(
        _ sql: String, _ values: [SQLiteValue] = [], read: (SQLiteStatement) -> Void
    ) throws(SQLiteError) {
        try running(sql, values) { (statement) throws(SQLiteError) in while try statement.step() { read(statement) } }
    }

    /// The first column of a query's first row as an integer; 0 where there is no row.
    func integer(_ sql: String) throws(SQLiteError) -> Int64 {
        try first(sql) { $0.integer(0) } ?? 0
    }

    /// The header of the shared index of the write-ahead log, in memory that stays mapped until the connection is
    /// closed; nil where the file has no such log, or where nothing was read yet. SQLite opened it, and nobody else
    /// may: closing any descriptor of that file would drop the locks of this process.
    func walIndex() throws(SQLiteError) -> UnsafeRawPointer? {
        // In this mode SQLite has mapped it when it first read something.
        guard try first("PRAGMA journal_mode", read: { $0.text(0) }) == "wal" else { return nil }
        let region = larder_wal_index(try opened())
        index?.region = UnsafeMutableRawPointer(mutating: region)
        return region
    }

    /// The most bytes that the pages in use can have, as the header of the log's index tells; nil if there is none.
    func sizeLimit(pageSize: Int) -> Int? {
        guard let region = index?.region, case let pages = Int(larder_wal_pages(region)), pages > 0 else { return nil }
        return pages * pageSize
    }

    /// What was read while the log's index was cut short does not hold, whatever it looks like; nor does what SQLite
    /// kept of it in memory. The next attempt finds the index made anew.
    func expectNoCut() throws(SQLiteError) {
        guard let index, let database else { return }
        if index.isUnshared { throw .unshared }
        guard index.wasCut || !index.isWhole else { return }
        if index.region == nil { self.index?.region = UnsafeMutableRawPointer(mutating: larder_wal_index(database)) }
        self.index?.reset()
        sqlite3_db_release_memory(database)
        throw .cutShort
    }

    /// Moves the write-ahead log into the file, as far as nobody reads an older state.
    func moveLog() throws(SQLiteError) { try execute("PRAGMA wal_checkpoint(PASSIVE)") }

    /// Moves the write-ahead log into the file and empties it, if those who read or write get out of the way in time.
    func emptyLog() throws(SQLiteError) { try execute("PRAGMA wal_checkpoint(TRUNCATE)") }

    /// Runs `body` in a transaction that has the write lock from its start: no later statement of it can be refused
    /// because another process wrote meanwhile. An error undoes all of it.
    func writing<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
        let checked = { () throws(SQLiteError) in
            try self.onWriting?()
            return try body()
        }
        return try transaction("BEGIN IMMEDIATE", checked) { () throws(SQLiteError) in
            let commit = { () throws(SQLiteError) in
                try self.expectNoCut()
                if self.index?.isMade == false { throw .cutShort }
                try self.run("COMMIT")
            }
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
        do {
            try run(begin)
            let result = try body()
            try commit()
            return result
        } catch {
            // Some errors have rolled back already; then there is nothing left to undo.
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
            try expectNoCut()
            return result
        } catch {
            throw judged(error, sql)
        }
    }

    private func prepared(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        if let database, sqlite3_get_autocommit(database) != 0 { index?.begin() }
        if let statement = statements[StatementText(sql: sql)] { return statement }
        do {
            let statement = try SQLiteStatement(sql, in: try opened())
            statements[StatementText(sql: sql)] = statement
            return statement
        } catch {
            try expectNoCut()
            throw error.asForeignSchema
        }
    }

    /// A statement that was prepared and failed: it may be that the schema has changed so that it no longer fits.
    private func judged(_ error: SQLiteError, _ sql: String) -> SQLiteError {
        do throws(SQLiteError) {
            try expectNoCut()
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

extension SQLiteConnection {
    /// Closing any descriptor of a file drops the locks that this process holds on it (POSIX). Every connection comes
    /// through here before it locks anything, so under this lock the new file's descriptor disturbs nobody.
    private static let creation = Lock(())

    /// Creates an empty file, and the folders above it, for their owner only: SQLite itself would let others read.
    private static func createFile(_ path: FilePath, patience: Int32) throws(SQLiteError) {
        guard creation.withLock({ _ in FileIdentity(path: path) == nil }) else { return }
        try createFolder(path.parent)
        // Taken first, so that who waits for it keeps nobody from opening another file.
        let lock = try FolderLock(folderOf: path, patience: patience)
        defer { lock.unlock() }
        try creation.withLock { (_) throws(SQLiteError) in
            guard FileIdentity(path: path) == nil else { return }
            // Left of a file that somebody deleted, they would be taken for the new one's.
            unlink((path + "-wal").cString)
            unlink((path + "-shm").cString)
            let descriptor = openNew(path)
            if descriptor >= 0 {
                SystemCall.close(descriptor)
            } else if errno != EEXIST {
                throw systemError("cannot create the file")
            }
        }
    }

    private static func openNew(_ path: FilePath) -> Int32 {
        open(path.cString, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
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
        SQLiteError(code: SQLITE_CANTOPEN, message: .withShortage("\(what): \(String(cString: strerror(errno)))"))
    }
}
