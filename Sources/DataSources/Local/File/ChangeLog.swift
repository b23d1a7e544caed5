import CSQLite
import Model

/// The log of changes in the cache file. Other processes read the log to find out which entries in their memory are out
/// of date.
final class ChangeLog {
    /// The kind of change in a row of the log. The raw values are stored in files and must never change.
    private enum ChangeKind: Int64 {
        case item = 0
        case partialItem = 1
        case page = 2
        case everything = 3
    }

    /// The number of newest rows that stay in the log when old rows are removed. A process that has not read the
    /// removed rows must assume that every entry has changed.
    static let maxRows: Int64 = 10_000
    /// The maximum number of changed entries that are reported one by one. If more entries have changed, every entry is
    /// reported as changed.
    private static let maxNamed = 1000

    private let connection: SQLiteConnection
    /// The id that distinguishes this process's rows from other processes' rows.
    private let writer: Int64
    /// The number of rows that this process has added since it last removed old rows. The high initial value makes each
    /// process check for old rows after its first write.
    // An earlier process may have exited before it trimmed the log.
    private var logged = ChangeLog.maxRows / 10
    private var lastVersion: Int64?

    init(_ connection: SQLiteConnection, writer: Int64) {
        self.connection = connection
        self.writer = writer
    }

    func note(_ key: ItemKey, of resource: Int64) throws(SQLiteError) {
        try log(key.isPartial ? .partialItem : .item, .integer(resource), .text(key.id))
    }

    func note(_ key: PageKey, of resource: Int64) throws(SQLiteError) {
        try log(.page, .integer(resource), .text(key.request))
    }

    func notePages(where condition: String, _ values: [SQLiteValue]) throws(SQLiteError) {
        try connection.run(
            """
            INSERT INTO changes (writer, kind, resource, name)
            SELECT \(writer), \(ChangeKind.page.rawValue), resource, request FROM pages WHERE \(condition)
            """, values)
        logged += 1
    }

    /// Adds a row that marks every entry as changed.
    func noteAll() throws(SQLiteError) { try log(.everything, .null, .null) }

    private func log(_ kind: ChangeKind, _ resource: SQLiteValue, _ name: SQLiteValue) throws(SQLiteError) {
        try connection.run(
            "INSERT INTO changes (writer, kind, resource, name) VALUES (?, ?, ?, ?)",
            .integer(writer), .integer(kind.rawValue), resource, name)
        logged += 1
    }

    /// Returns a number that changes with each commit of another connection (`PRAGMA data_version`).
    func version() throws(SQLiteError) -> Int64 {
        let version = try connection.integer("PRAGMA data_version")
        lastVersion = version
        return version
    }

    /// Returns the last result of `version`, even if it is out of date. Calls `version` if there is no result yet.
    // Another connection may have committed since.
    func knownVersion() throws(SQLiteError) -> Int64 {
        if let lastVersion { return lastVersion }
        return try version()
    }

    /// Returns the number of the newest row in the change log; 0 if the log is empty.
    func newest() throws(SQLiteError) -> Int64 {
        let newest = try connection.integer("SELECT max(seq) FROM changes")
        // After the largest number, SQLite assigns random numbers, so later changes would be missed.
        guard newest < 1 << 62 else {
            throw SQLiteError(
                code: SQLITE_CORRUPT,
                message: "the change log in the file is damaged: its newest row number is too large")
        }
        return newest
    }

    /// Removes old rows of the change log. The newest row always stays.
    ///
    /// - Parameter isDue: whether to remove the rows now. If false, the rows are removed only if this process has added
    ///   about a thousand rows since the last removal.
    func trim(isDue: Bool = false) throws(SQLiteError) {
        guard isDue || logged >= Self.maxRows / 10 else { return }
        logged = 0
        let newest = try newest()
        let oldest = try connection.integer("SELECT min(seq) FROM changes")
        // In a damaged file these numbers can be arbitrary, so the subtraction must not overflow.
        guard newest &- oldest >= Self.maxRows else { return }
        try connection.run("DELETE FROM changes WHERE seq <= ?", .integer(newest - Self.maxRows))
    }

    /// Returns the changes that other processes logged after the row with the number `seen`; nil if there are none.
    /// Also returns the number of the newest row.
    func foreign(
        after seen: Int64, _ resources: ResourceNumbers
    ) throws(SQLiteError) -> (ForeignChange?, newest: Int64) {
        try connection.reading { () throws(SQLiteError) in
            let newest = try newest()
            let oldest = try connection.integer("SELECT min(seq) FROM changes")
            // If rows are missing or the numbers restarted, the changed entries are unknown.
            if newest < seen || (newest > seen && oldest > seen + 1) { return (.everything, newest) }
            var (items, pages): ([ItemKey], [PageKey]) = ([], [])
            var isEverything = false
            try connection.rows(
                """
                SELECT kind, changes.name, resources.name, fingerprint
                FROM changes LEFT JOIN resources ON resources.key = changes.resource
                WHERE seq > ? AND writer <> ? LIMIT \(Self.maxNamed + 1)
                """, [.integer(seen), .integer(writer)]
            ) { row in
                guard let kind = ChangeKind(rawValue: row.integer(0)), kind != .everything,
                    let fingerprint = ResourceKey.Fingerprint(bytes: row.blob(3))
                else { return isEverything = true }
                let resource = ResourceKey(name: row.text(2), fingerprint: fingerprint)
                if kind == .page {
                    pages.append(PageKey(resource: resource, request: row.text(1)))
                } else {
                    items.append(ItemKey(resource: resource, id: row.text(1), isPartial: kind == .partialItem))
                }
            }
            if isEverything || items.count + pages.count > Self.maxNamed { return (.everything, newest) }
            return (items.isEmpty && pages.isEmpty ? nil : .entries(items: items, pages: pages), newest)
        }
    }
}
