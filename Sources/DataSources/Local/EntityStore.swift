import JSON

/// The queries of the cache file, over one open connection.
final class EntityStore {
    let connection: SQLiteConnection
    /// Rows of `resources` are never deleted, so what was read once holds.
    var resourceNumbers: [ResourceKey: Int64] = [:]
    /// Tells what this process logs of its changes from what others do.
    let writer: Int64
    /// Entries in the log of changes since it was looked at whether it has become too long. A process that ends before
    /// leaves that to the next one, so that the log may be somewhat longer.
    var logged: Int64 = EntityStore.keptChanges / 10

    init(_ connection: SQLiteConnection, writer: Int64 = 0) {
        self.connection = connection
        self.writer = writer
    }

    func item(_ key: ItemKey) throws(SQLiteError) -> ItemEntity? {
        guard let resource = try number(of: key.resource) else { return nil }
        return try connection.first(
            """
            SELECT fetched_at, invalidated, json, etag, modified FROM items
            WHERE resource = ? AND id = ? AND partial = ?
            """,
            .integer(resource), .text(key.id), SQLiteValue(key.isPartial)
        ) { row in
            ItemEntity(
                key: key, json: row.blob(2), fetchedAt: Timestamp(milliseconds: row.integer(0)),
                isInvalidated: row.integer(1) != 0,
                validators: Validators(etag: row.optionalText(3), lastModified: row.optionalText(4)))
        }
    }

    /// A page without its items.
    func page(_ key: PageKey) throws(SQLiteError) -> PageEntity? {
        guard let resource = try number(of: key.resource) else { return nil }
        let page = try connection.first(
            """
            SELECT fetched_at, invalidated, partial, ids, info, count, etag, modified FROM pages
            WHERE resource = ? AND request = ?
            """,
            .integer(resource), .text(key.request)
        ) { row in
            Self.ids(row.blob(3)).map { ids in
                PageEntity(
                    key: key, ids: ids, isPartial: row.integer(2) != 0, info: row.blob(4),
                    fetchedAt: Timestamp(milliseconds: row.integer(0)), isInvalidated: row.integer(1) != 0,
                    count: row.isNull(5) ? nil : Int(row.integer(5)),
                    validators: Validators(etag: row.optionalText(6), lastModified: row.optionalText(7)))
            }
        }
        return page ?? nil
    }

    func count() throws(SQLiteError) -> Int {
        Int(try connection.integer("SELECT (SELECT count(*) FROM items) + (SELECT count(*) FROM pages)"))
    }

    /// The bytes of the pages in use.
    func size() throws(SQLiteError) -> Int {
        let pages = try connection.integer("PRAGMA page_count") - connection.integer("PRAGMA freelist_count")
        return Int(pages * (try connection.integer("PRAGMA page_size")))
    }

    func number(of resource: ResourceKey) throws(SQLiteError) -> Int64? {
        if let number = resourceNumbers[resource] { return number }
        let number = try connection.first(
            "SELECT key FROM resources WHERE fingerprint = ?", .blob(resource.fingerprint.bytes)
        ) { $0.integer(0) }
        if let number { resourceNumbers[resource] = number }
        return number
    }

    func makeNumber(of resource: ResourceKey) throws(SQLiteError) -> Int64 {
        if let number = try number(of: resource) { return number }
        try connection.run(
            "INSERT INTO resources (name, fingerprint) VALUES (?, ?)",
            .text(resource.name), .blob(resource.fingerprint.bytes))
        return try connection.integer("SELECT last_insert_rowid()")
    }

    /// Nil where the text is not what `text(of:)` makes.
    private static func ids(_ text: [UInt8]) -> [String]? {
        guard let document = try? JSONDocument(text) else { return nil }
        return document.withRoot { root -> [String]? in
            let ids = root.elements.map(\.string)
            return root.kind == .array && !ids.contains(nil) ? ids.compactMap { $0 } : nil
        }
    }
}

extension ResourceKey.Fingerprint {
    /// Both words, the most significant byte first.
    fileprivate var bytes: [UInt8] {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
    }

    /// A fingerprint from its bytes; nil where they are not 16.
    init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        let words = [0, 8].map { start in bytes[start..<start + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        self.init(high: words[0], low: words[1])
    }
}
