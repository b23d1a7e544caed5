import CSQLite

/// The numbered SQL steps that create and update the schema of a database file. The file's `user_version` is the number
/// of the last step that has run on the file.
struct Migrations: Sendable {
    /// The `PRAGMA application_id` of all files with this schema. A file with a different value belongs to another
    /// program and is not changed.
    let applicationID: Int32
    /// The newest schema version that is no longer supported; 0 if all versions are supported. The first migration step
    /// creates the next version.
    var base = 0
    /// The SQL of each migration step, in order. A released step must never be changed. Add a new step instead.
    let steps: [String]
    /// The SQL of the optional parts of the schema, such as the search tables. Each part is created when it is first
    /// needed. A file contains either all of a part or nothing of it.
    var laterParts: [String] = []

    /// The number of the last migration step, which is the version of the schema.
    var version: Int { base + steps.count }

    /// Runs the missing migration steps, each in its own transaction.
    ///
    /// - Throws: `SQLITE_MISMATCH` if the file was made by another program or by a newer version of Larder. The file
    ///   then stays unchanged. `SQLITE_CORRUPT` if the file's schema version is no longer supported.
    // Two processes may start the same step at the same time. Inside its transaction, the second process finds that the
    // step is already done.
    func apply(to connection: SQLiteConnection) throws(SQLiteError) {
        while try version(of: connection) < self.version {
            try connection.writing { () throws(SQLiteError) in
                let version = try checkedVersion(of: connection)
                guard version < self.version else { return }
                let tables = try connection.integer("SELECT count(*) FROM sqlite_schema")
                do throws(SQLiteError) {
                    try connection.execute(steps[max(0, version - base)])
                } catch {
                    // If a step does not fit the existing schema, another program has changed the schema. For a new
                    // file, SQLite's own error is thrown.
                    throw version == 0 && tables == 0 ? error : error.asForeignSchema
                }
                try connection.execute(
                    "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(max(base, version) + 1)")
            }
        }
    }

    /// Returns the schema version of a database file. The version of a new file is 0.
    ///
    /// - Throws: `SQLiteError` if another program made the file, or if its schema version is not supported.
    func version(of connection: SQLiteConnection) throws(SQLiteError) -> Int {
        // All values must come from one snapshot, because another process may be migrating the file.
        try connection.reading { () throws(SQLiteError) in try checkedVersion(of: connection) }
    }

    private func checkedVersion(of connection: SQLiteConnection) throws(SQLiteError) -> Int {
        let version = Int(try connection.integer("PRAGMA user_version"))
        let application = try connection.integer("PRAGMA application_id")
        let tables = try application == 0 ? connection.integer("SELECT count(*) FROM sqlite_schema") : 0
        let isNew = application == 0 && version == 0 && tables == 0
        guard isNew || application == Int64(applicationID), version >= 0 else {
            throw SQLiteError(
                code: SQLITE_MISMATCH, message: "the file is another program's database; use another folder")
        }
        guard version <= self.version else {
            throw SQLiteError(
                code: SQLITE_MISMATCH,
                message: "the file has the schema version \(version), but this version of Larder supports only versions"
                    + " up to \(self.version); update Larder")
        }
        guard version == 0 || version > base else {
            throw SQLiteError(
                code: SQLITE_CORRUPT,
                message: "the file's schema version \(version) is no longer supported, so Larder creates a new file")
        }
        return version
    }
}
