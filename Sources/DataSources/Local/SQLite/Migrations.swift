import CSQLite

/// The numbered steps that bring a file's schema up to date. A file's `user_version` is the number of its last step.
struct Migrations: Sendable {
    /// Marks the kind of file (`PRAGMA application_id`), so that another program's database is never touched.
    let applicationID: Int32
    /// The number before the first step's. A file of this version or an older one is not brought up to date.
    var base = 0
    /// One SQL text a step, in order. A step that was released is never changed: what follows is a new one.
    let steps: [String]
    /// What is made later, where it is needed: one SQL text a part, which a file has whole or not at all.
    var laterParts: [String] = []

    /// The number of the last step.
    var version: Int { base + steps.count }

    /// Runs the steps that are missing, each in one transaction of its own.
    ///
    /// Two processes may do so at once: who comes second finds inside its transaction that the step is done.
    /// - Throws: `SQLITE_MISMATCH` if a newer version or another program made the file, which is then left as it is;
    ///   `SQLITE_CORRUPT` if its version is not supported any more.
    func apply(to connection: SQLiteConnection) throws(SQLiteError) {
        while try version(of: connection) < self.version {
            try connection.writing { () throws(SQLiteError) in
                let version = try checkedVersion(of: connection)
                guard version < self.version else { return }
                let tables = try connection.integer("SELECT count(*) FROM sqlite_schema")
                do throws(SQLiteError) {
                    try connection.execute(steps[max(0, version - base)])
                } catch {
                    // A step that does not fit what is there: somebody changed it. In a new file it is SQLite's fault.
                    throw version == 0 && tables == 0 ? error : error.asForeignSchema
                }
                try connection.execute(
                    "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(max(base, version) + 1)")
            }
        }
    }

    /// The number of a file's last step, 0 if it is new. Checks that the file is one of ours.
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
        guard version <= self.version else {
            throw SQLiteError(
                code: SQLITE_MISMATCH,
                message: "the file has schema version \(version), newer than \(self.version), the newest known here")
        }
        guard version == 0 || version > base else {
            throw SQLiteError(
                code: SQLITE_CORRUPT, message: "its schema version \(version) is no longer supported")
        }
        return version
    }
}
