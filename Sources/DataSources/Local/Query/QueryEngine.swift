import Model
import System

/// Runs queries one after another on its own thread, over its own connection to the cache file.
actor QueryEngine {
    nonisolated let loop = EventLoop("larder-query")
    private let file: DatabaseFile?
    private let memoryLimit: Int
    private var store: EntityStore?
    private var database: QueryDatabase?
    private var snapshot: QuerySnapshot?

    /// The result of a query or an export, and the damaged rows that it found.
    struct Outcome<Value: Sendable>: Sendable {
        let answer: Result<Value, QueryError>
        let damaged: [DamagedRow]
    }

    /// An operation on the virtual tables: a query or an export.
    struct Work<Value: Sendable>: Sendable {
        /// The maximum time that the operation may take, in milliseconds.
        let timeout: Milliseconds
        /// Executes the operation. The arguments are the connection to the database that contains the virtual tables,
        /// and the `QueryRun` of the operation.
        let run: @Sendable (OpaquePointer, QueryRun) throws(QueryError) -> Value
    }

    /// - Parameters:
    ///   - file: the cache file; nil if there is none.
    ///   - memoryLimit: the maximum number of bytes that a query may use.
    init(file: DatabaseFile?, memoryLimit: Int) {
        (self.file, self.memoryLimit) = (file, memoryLimit)
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.isolation.asUnownedSerialExecutor() }

    /// Runs a query or an export on the entries of the cache file. Runs it on the items that `items` returns if
    /// `isFileUsable` is false, the file is missing, or the file has an older schema.
    ///
    /// - Parameters:
    ///   - isFileUsable: whether the cache could open the file.
    ///   - items: returns the cached items of all resources.
    /// - Throws: `SQLiteError` if the file exists, but reading it fails.
    func run<Value: Sendable>(
        _ work: Work<Value>, _ schema: QuerySchema, now: Timestamp, _ cancellation: QueryCancellation,
        isFileUsable: Bool, items: @Sendable (QuerySchema) -> [ItemEntity]
    ) throws(SQLiteError) -> Outcome<Value> {
        if cancellation.isCancelled { return Outcome(answer: .failure(.cancelled), damaged: []) }
        let store: EntityStore
        if isFileUsable, let file = try opened() { store = file } else { store = try Self.store(of: items(schema)) }
        if database?.schema !== schema { database = try QueryDatabase(schema) }
        let meter = QueryMeter(timeout: work.timeout, memory: memoryLimit, cancellation)
        return try SQLiteError.retryingTruncations { () throws(SQLiteError) -> Outcome<Value> in
            try store.connection.reading { () throws(SQLiteError) -> Outcome<Value> in
                let snapshot = try QuerySnapshot(store, schema, now: now, after: snapshot)
                self.snapshot = store === self.store ? snapshot : nil
                let run = QueryRun(snapshot, meter)
                store.connection.stopStatements(if: meter)
                let answer: Result<Value, QueryError> = meter.counting { self.answer(work, run) }
                store.connection.stopStatements(if: nil)
                try store.connection.checkIndex()
                return Outcome(answer: answer, damaged: run.damaged)
            }
        }
    }

    /// Closes the connection to the cache file.
    func close() {
        (snapshot, database) = (nil, nil)
        store?.connection.close()
        store = nil
    }

    private func answer<Value>(_ work: Work<Value>, _ run: QueryRun) -> Result<Value, QueryError> {
        let result = database?.running(run) { (connection) -> Result<Value, QueryError> in
            do throws(QueryError) {
                return .success(try work.run(connection, run))
            } catch {
                return .failure(error)
            }
        }
        return result ?? .failure(.local(LocalDataError("cannot query: the database is closed")))
    }

    /// Runs a query. Returns its rows, and a report about each table that it read.
    ///
    /// - Throws: `QueryError`. If `needsSync` is set, the error `notSynced` means that the local copy of a table is
    ///   missing, incomplete or too old.
    static func answer(
        _ query: CacheQuery, _ connection: OpaquePointer, _ run: QueryRun
    ) throws(QueryError) -> QueryAnswer {
        let statement = try QueryStatement(query.sql, in: connection, run)
        defer { statement.finalize() }
        try statement.bind(query.parameters)
        if query.needsSync {
            let unsynced = try reading(run) { () throws(SQLiteError) in
                var unsynced: [QueryError.UnsyncedTable] = []
                for index in run.tables {
                    if let table = try run.snapshot.unsynced(index, maxAge: query.maxAge) { unsynced.append(table) }
                }
                return unsynced
            }
            if !unsynced.isEmpty { throw .notSynced(unsynced) }
        }
        let rows = try statement.rows(query.maxRows)
        let tables = try reading(run) { () throws(SQLiteError) in try run.reports() }
        return QueryAnswer(
            columns: statement.columns, rows: rows.json, count: rows.count, isTruncated: rows.isTruncated,
            tables: tables)
    }

    /// Calls `body`, which reads the state of the tables. Converts the error of `body` to a `QueryError`.
    private static func reading<Value>(
        _ run: QueryRun, _ body: () throws(SQLiteError) -> Value
    ) throws(QueryError) -> Value {
        do throws(SQLiteError) { return try body() } catch {
            throw run.meter.stop?.error ?? .local(LocalDataError("cannot query: \(error)"))
        }
    }

    /// Returns the store of the cache file. Nil if there is no file, or if it has an older schema.
    private func opened() throws(SQLiteError) -> EntityStore? {
        guard let file else { return nil }
        if let store {
            if store.connection.identity == FileIdentity(path: file.path) { return store }
            snapshot = nil
            store.connection.close()
            self.store = nil
        }
        store = try file.openToRead(busyTimeout: file.busyTimeout).map { EntityStore($0) }
        return store
    }

    /// Returns a store in memory with the given items.
    private static func store(of items: [ItemEntity]) throws(SQLiteError) -> EntityStore {
        let connection = try SQLiteConnection()
        try EntitySchema.migrations.apply(to: connection)
        let store = EntityStore(connection)
        try store.apply([.save(LocalChange(items: items))], now: Timestamp(milliseconds: 0))
        return store
    }
}
