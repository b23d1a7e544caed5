import CSQLite

/// The numbered steps that bring a file's schema up to date. A file's `user_version` counts those it has behind it.
struct Migrations: Sendable {
    /// Marks the kind of file (`PRAGMA application_id`), so that another program's database is never touched.
    let applicationID: Int32
    /// One SQL text a step, in order. A step that was released is never changed: what follows is a new one.
    let steps: [String]
    /// What is made later, where it is needed: one SQL text a part, which a file has whole or not at all.
    var laterParts: [String] = []

    /// Runs the steps that are missing, each in one transaction of its own.
    ///
    /// Two processes may do so at once: who comes second finds inside its transaction that the step is done.
    /// - Throws: `SQLITE_MISMATCH` where a newer version or another program made the file; it is then left as it is.
    func apply(to connection: SQLiteConnection) throws(SQLiteError) {
        while try version(of: connection) < steps.count {
            try connection.writing { () throws(SQLiteError) in
                let version = try checkedVersion(of: connection)
                guard version < steps.count else { return }
                let tables = try connection.integer("SELECT count(*) FROM sqlite_schema")
                do throws(SQLiteError) {
                    try connection.execute(steps[version])
                } catch {
                    // A step that does not fit what is there: somebody changed it. In a new file it is SQLite's fault.
                    throw version == 0 && tables == 0 ? error : error.asForeignSchema
                }
                try connection.execute(
                    "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version + 1)")
            }
        }
    }

    /// How many steps a file has behind it, after a look at whether it is one of ours.
    func version(of connection: SQLiteConnection) throws(SQLiteError) -> Int {
        // All that is looked at comes from one state of the file: another process may be migrating it.
        try connection.reading { () throws(SQLiteError) in try checkedVersion(of: connection) }
    }

    private func checkedVersion(of connection: SQLiteConnection) throws(SQLiteError) -> Int {
        let version = Int(try connection.integer("PRAGMA user_version"))
        let application = try connection.integer("PRAGMA application_id")
        let tables = try application == 0 ? connection.integer("SELECT count(*) FROM sqlite_schema") : 0
        let isNew = application == 0 && version == 0 && tables == 0
        guard isNew || application == Int64(applicationID), version >= 0 else {
            throw SQLiteError(code: SQLITE_MISMATCH, message: "the file is another program's database")
        }
        guard version <= steps.count else {
            throw SQLiteError(
                code: SQLITE_MISMATCH,
                message: "the file has schema version \(version), newer than \(steps.count), the newest known here")
        }
        return version
    }
}
