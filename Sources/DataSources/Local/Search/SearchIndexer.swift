import Model

/// Keeps the texts of items where SQLite's FTS5 finds them. It works for the first search and for what was saved since:
/// saving an item only leaves it marked as not indexed.
///
/// The table, what keeps it in step with `items`, and the index of what waits are made at the first search, and not
/// with the file: a file that nobody searches has none of it, and an SQLite without FTS5 caches as any other.
struct SearchIndexer {
    /// How many items are indexed in one transaction, and how many bytes they may have, so that nobody else has to wait
    /// long to write.
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

    /// Makes what a search by text needs; nothing where it is there already.
    func prepare() throws(SQLiteError) {
        let connection = store.connection
        guard try !Self.isPrepared(connection) else { return }
        try connection.writing { () throws(SQLiteError) in
            guard try !Self.isPrepared(connection) else { return }
            try connection.execute(Self.tables)
        }
    }

    /// Whether there is an index.
    static func isPrepared(_ connection: SQLiteConnection) throws(SQLiteError) -> Bool {
        try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'items_search'") > 0
    }

    /// Frees some of what the index still holds of items that are gone: FTS5 only notes that they are, until it merges
    /// what it has noted with what it had. That is left to chance where items go as fast as others come.
    static func compact(_ connection: SQLiteConnection) throws(SQLiteError) {
        for _ in 0..<8 {
            let before = try connection.integer("SELECT total_changes()")
            try connection.run("INSERT INTO search (search, rank) VALUES ('merge', -64)")
            // So it says that there was nothing to merge (https://sqlite.org/fts5.html, section 6.7).
            if try connection.integer("SELECT total_changes()") - before < 2 { return }
        }
    }

    /// Indexes some of a resource's items that are not. Returns whether there may be more.
    mutating func indexSome(of resource: ResourceKey) throws(SQLiteError) -> Bool {
        guard let number = try store.resources.number(of: resource), try !waiting(of: number, limit: 1).isEmpty else {
            return false
        }
        let connection = store.connection
        var text = text
        defer { self.text = text }
        return try connection.writing { () throws(SQLiteError) in
            let keys = try waiting(of: number, limit: Self.batch.items)
            var bytes = 0
            for key in keys {
                guard bytes < Self.batch.bytes else { return true }
                let json = try connection.first("SELECT json FROM items WHERE key = ?", .integer(key)) { $0.blob(0) }
                guard let json else { continue }
                bytes += json.count
                // An item that was saved anew still has its old text there.
                try connection.run(
                    "INSERT OR REPLACE INTO search (rowid, text) VALUES (?, ?)", .integer(key),
                    .text(text.text(of: json)))
                try connection.run("UPDATE items SET indexed = 1 WHERE key = ?", .integer(key))
            }
            return keys.count == Self.batch.items
        }
    }

    private func waiting(of resource: Int64, limit: Int) throws(SQLiteError) -> [Int64] {
        var keys: [Int64] = []
        try store.connection.rows(
            "SELECT key FROM items WHERE resource = ? AND indexed = 0 AND partial = 0 LIMIT ?",
            [.integer(resource), .integer(Int64(limit))]
        ) { keys.append($0.integer(0)) }
        return keys
    }
}
