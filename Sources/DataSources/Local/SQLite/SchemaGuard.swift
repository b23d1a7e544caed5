import CSQLite

/// Whether a file's schema is still the one that its steps make: a table, a column or an index that is missing, or a
/// trigger that somebody added, would change what a write does without an error.
final class SchemaGuard {
    private let migrations: Migrations
    /// `PRAGMA schema_version` when the schema was found right.
    private var vetted: Int64?

    init(_ migrations: Migrations) { self.migrations = migrations }

    /// Looks at the schema if it has changed since the last look.
    ///
    /// - Throws: `SQLITE_CORRUPT` where it is another one.
    func check(_ connection: SQLiteConnection) throws(SQLiteError) {
        let version = try connection.integer("PRAGMA schema_version")
        guard version != vetted else { return }
        let found = try Self.schema(of: connection)
        let expected = try expected(besides: found)
        if let fault = found.symmetricDifference(expected).min() {
            throw SQLiteError(
                code: SQLITE_CORRUPT,
                message: "its schema is not Larder's: \(found.contains(fault) ? "there is" : "missing is") \(fault)")
        }
        vetted = version
    }

    /// Refuses a computed column: its expression may take for ever in one step, and no switch of SQLite disables it.
    /// Views are disabled (`SQLiteConnection.distrust`), and other changes only matter to writes. Asking SQLite for the
    /// columns (`pragma_table_xinfo`) would take a tenth of the start; but an expression follows the word `AS`, which
    /// no table of Larder's has.
    ///
    /// - Throws: `SQLITE_CORRUPT` if a table has such a column.
    static func checkToRead(_ connection: SQLiteConnection) throws(SQLiteError) {
        let computed = try connection.first(
            """
            SELECT name FROM sqlite_schema
            WHERE type = 'table' AND rootpage > 0 AND lower(sql) GLOB '*[^a-z0-9_]as[^a-z0-9_]*'
            """
        ) { $0.text(0) }
        if let computed {
            throw SQLiteError(
                code: SQLITE_CORRUPT, message: "its schema is not Larder's: '\(computed)' is computed")
        }
    }

    /// What the steps make, and those of the later parts that the file has something of, made in a database in memory.
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
                // An SQLite without a module cannot tell what another one made with it.
                guard error.isMissingModule else { throw error }
                return found.union(expected)
            }
            let added = try Self.schema(of: model).subtracting(made)
            made.formUnion(added)
            if !found.isDisjoint(with: added) { expected.formUnion(added) }
        }
        return expected
    }

    /// One text for each thing in the schema: its kind, its name, its table and its SQL. The tables of `ANALYZE` are no
    /// one's business.
    private static func schema(of connection: SQLiteConnection) throws(SQLiteError) -> Set<String> {
        var things: Set<String> = []
        try connection.rows(
            """
            SELECT type || ' ' || name || ' ' || tbl_name || ': ' || ifnull(sql, '') FROM sqlite_schema
            WHERE NOT (type = 'table' AND name GLOB 'sqlite_stat[1-4]')
            """
        ) { row in things.insert(row.text(0).split { $0.isWhitespace }.joined(separator: " ")) }
        return things
    }
}
