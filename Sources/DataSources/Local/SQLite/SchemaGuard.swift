import CSQLite

/// Checks that the schema of a file is exactly the schema that Larder creates. With any other schema, Larder's writes
/// could corrupt data.
final class SchemaGuard {
    private let migrations: Migrations
    /// The value of `PRAGMA schema_version` at the last successful check.
    private var checkedVersion: Int64?

    init(_ migrations: Migrations) { self.migrations = migrations }

    /// Checks the schema of a file if it has changed since the last check.
    ///
    /// - Throws: `SQLITE_CORRUPT` if the schema differs from the expected schema.
    func check(_ connection: SQLiteConnection) throws(SQLiteError) {
        let version = try connection.integer("PRAGMA schema_version")
        guard version != checkedVersion else { return }
        let found = try Self.schema(of: connection)
        let expected = try expected(besides: found)
        if let fault = found.symmetricDifference(expected).min() {
            throw SQLiteError(
                code: SQLITE_CORRUPT,
                message: Self.message("\(found.contains(fault) ? "unexpected" : "missing") \(fault)"))
        }
        checkedVersion = version
    }

    /// Rejects a file with a generated column, because the expression of a generated column could run forever.
    ///
    /// - Throws: `SQLITE_CORRUPT` if a table has a generated column.
    // No option of SQLite disables generated columns. Views are disabled (`SQLiteConnection.harden`), and other changes
    // to the schema only affect writes. The function searches the tables' SQL for the word `AS`. The definition of each
    // generated column contains this word, and Larder's own tables never do. A query of the columns
    // (`pragma_table_xinfo`) would take a tenth of the start-up time.
    static func checkToRead(_ connection: SQLiteConnection) throws(SQLiteError) {
        let computed = try connection.first(
            """
            SELECT name FROM sqlite_schema
            WHERE type = 'table' AND rootpage > 0 AND lower(sql) GLOB '*[^a-z0-9_]as[^a-z0-9_]*'
            """
        ) { $0.text(0) }
        if let computed {
            throw SQLiteError(
                code: SQLITE_CORRUPT,
                message: message("table '\(computed)' has a generated column, which Larder never creates"))
        }
    }

    private static func message(_ difference: String) -> String {
        "another program changed the file's schema (\(difference)); let no other program change this file"
    }

    /// Returns the schema that Larder would create for a file. Includes an optional part of the schema, such as the
    /// search tables, if the file contains any object of this part.
    // The function creates the expected schema in a database in memory.
    private func expected(besides found: Set<String>) throws(SQLiteError) -> Set<String> {
        let model = try SQLiteConnection()
        defer { model.close() }
        for step in migrations.steps { try model.execute(step) }
        var made = try Self.schema(of: model)
        var expected = made
        for part in migrations.laterParts where found != expected {
            do {
                try model.execute(part)
            } catch {
                // Without the module, this SQLite library cannot create the tables that another library created with
                // the module.
                guard error.isMissingModule else { throw error }
                return found.union(expected)
            }
            let added = try Self.schema(of: model).subtracting(made)
            made.formUnion(added)
            if !found.isDisjoint(with: added) { expected.formUnion(added) }
        }
        return expected
    }

    /// Returns one string for each object in the schema: its type, name, table and SQL. Skips the tables that `ANALYZE`
    /// creates.
    private static func schema(of connection: SQLiteConnection) throws(SQLiteError) -> Set<String> {
        var objects: Set<String> = []
        try connection.rows(
            """
            SELECT type || ' ' || name || ' ' || tbl_name || ': ' || ifnull(sql, '') FROM sqlite_schema
            WHERE NOT (type = 'table' AND name GLOB 'sqlite_stat[1-4]')
            """
        ) { row in objects.insert(row.text(0).split { $0.isWhitespace }.joined(separator: " ")) }
        return objects
    }
}
