import Model

/// Maintains the full-text index of the items (SQLite's FTS5). Saving an item only marks it as not indexed. The next
/// text search adds the item to the index.
// The search table, its trigger and the index of unindexed items are created at the first search, not with the file. A
// file that was never searched therefore works with an SQLite library without FTS5.
struct SearchIndexer {
    /// The maximum size of a batch that one transaction indexes: the number of items, and the size of their JSON in
    /// bytes. A small batch keeps the file locked only briefly.
    static let batch = (items: 500, bytes: 262_144)

    static let tables = """
        CREATE VIRTUAL TABLE search USING fts5(
            text, prefix = '2 3', tokenize = 'unicode61 remove_diacritics 2');
        CREATE INDEX items_unindexed ON items (resource) WHERE indexed = 0 AND partial = 0;
        CREATE TRIGGER items_search AFTER DELETE ON items BEGIN
            DELETE FROM search WHERE rowid = old.key;
        END;
        """

    private let store: EntityStore
    private var text = SearchText()

    init(_ store: EntityStore) { self.store = store }

    /// Creates the tables for text search, unless they exist.
    func prepare() throws(SQLiteError) {
        let connection = store.connection
        guard try !Self.isPrepared(connection) else { return }
        try connection.writing { () throws(SQLiteError) in
            guard try !Self.isPrepared(connection) else { return }
            try connection.execute(Self.tables)
        }
    }

    /// Returns whether the tables for text search exist.
    static func isPrepared(_ connection: SQLiteConnection) throws(SQLiteError) -> Bool {
        try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'items_search'") > 0
    }

    /// Frees the space in the full-text index that is still used by removed items.
    // FTS5 frees this space only when it merges parts of the index. While new items replace removed items, FTS5 might
    // never start a merge by itself.
    static func compact(_ connection: SQLiteConnection) throws(SQLiteError) {
        for _ in 0..<8 {
            let before = try connection.integer("SELECT total_changes()")
            try connection.run("INSERT INTO search (search, rank) VALUES ('merge', -64)")
            // Fewer than two changes mean that FTS5 had nothing to merge (https://sqlite.org/fts5.html, section 6.7).
            if try connection.integer("SELECT total_changes()") - before < 2 { return }
        }
    }

    /// Adds one batch of a resource's unindexed items to the full-text index. Returns true if there may be more
    /// unindexed items.
    mutating func indexSome(of resource: ResourceKey) throws(SQLiteError) -> Bool {
        guard let number = try store.resources.number(of: resource), try !unindexed(of: number, limit: 1).isEmpty else {
            return false
        }
        let connection = store.connection
        var text = text
        defer { self.text = text }
        return try connection.writing { () throws(SQLiteError) in
            let keys = try unindexed(of: number, limit: Self.batch.items)
            var bytes = 0
            for key in keys {
                guard bytes < Self.batch.bytes else { return true }
                let json = try connection.first("SELECT json FROM items WHERE key = ?", .integer(key)) { $0.blob(0) }
                guard let json else { continue }
                bytes += json.count
                // If an item was saved again, the table still contains the item's old text.
                try connection.run(
                    "INSERT OR REPLACE INTO search (rowid, text) VALUES (?, ?)", .integer(key),
                    .text(text.text(of: json)))
                try connection.run("UPDATE items SET indexed = 1 WHERE key = ?", .integer(key))
            }
            return keys.count == Self.batch.items
        }
    }

    private func unindexed(of resource: Int64, limit: Int) throws(SQLiteError) -> [Int64] {
        var keys: [Int64] = []
        try store.connection.rows(
            "SELECT key FROM items WHERE resource = ? AND indexed = 0 AND partial = 0 LIMIT ?",
            [.integer(resource), .integer(Int64(limit))]
        ) { keys.append($0.integer(0)) }
        return keys
    }
}
