import CSQLite
import Model
import System

/// Copies all tables of a query's database to an SQLite file.
struct TableExport {
    private let source: OpaquePointer
    private let run: QueryRun
    private let target: ExportDatabase
    /// The path in error messages, which is not that of the temporary file.
    private let path: FilePath

    /// Copies the tables, and returns a report about each table. All rows show the cache at the same moment.
    ///
    /// - Parameters:
    ///   - source: the connection with the virtual tables.
    ///   - path: the path of the new file. After a failure, there is no file.
    static func write(
        from source: OpaquePointer, _ run: QueryRun, to path: FilePath
    ) throws(QueryError) -> [QueryTableReport] {
        // The name is unlikely to exist, and an earlier file of this name is replaced.
        let temporary = path + FilePath(".\(getpid()).tmp")
        unlink(temporary.cString)
        let maxLength = sqlite3_limit(source, SQLITE_LIMIT_LENGTH, .max)
        defer { sqlite3_limit(source, SQLITE_LIMIT_LENGTH, maxLength) }
        do throws(QueryError) {
            let reports = try Self.tables(from: source, run, to: temporary, for: path)
            // SQLite would apply the journal of a replaced file to the new one.
            for suffix: FilePath in ["-journal", "-wal", "-shm"] { unlink((path + suffix).cString) }
            guard rename(temporary.cString, path.cString) == 0 else {
                throw .local(LocalDataError(FileError("write", path, code: errno).message))
            }
            return reports
        } catch {
            unlink(temporary.cString)
            throw error
        }
    }

    private static func tables(
        from source: OpaquePointer, _ run: QueryRun, to temporary: FilePath, for path: FilePath
    ) throws(QueryError) -> [QueryTableReport] {
        let target = try writing(path) { () throws(SQLiteError) in try ExportDatabase(temporary, isSafe: false) }
        let export = TableExport(source: source, run: run, target: target, path: path)
        try writing(path) { () throws(SQLiteError) in try target.execute("BEGIN") }
        for name in run.snapshot.schema.tables.map(\.name) + [QuerySchema.tables, QuerySchema.columns] {
            try export.copy(name)
        }
        try writing(path) { () throws(SQLiteError) in try target.execute("COMMIT") }
        target.close()
        do throws(SQLiteError) { return try run.reports() } catch {
            throw .local(LocalDataError("cannot read the cache: \(error)"))
        }
    }

    /// Copies one table. If a column cannot store one of its values unchanged, the column gets the type ANY.
    private func copy(_ name: String) throws(QueryError) {
        let select = try QueryStatement("SELECT * FROM \(name.quotedName)", in: source, run)
        defer { select.finalize() }
        var columns = select.exportColumns
        while true {
            try Self.writing(path) { () throws(SQLiteError) in try target.createTable(name, columns) }
            guard let wrong = try copyRows(of: select, to: name, columns) else { return }
            columns[wrong].type = .any
            select.restart()
            try Self.writing(path) { () throws(SQLiteError) in try target.execute("DROP TABLE \(name.quotedName)") }
        }
    }

    /// Copies the rows of a statement. Stops at a value that its column cannot store, and returns the index of this
    /// column. Returns nil after all rows.
    private func copyRows(
        of select: QueryStatement, to name: String, _ columns: [ExportColumn]
    ) throws(QueryError) -> Int? {
        var wrong: Int?
        var failure: QueryError?
        try Self.writing(path) { () throws(SQLiteError) in
            try target.inserting(into: name, columns.count) { (insert) throws(SQLiteError) in
                do throws(QueryError) {
                    while try select.step() {
                        for (index, column) in columns.enumerated() {
                            guard column.accepts(select.storage(Int32(index))) else {
                                wrong = index
                                return
                            }
                            let code = select.bind(Int32(index), to: insert)
                            try Self.writing(path) { () throws(SQLiteError) in try target.check(code) }
                        }
                        try Self.writing(path) { () throws(SQLiteError) in try target.insert(insert) }
                    }
                } catch {
                    failure = error
                }
            }
        }
        if let failure { throw failure }
        return wrong
    }

    /// Calls `body`, which writes to the file. Converts the error of `body` to a `QueryError` that names the path.
    private static func writing<Value>(
        _ path: FilePath, _ body: () throws(SQLiteError) -> Value
    ) throws(QueryError) -> Value {
        do throws(SQLiteError) { return try body() } catch {
            throw .local(LocalDataError("cannot write \(path): \(error.message)"))
        }
    }
}
