import CSQLite
import Model

/// The log of what was changed in the cache file, in which other processes read which of their entries no longer hold.
final class ChangeLog {
    /// What a row of the log names. The numbers stand in files and never change.
    private enum ChangeKind: Int64 {
        case item = 0
        case partialItem = 1
        case page = 2
        case everything = 3
    }

    /// How many rows are kept. Who has read none of them for longer forgets all that is held in memory.
    static let kept: Int64 = 10_000
    /// How many entries are named one by one at most.
    private static let named = 1000

    private let connection: SQLiteConnection
    /// Tells what this process logs of its changes from what others do.
    private let writer: Int64
    /// Rows since it was looked at whether they have become too many. A process that ends before leaves that to the
    /// next one, so that there may be somewhat more.
    private var logged = ChangeLog.kept / 10
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

    /// Notes that entries were changed that are not named.
    func noteAll() throws(SQLiteError) { try log(.everything, .null, .null) }

    private func log(_ kind: ChangeKind, _ resource: SQLiteValue, _ name: SQLiteValue) throws(SQLiteError) {
        try connection.run(
            "INSERT INTO changes (writer, kind, resource, name) VALUES (?, ?, ?, ?)",
            .integer(writer), .integer(kind.rawValue), resource, name)
        logged += 1
    }

    /// A number that changes with each commit that another connection makes.
    func version() throws(SQLiteError) -> Int64 {
        let version = try connection.integer("PRAGMA data_version")
        lastVersion = version
        return version
    }

    /// `version` as it was at the last look, which is older if others have committed since.
    func knownVersion() throws(SQLiteError) -> Int64 {
        if let lastVersion { return lastVersion }
        return try version()
    }

    /// The number of the newest row; 0 where there is none.
    func newest() throws(SQLiteError) -> Int64 {
        let newest = try connection.integer("SELECT max(seq) FROM changes")
        // Where the numbers come to their end, SQLite takes any: what is changed would not be seen any more.
        guard newest < 1 << 62 else {
            throw SQLiteError(code: SQLITE_CORRUPT, message: "the change log's numbers come to their end")
        }
        return newest
    }

    /// Drops old rows, many at a time; the newest one stays. Looks only when a good many may have come.
    func trim() throws(SQLiteError) {
        guard logged >= Self.kept / 10 else { return }
        logged = 0
        let newest = try newest()
        let oldest = try connection.integer("SELECT min(seq) FROM changes")
        // Numbers from a file may be any.
        guard newest &- oldest >= Self.kept else { return }
        try connection.run("DELETE FROM changes WHERE seq <= ?", .integer(newest - Self.kept))
    }

    /// What other writers changed after a row of the log; nil for nothing. Also returns the number of the newest row.
    func foreign(
        after seen: Int64, _ resources: ResourceNumbers
    ) throws(SQLiteError) -> (ForeignChange?, newest: Int64) {
        try connection.reading { () throws(SQLiteError) in
            let newest = try newest()
            let oldest = try connection.integer("SELECT min(seq) FROM changes")
            // Rows that are gone, or numbers that begin anew, are those of changes that cannot be named.
            if newest < seen || (newest > seen && oldest > seen + 1) { return (.everything, newest) }
            var (items, pages): ([ItemKey], [PageKey]) = ([], [])
            var isEverything = false
            try connection.rows(
                """
                SELECT kind, changes.name, resources.name, fingerprint
                FROM changes LEFT JOIN resources ON resources.key = changes.resource
                WHERE seq > ? AND writer <> ? LIMIT \(Self.named + 1)
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
            if isEverything || items.count + pages.count > Self.named { return (.everything, newest) }
            return (items.isEmpty && pages.isEmpty ? nil : .entries(items: items, pages: pages), newest)
        }
    }
}
