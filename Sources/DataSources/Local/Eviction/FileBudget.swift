/// Keeps the cache file within its limit: drops what was not used for the longest time.
///
/// The order of use has an index that is made when something has to go for the first time. A file that never gets full
/// is written without it.
struct FileBudget {
    /// How many entries go in one transaction, so that nobody else has to wait long to write.
    static let batch = 256
    /// What an entry takes besides its JSON, about: its other columns, and its places in the indexes.
    private static let overhead = 100
    /// How many pages of the file are given back in one transaction.
    private static let vacuumStep = 1024

    /// The order of use.
    static let indexes = [
        "CREATE INDEX IF NOT EXISTS items_used ON items (used_at)",
        "CREATE INDEX IF NOT EXISTS pages_used ON pages (used_at)",
    ]

    private let store: EntityStore
    /// How many bytes the file may take without its log.
    private let limit: Int
    /// How many bytes the log gets.
    private let log: Int

    /// - Parameter limit: How many bytes the file and its log may take.
    init(_ store: EntityStore, limit: Int) {
        self.store = store
        let limit = max(0, limit)
        log = min(max(limit / 32, 65_536), 8_388_608)
        self.limit = max(0, limit - log)
    }

    /// Keeps the write-ahead log small beside the file: it lies on the same disk.
    func bindLog() throws(SQLiteError) {
        let pages = min(max(log / max(1, try store.pageSize()), 16), 1000)
        try store.connection.execute("PRAGMA journal_size_limit = \(log); PRAGMA wal_autocheckpoint = \(pages)")
    }

    /// Whether the file is so large that it matters which of its entries are used.
    func isNear() throws(SQLiteError) -> Bool { try store.size() > limit / 2 }

    /// Whether something has to go. This is asked after each transaction, so it runs no query if the file is small.
    func isExceeded() throws(SQLiteError) -> Bool {
        if let most = store.connection.sizeLimit(pageSize: try store.pageSize()), most <= limit { return false }
        return try store.size() > limit
    }

    /// Drops entries until 95 % of the limit are taken, and gives the file system back what the file takes beyond the
    /// limit. Returns how many entries were dropped.
    func enforce() throws(SQLiteError) -> Int {
        let target = limit / 20 * 19
        var dropped = 0
        for index in Self.indexes { try store.connection.execute(index) }
        // Where SQLite was built to overwrite what is deleted, that would double what is written for no good.
        let overwrites = try store.connection.integer("PRAGMA secure_delete")
        try store.connection.execute("PRAGMA secure_delete = FAST")
        defer { try? store.connection.execute("PRAGMA secure_delete = \(overwrites)") }
        let isSearched = try SearchIndexer.isPrepared(store.connection)
        while case let excess = try store.size() - target, excess > 0 {
            let count = try dropSome(bytes: excess)
            if count == 0 { break }
            dropped += count
            if isSearched { try SearchIndexer.compact(store.connection) }
        }
        try giveBack()
        return dropped
    }

    /// Drops the entries that were not used for the longest time, as many as take so many bytes, in one transaction.
    private func dropSome(bytes: Int) throws(SQLiteError) -> Int {
        let connection = store.connection
        return try connection.writing { () throws(SQLiteError) in
            var victims: [(isPage: Bool, key: Int64)] = []
            var found = 0
            try connection.rows(
                """
                SELECT * FROM (SELECT 0, key, length(json), used_at FROM items ORDER BY used_at LIMIT ?1)
                UNION ALL
                SELECT * FROM (SELECT 1, key, length(ids) + length(info), used_at FROM pages ORDER BY used_at LIMIT ?1)
                ORDER BY used_at LIMIT ?1
                """, [.integer(Int64(Self.batch))]
            ) { row in
                guard found < bytes else { return }
                victims.append((isPage: row.integer(0) != 0, key: row.integer(1)))
                found += Int(clamping: row.integer(2)) + Self.overhead
            }
            for victim in victims {
                try connection.run(
                    victim.isPage ? "DELETE FROM pages WHERE key = ?" : "DELETE FROM items WHERE key = ?",
                    .integer(victim.key))
            }
            return victims.count
        }
    }

    /// Pages that are free but within the limit stay: they are used again soon.
    private func giveBack() throws(SQLiteError) {
        let connection = store.connection
        let allowed = Int64(limit / max(1, try store.pageSize()))
        var pages = try connection.integer("PRAGMA page_count")
        let before = pages
        while pages > allowed {
            let step = min(pages - allowed, Int64(Self.vacuumStep))
            try connection.execute("PRAGMA incremental_vacuum(\(step))")
            let left = try connection.integer("PRAGMA page_count")
            guard left < pages else { break }
            pages = left
        }
        // The file itself gets shorter with a checkpoint only; and what was done here may have made the log long.
        if pages < before { try connection.emptyLog() }
    }
}
