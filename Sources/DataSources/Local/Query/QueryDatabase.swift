import CSQLite

/// The database in memory in which the statements of queries run. It contains only the virtual tables, so that no
/// statement can name the cache file or write to it.
// Exclusivity: only the query's thread uses the database. No access to a property encloses another access.
final class QueryDatabase {
    /// The limits of a statement (https://sqlite.org/c3ref/c_limit_attached.html).
    private static let limits: [(Int32, Int32)] = [
        (SQLITE_LIMIT_LENGTH, 4 << 20), (SQLITE_LIMIT_SQL_LENGTH, 65_536), (SQLITE_LIMIT_EXPR_DEPTH, 100),
        (SQLITE_LIMIT_COMPOUND_SELECT, 50), (SQLITE_LIMIT_VARIABLE_NUMBER, 1000),
        (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100), (SQLITE_LIMIT_ATTACHED, 0), (SQLITE_LIMIT_TRIGGER_DEPTH, 1),
        (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]
    private static let maxColumns = 500

    let schema: QuerySchema
    @exclusivity(unchecked) private var handle: OpaquePointer?
    @exclusivity(unchecked) private var run: QueryRun?
    private var tables: [any VirtualTable] = []

    /// Opens the database, and creates the virtual tables of a schema.
    init(_ schema: QuerySchema) throws(SQLiteError) {
        self.schema = schema
        SQLiteConnection.configureMemory
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(":memory:", &handle, flags, nil)
        guard code == SQLITE_OK, handle != nil else { throw SQLiteError(code: code, message: "out of memory") }
        sqlite3_extended_result_codes(handle, 1)
        tables = schema.tables.enumerated().map { ItemTable($1, index: $0, in: self) }
        tables += [ListingTable.tables(self), ListingTable.columns(schema)]
        try createTables()
        try restrict()
    }

    deinit { sqlite3_close_v2(handle) }

    /// Returns the virtual table with the given number; nil if there is none.
    func table(_ number: Int) -> (any VirtualTable)? { tables.indices.contains(number) ? tables[number] : nil }

    /// The running query.
    ///
    /// - Throws: `SQLITE_MISUSE` if no query runs.
    @inline(__always)
    func running() throws(SQLiteError) -> QueryRun {
        guard let run else { throw SQLiteError(code: SQLITE_MISUSE, message: "no query runs") }
        return run
    }

    /// Makes `run` the running query and calls `body` with the connection. During this call, all virtual tables read
    /// from the snapshot of `run`. Returns nil if the database is not open.
    func running<Value>(_ run: QueryRun, _ body: (OpaquePointer) -> Value) -> Value? {
        guard let handle else { return nil }
        self.run = run
        sqlite3_progress_handler(handle, 1000, QueryMeter.handler, run.meter.pointer)
        defer {
            sqlite3_progress_handler(handle, 0, nil, nil)
            self.run = nil
        }
        return body(handle)
    }

    private func createTables() throws(SQLiteError) {
        try check(VirtualTableModule.register(at: handle, for: self))
        try check(TextFunctions.register(at: handle))
        let names = schema.tables.map(\.name) + [QuerySchema.tables, QuerySchema.columns]
        for (index, name) in names.enumerated() {
            try execute("CREATE VIRTUAL TABLE \(name.quotedName) USING \(VirtualTableModule.name)(\(index))")
        }
    }

    /// Disables the features of SQLite that queries do not need, such as writes, triggers, views and extensions.
    private func restrict() throws(SQLiteError) {
        try execute("PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = 0; PRAGMA query_only = 1")
        for (option, value): (Int32, Int32) in [
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
            (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
            // With these settings, a name in double quotes that is not a column causes an error. Otherwise, SQLite
            // could read the name as a string.
            (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0),
        ] {
            try check(larder_sqlite_set(handle, option, value))
        }
        for (limit, value) in Self.limits { sqlite3_limit(handle, limit, value) }
        let widest = schema.tables.map(\.columns.count).max() ?? 0
        sqlite3_limit(handle, SQLITE_LIMIT_COLUMN, Int32(max(Self.maxColumns, widest)))
        try keepModules()
        // Safe: the database closes the connection before it is released.
        let context = Unmanaged.passUnretained(self).toOpaque()
        try check(sqlite3_set_authorizer(handle, Self.authorizer, context))
    }

    /// Removes all modules for virtual tables from the connection, except the module of the catalog's tables and the
    /// modules that read JSON (`json_each` and `json_tree`).
    private func keepModules() throws(SQLiteError) {
        var code = SQLITE_OK
        "json_each".withCString { each in
            "json_tree".withCString { tree in
                VirtualTableModule.name.withCString { own in
                    var names: [UnsafePointer<CChar>?] = [each, tree, own, nil]
                    code = sqlite3_drop_modules(handle, &names)
                }
            }
        }
        try check(code)
        // The first use of a module declares its table, which the authorizer would deny later.
        try execute("SELECT 1 FROM json_each('[]'), json_tree('[]')")
    }

    private static let authorizer:
        @convention(c) (
            UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
            UnsafePointer<CChar>?
        ) -> Int32 = { context, action, first, second, _, _ in
            guard let context else { return SQLITE_DENY }
            // Safe: the context is the database that owns the connection.
            let database = Unmanaged<QueryDatabase>.fromOpaque(context).takeUnretainedValue()
            let isAllowed = QueryAuthorizer.allows(
                action, first.map { String(cString: $0) }, second.map { String(cString: $0) }, in: database.schema
            ) { database.run?.noteTable($0) }
            return isAllowed ? SQLITE_OK : SQLITE_DENY
        }

    private func execute(_ sql: String) throws(SQLiteError) { try check(sqlite3_exec(handle, sql, nil, nil, nil)) }

    private func check(_ code: Int32) throws(SQLiteError) {
        guard code == SQLITE_OK else {
            throw handle.map { SQLiteError(code, of: $0) } ?? SQLiteError(code: code, message: "out of memory")
        }
    }
}
