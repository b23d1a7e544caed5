/// Keeps the cache file within its size limit by removing the least recently used entries. Items in local copies of
/// lists are removed last: if a copy loses an item, the next sync must read the whole list.
// The first removal creates the indexes on the last-use times. Until the file is full, writes thus need not update
// them.
struct FileBudget {
    /// The maximum number of entries that one transaction removes. With a small number, the write lock is held only
    /// briefly.
    static let batch = 256
    /// The approximate size in bytes of an entry's row without its JSON. Includes the index records of the row.
    private static let overhead = 100
    /// The maximum number of free database pages that one transaction returns to the file system.
    private static let vacuumStep = 1024

    /// The SQL statements that create the indexes on the last-use times of entries.
    static let indexes = [
        "CREATE INDEX IF NOT EXISTS items_used ON items (used_at)",
        "CREATE INDEX IF NOT EXISTS pages_used ON pages (used_at)",
    ]

    /// An SQL subquery for the local copies of lists that contain the item of the current row.
    private static let copiesOfItem = """
        SELECT 1 FROM members WHERE item = items.key
            AND sync IN (SELECT syncs.key FROM syncs WHERE syncs.resource = items.resource)
        """

    private let store: EntityStore
    /// The maximum size of the file without its write-ahead log, in bytes.
    private let limit: Int
    /// The maximum size of the write-ahead log, in bytes.
    private let maxLogSize: Int

    /// Creates the size limit of an open cache file.
    ///
    /// - Parameter limit: The maximum size of the file and its write-ahead log together, in bytes.
    init(_ store: EntityStore, limit: Int) {
        self.store = store
        let limit = max(0, limit)
        maxLogSize = min(max(limit / 32, 65_536), 8_388_608)
        self.limit = max(0, limit - maxLogSize)
    }

    /// Limits the size of the write-ahead log.
    func limitLog() throws(SQLiteError) {
        let pages = min(max(maxLogSize / max(1, try store.pageSize()), 16), 1000)
        try store.connection.execute("PRAGMA journal_size_limit = \(maxLogSize); PRAGMA wal_autocheckpoint = \(pages)")
    }

    /// Whether the cache file uses more than half of its size limit. Below that, the last-use times of entries are not
    /// written to the file.
    func isHalfFull() throws(SQLiteError) -> Bool { try store.size() > limit / 2 }

    /// Whether the file exceeds its size limit.
    // The check runs after each transaction. For a small file it needs no query.
    func isExceeded() throws(SQLiteError) -> Bool {
        if let maxSize = store.connection.maxSize(pageSize: try store.pageSize()), maxSize <= limit { return false }
        return try store.size() > limit
    }

    /// Removes the least recently used entries until the file takes at most 95 % of the limit. Returns the number of
    /// removed entries.
    func enforce() throws(SQLiteError) -> Int {
        let target = limit / 20 * 19
        var dropped = 0
        for index in Self.indexes { try store.connection.execute(index) }
        // If SQLite was built to overwrite deleted data, removals would write twice the data without a benefit.
        let overwrites = try store.connection.integer("PRAGMA secure_delete")
        try store.connection.execute("PRAGMA secure_delete = FAST")
        defer { try? store.connection.execute("PRAGMA secure_delete = \(overwrites)") }
        let isSearched = try SearchIndexer.isPrepared(store.connection)
        var keepsCopies = try SyncSchema.isPrepared(store.connection)
        // All entries that were last used before this time belong to local copies.
        var usedSince = Int64.min
        while case let excess = try store.size() - target, excess > 0 {
            let (count, lastUse) = try removeOldest(bytes: excess, usedSince: usedSince, keepsCopies: keepsCopies)
            if count == 0, !keepsCopies { break }
            (keepsCopies, usedSince) = count == 0 ? (false, .min) : (keepsCopies, lastUse)
            dropped += count
            if isSearched { try SearchIndexer.compact(store.connection) }
        }
        try releasePages()
        return dropped
    }

    /// Removes the least recently used entries, with a total size of about `bytes`, in one transaction.
    ///
    /// - Parameters:
    ///   - usedSince: the last-use time of the first entry to consider, in milliseconds.
    ///   - keepsCopies: whether the items of local copies of lists are kept.
    /// - Returns: the number of removed entries, and the last-use time of the last of them.
    private func removeOldest(
        bytes: Int, usedSince: Int64, keepsCopies: Bool
    ) throws(SQLiteError) -> (count: Int, lastUse: Int64) {
        let connection = store.connection
        let isRemovable = keepsCopies ? "NOT EXISTS (\(Self.copiesOfItem))" : "true"
        return try connection.writing { () throws(SQLiteError) in
            var victims: [(isPage: Bool, key: Int64)] = []
            var found = 0
            var lastUse = usedSince
            try connection.rows(
                """
                SELECT * FROM (SELECT 0, key, length(json), used_at FROM items
                    WHERE used_at >= ?2 AND \(isRemovable) ORDER BY used_at LIMIT ?1)
                UNION ALL
                SELECT * FROM (SELECT 1, key, length(ids) + length(info), used_at FROM pages
                    WHERE used_at >= ?2 ORDER BY used_at LIMIT ?1)
                ORDER BY used_at LIMIT ?1
                """, [.integer(Int64(Self.batch)), .integer(usedSince)]
            ) { row in
                guard found < bytes else { return }
                victims.append((isPage: row.integer(0) != 0, key: row.integer(1)))
                found += Int(clamping: row.integer(2)) + Self.overhead
                lastUse = row.integer(3)
            }
            for victim in victims {
                try connection.run(
                    victim.isPage ? "DELETE FROM pages WHERE key = ?" : "DELETE FROM items WHERE key = ?",
                    .integer(victim.key))
            }
            return (victims.count, lastUse)
        }
    }

    /// Gives free database pages back to the file system until the file is within its maximum size.
    // The remaining free pages stay in the file, because new entries will soon use them.
    private func releasePages() throws(SQLiteError) {
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
        // Only a checkpoint shortens the file, and the vacuum may have made the log long.
        if pages < before { try connection.emptyLog() }
    }
}
