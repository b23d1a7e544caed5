import System

/// What the cache file has for a shared level: the names of its rows there, and notes.
///
/// It is made by the first process that has such a level, and not with the file. A process without one neither reads
/// nor writes names: what it saves anew keeps the name that it had, and what it adds has none until `nameSome`.
struct SharedPart {
    /// How many rows are named in one transaction, so that nobody else has to wait long to write.
    static let batch = 500

    static let tables = """
        CREATE TABLE shared_notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
        CREATE INDEX items_shared ON items (shared) WHERE shared IS NOT NULL;
        CREATE INDEX pages_shared ON pages (shared) WHERE shared IS NOT NULL;
        CREATE INDEX items_unshared ON items (resource) WHERE shared IS NULL;
        CREATE INDEX pages_unshared ON pages (resource) WHERE shared IS NULL;
        """

    /// The rows of one kind.
    private struct Table: Sendable {
        let name: String
        /// Of what the keys of its rows are made, besides their resource.
        let columns: String
        let key: @Sendable (_ resource: ResourceKey, _ row: SQLiteStatement) -> EntryKey
    }

    private static let tablesOfEntries = [
        Table(name: "items", columns: "id, partial") { resource, row in
            .item(ItemKey(resource: resource, id: row.text(0), isPartial: row.integer(1) != 0))
        },
        Table(name: "pages", columns: "request, list") { resource, row in
            .page(PageKey(resource: resource, request: row.text(0), list: row.text(1)))
        },
    ]

    private let connection: SQLiteConnection
    private let resources: ResourceNumbers
    /// The name of an entry; nil for one that is not shared.
    private let hash: (EntryKey) -> [UInt8]?

    init(_ connection: SQLiteConnection, _ resources: ResourceNumbers, hash: @escaping (EntryKey) -> [UInt8]?) {
        self.connection = connection
        self.resources = resources
        self.hash = hash
    }

    /// Whether the file has it.
    func isPrepared() throws(SQLiteError) -> Bool {
        try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'shared_notes'") > 0
    }

    /// Makes it where it is missing. Only inside a transaction.
    func prepare() throws(SQLiteError) {
        if try !isPrepared() { try connection.execute(Self.tables) }
    }

    /// The rows that have these names. What another secret or another catalog named is not among them.
    func entries(of hashes: [[UInt8]]) throws(SQLiteError) -> [[UInt8]: IndexedEntry] {
        guard try isPrepared() else { return [:] }
        var found: [[UInt8]: IndexedEntry] = [:]
        for table in Self.tablesOfEntries {
            let sql = """
                SELECT \(table.columns), fetched_at, resources.name, fingerprint
                FROM \(table.name) JOIN resources ON resources.key = resource WHERE shared = ?
                """
            for hash in hashes {
                try connection.rows(sql, [.blob(hash)]) { row in
                    guard let fingerprint = ResourceKey.Fingerprint(bytes: row.blob(4)) else { return }
                    let key = table.key(resources.resource(name: row.text(3), fingerprint: fingerprint), row)
                    guard self.hash(key) == hash else { return }
                    found[hash] = IndexedEntry(key: key, fetchedAt: Timestamp(milliseconds: row.integer(2)))
                }
            }
        }
        return found
    }

    /// Names some of the rows that have no name and are shared: those of older files, and of processes without a shared
    /// level. Returns whether there may be more.
    func nameSome() throws(SQLiteError) -> Bool {
        if try !isPrepared() { try connection.writing { () throws(SQLiteError) in try prepare() } }
        for table in Self.tablesOfEntries {
            var last = Int64.min
            while let (number, resource) = try unnamed(in: table, after: last) {
                last = number
                // One item tells of all: either a resource is shared or it is not.
                guard let resource, hash(.item(ItemKey(resource: resource, id: ""))) != nil else { continue }
                let isAny = try connection.writing { () throws(SQLiteError) in
                    try nameSome(of: resource, number, in: table)
                }
                if isAny { return true }
            }
        }
        return false
    }

    /// The next resource that has rows without a name; of one that cannot be told there is only the number.
    private func unnamed(
        in table: Table, after last: Int64
    ) throws(SQLiteError) -> (number: Int64, resource: ResourceKey?)? {
        let next = """
            SELECT resource FROM \(table.name) INDEXED BY \(table.name)_unshared
            WHERE shared IS NULL AND resource > ? ORDER BY resource LIMIT 1
            """
        guard let number = try connection.first(next, .integer(last), read: { $0.integer(0) }) else { return nil }
        let resource = try connection.first(
            "SELECT name, fingerprint FROM resources WHERE key = ?", .integer(number)
        ) { row -> ResourceKey? in
            guard let fingerprint = ResourceKey.Fingerprint(bytes: row.blob(1)) else { return nil }
            return resources.resource(name: row.text(0), fingerprint: fingerprint)
        }
        return (number, resource ?? nil)
    }

    /// Returns whether there was any to name.
    private func nameSome(of resource: ResourceKey, _ number: Int64, in table: Table) throws(SQLiteError) -> Bool {
        var named: [(row: Int64, name: [UInt8])] = []
        try connection.rows(
            """
            SELECT \(table.columns), key FROM \(table.name) INDEXED BY \(table.name)_unshared
            WHERE resource = ? AND shared IS NULL LIMIT \(Self.batch)
            """, [.integer(number)]
        ) { row in
            if let name = hash(table.key(resource, row)) { named.append((row.integer(2), name)) }
        }
        for (row, name) in named {
            try connection.run("UPDATE \(table.name) SET shared = ? WHERE key = ?", .blob(name), .integer(row))
        }
        return !named.isEmpty
    }

    /// What is kept under a name.
    func note(_ name: String) throws(SQLiteError) -> String? {
        guard try isPrepared() else { return nil }
        return try connection.first("SELECT value FROM shared_notes WHERE name = ?", .text(name)) { $0.text(0) }
    }

    /// What is kept under all names that begin so.
    func notes(beginning prefix: String) throws(SQLiteError) -> [String: String] {
        guard try isPrepared() else { return [:] }
        var notes: [String: String] = [:]
        try connection.rows(
            "SELECT name, value FROM shared_notes WHERE substr(name, 1, length(?1)) = ?1", [.text(prefix)]
        ) { notes[$0.text(0)] = $0.text(1) }
        return notes
    }

    /// Keeps a text under a name; nil forgets it. Only inside a transaction.
    func keep(note name: String, _ value: String?) throws(SQLiteError) {
        if let value {
            try connection.run(
                "INSERT OR REPLACE INTO shared_notes (name, value) VALUES (?, ?)", .text(name), .text(value))
        } else {
            try connection.run("DELETE FROM shared_notes WHERE name = ?", .text(name))
        }
    }
}
