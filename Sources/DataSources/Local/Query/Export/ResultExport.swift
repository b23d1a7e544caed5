import CSQLite
import JSON
import Model
import System

/// Writes the result of a query to a table of an SQLite file.
public enum ResultExport {
    /// Returns the error that `write` throws if the table already exists and must not be replaced.
    public static func existingTable(_ table: String, in path: FilePath) -> LocalDataError {
        LocalDataError("cannot write \(path): \(existing(table).message)")
    }

    private static func existing(_ table: String) -> SQLiteError {
        SQLiteError(code: SQLITE_ERROR, message: "the table '\(table)' exists")
    }

    /// Writes rows to a new STRICT table. Creates the file if there is none. Other tables in the file do not change. A
    /// column has the type of its values, or the type ANY if the values have several types.
    ///
    /// - Parameters:
    ///   - columns: the names of the columns. No two names may differ only in case.
    ///   - rows: the rows, each as an array with a value for each column.
    ///   - replaces: whether to replace an existing table.
    /// - Throws: `LocalDataError` with the reason. The file is then unchanged.
    public static func write(
        _ columns: [String], _ rows: [[JSONValue]], to path: FilePath, table: String, replaces: Bool
    ) throws(LocalDataError) {
        let isNew = !Files.exists(path)
        do throws(SQLiteError) {
            let database = try ExportDatabase(path, isSafe: true)
            try database.execute("BEGIN IMMEDIATE")
            if try database.hasTable(table) {
                guard replaces else { throw existing(table) }
                try database.execute("DROP TABLE \(table.quotedName)")
            }
            let values = rows.map { $0.map { QueryValue($0) } }
            let columns = columns.enumerated().map { index, name in
                ExportColumn(name: name, type: type(of: values.map { $0.indices.contains(index) ? $0[index] : .null }))
            }
            try database.createTable(table, columns)
            try insert(values, columns.count, into: table, of: database)
            try database.execute("COMMIT")
        } catch {
            if isNew { unlink(path.cString) }
            throw LocalDataError("cannot write \(path): \(error.message)")
        }
    }

    private static func insert(
        _ rows: [[QueryValue]], _ count: Int, into table: String, of database: ExportDatabase
    ) throws(SQLiteError) {
        try database.inserting(into: table, count) { (statement) throws(SQLiteError) in
            for row in rows {
                for (index, value) in row.enumerated() {
                    try database.check(value.bind(to: statement, at: Int32(index + 1)))
                }
                try database.insert(statement)
            }
        }
    }

    private static func type(of values: [QueryValue]) -> ExportColumn.Kind {
        var found: ExportColumn.Kind?
        for value in values {
            let kind: ExportColumn.Kind
            switch value {
            case .null: continue
            case .integer: kind = .integer
            case .real: kind = .real
            case .text: kind = .text
            }
            if found ?? kind != kind { return .any }
            found = kind
        }
        return found ?? .any
    }
}
