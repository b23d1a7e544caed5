import JSON

/// The queries of the cache file, over one open connection.
final class EntityStore {
    let connection: SQLiteConnection
    var resources: ResourceNumbers
    /// Tells what this process logs of its changes from what others do.
    let writer: Int64
    /// Entries in the log of changes since it was looked at whether it has become too long. A process that ends before
    /// leaves that to the next one, so that the log may be somewhat longer.
    var logged: Int64 = EntityStore.keptChanges / 10

    init(
        _ connection: SQLiteConnection, writer: Int64 = 0,
        former: @escaping (ResourceKey) -> ResourceKey.Fingerprint? = { _ in nil }
    ) {
        self.connection = connection
        resources = ResourceNumbers(former: former)
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

    /// Nil where the text is not what `text(of:)` makes.
    private static func ids(_ text: [UInt8]) -> [String]? {
        guard let document = try? JSONDocument(text) else { return nil }
        return document.withRoot { root -> [String]? in
            let ids = root.elements.map(\.string)
            return root.kind == .array && !ids.contains(nil) ? ids.compactMap { $0 } : nil
        }
    }
}
