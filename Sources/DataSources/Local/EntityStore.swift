import JSON

/// The queries of the cache file, over one open connection.
final class EntityStore {
    /// One write that waits for its turn.
    enum Write {
        case save(LocalChange)
        case removeItem(ItemKey)
        case removePage(PageKey)
    }

    let connection: SQLiteConnection
    /// Rows of `resources` are never deleted, so what was read once holds.
    private var resourceNumbers: [ResourceKey: Int64] = [:]

    init(_ connection: SQLiteConnection) { self.connection = connection }

    func item(_ key: ItemKey) throws(SQLiteError) -> ItemEntity? {
        guard let resource = try number(of: key.resource) else { return nil }
        return try item(key, resource: resource)
    }

    /// Items as they stood together at one moment.
    func items(_ keys: [ItemKey]) throws(SQLiteError) -> [ItemEntity?] {
        try connection.reading { () throws(SQLiteError) in
            var found: [ItemEntity?] = []
            found.reserveCapacity(keys.count)
            for key in keys { found.append(try item(key)) }
            return found
        }
    }

    /// A page and its items as they stood together at one moment.
    func page(_ key: PageKey) throws(SQLiteError) -> StoredPage? {
        try connection.reading { () throws(SQLiteError) in
            guard let resource = try number(of: key.resource), let page = try page(key, resource: resource) else {
                return nil
            }
            var items: [ItemEntity] = []
            items.reserveCapacity(page.ids.count)
            for key in page.itemKeys {
                guard let item = try item(key, resource: resource) else { return nil }
                items.append(item)
            }
            return StoredPage(page: page, items: items)
        }
    }

    /// Does all writes in their order, or none of them.
    func apply(_ writes: [Write], now: Timestamp) throws(SQLiteError) {
        do {
            try connection.writing { () throws(SQLiteError) in
                for write in writes {
                    switch write {
                    case .save(let change): try save(change, now: now)
                    case .removeItem(let key): try remove(key)
                    case .removePage(let key): try remove(key)
                    }
                }
            }
        } catch {
            // Numbers that were given out by what has just been undone do not hold.
            resourceNumbers = [:]
            throw error
        }
    }

    func remove(_ selection: CacheSelection) throws(SQLiteError) -> Int {
        let removed = try connection.writing { () throws(SQLiteError) in
            try forEach(selection, "DELETE FROM items", "DELETE FROM pages")
        }
        if removed > 0 { try shrink() }
        return removed
    }

    /// Gives the space of a large removal back to the file system; that of a small one is soon used again.
    private func shrink() throws(SQLiteError) {
        var unused = try connection.integer("PRAGMA freelist_count")
        guard unused > 256 else { return }
        while unused > 0 {
            // Step by step, each a transaction of its own, so that other processes need not wait long to write.
            try connection.execute("PRAGMA incremental_vacuum(4096)")
            let left = try connection.integer("PRAGMA freelist_count")
            guard left < unused else { return }
            unused = left
        }
    }

    func invalidate(_ selection: CacheSelection) throws(SQLiteError) -> Int {
        try connection.writing { () throws(SQLiteError) in
            try forEach(
                selection, "UPDATE items SET invalidated = 1", "UPDATE pages SET invalidated = 1",
                where: "invalidated = 0")
        }
    }

    func count() throws(SQLiteError) -> Int {
        Int(try connection.integer("SELECT (SELECT count(*) FROM items) + (SELECT count(*) FROM pages)"))
    }

    /// The bytes of the pages in use.
    func size() throws(SQLiteError) -> Int {
        let pages = try connection.integer("PRAGMA page_count") - connection.integer("PRAGMA freelist_count")
        return Int(pages * (try connection.integer("PRAGMA page_size")))
    }
}

extension EntityStore {
    private func item(_ key: ItemKey, resource: Int64) throws(SQLiteError) -> ItemEntity? {
        try connection.first(
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

    private func page(_ key: PageKey, resource: Int64) throws(SQLiteError) -> PageEntity? {
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

    private func save(_ change: LocalChange, now: Timestamp) throws(SQLiteError) {
        for item in change.items { try save(item, now: now) }
        if let page = change.page { try save(page, now: now) }
    }

    private func save(_ item: ItemEntity, now: Timestamp) throws(SQLiteError) {
        try connection.run(
            """
            INSERT INTO items (resource, id, partial, fetched_at, used_at, invalidated, json, etag, modified)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET fetched_at = excluded.fetched_at, used_at = excluded.used_at,
                invalidated = excluded.invalidated, indexed = indexed AND json = excluded.json, json = excluded.json,
                etag = excluded.etag, modified = excluded.modified
            """,
            .integer(try makeNumber(of: item.key.resource)), .text(item.key.id), SQLiteValue(item.key.isPartial),
            .integer(item.fetchedAt.milliseconds), .integer(now.milliseconds), SQLiteValue(item.isInvalidated),
            .blob(item.json), SQLiteValue(item.validators?.etag), SQLiteValue(item.validators?.lastModified))
    }

    private func save(_ page: PageEntity, now: Timestamp) throws(SQLiteError) {
        try connection.run(
            """
            INSERT INTO pages (resource, request, partial, fetched_at, used_at, invalidated, ids, info, etag, modified,
                count, list)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET partial = excluded.partial, fetched_at = excluded.fetched_at,
                used_at = excluded.used_at, invalidated = excluded.invalidated, ids = excluded.ids,
                info = excluded.info, etag = excluded.etag, modified = excluded.modified, count = excluded.count,
                list = excluded.list
            """,
            .integer(try makeNumber(of: page.key.resource)), .text(page.key.request), SQLiteValue(page.isPartial),
            .integer(page.fetchedAt.milliseconds), .integer(now.milliseconds), SQLiteValue(page.isInvalidated),
            .text(Self.text(of: page.ids)), .blob(page.info), SQLiteValue(page.validators?.etag),
            SQLiteValue(page.validators?.lastModified), SQLiteValue(page.count), .text(page.key.list))
        try markOutdated(by: page)
    }

    /// Other pages of the list that were told another count become stale. In two steps, of which each finds its pages
    /// through the index alone.
    private func markOutdated(by page: PageEntity) throws(SQLiteError) {
        guard let count = page.count, !page.isInvalidated else { return }
        for comparison in ["<", ">"] {
            try connection.run(
                """
                UPDATE pages SET invalidated = 1
                WHERE resource = ? AND list = ? AND invalidated = 0 AND count \(comparison) ?
                """,
                .integer(try makeNumber(of: page.key.resource)), .text(page.key.list), .integer(Int64(count)))
        }
    }

    private func remove(_ key: ItemKey) throws(SQLiteError) {
        guard let resource = try number(of: key.resource) else { return }
        try connection.run(
            "DELETE FROM items WHERE resource = ? AND id = ? AND partial = ?",
            .integer(resource), .text(key.id), .integer(key.isPartial ? 1 : 0))
    }

    private func remove(_ key: PageKey) throws(SQLiteError) {
        guard let resource = try number(of: key.resource) else { return }
        try connection.run(
            "DELETE FROM pages WHERE resource = ? AND request = ?", .integer(resource), .text(key.request))
    }

    /// Runs a statement on the items and one on the pages that a selection names. Returns how many rows they changed.
    private func forEach(
        _ selection: CacheSelection, _ items: String, _ pages: String, where condition: String? = nil
    ) throws(SQLiteError) -> Int {
        var conditions = condition.map { [$0] } ?? []
        var values: [SQLiteValue] = []
        if let before = selection.fetchedBefore {
            conditions.append("fetched_at < ?")
            values.append(.integer(before.milliseconds))
        }
        if let resource = selection.resource {
            conditions.append("resource IN (SELECT key FROM resources WHERE name = ?)")
            values.append(.text(resource))
        } else if selection.ids != nil {
            // Says nothing new, but lets the index on (resource, id) find the ids.
            conditions.append("resource IN (SELECT key FROM resources)")
        }
        if let ids = selection.ids {
            let sql = items + Self.clause(conditions + ["id = ?"])
            var changed = 0
            for id in ids { changed += try connection.run(sql, values + [.text(id)]) }
            return changed
        }
        let clause = Self.clause(conditions)
        return try connection.run(items + clause, values) + connection.run(pages + clause, values)
    }

    private static func clause(_ conditions: [String]) -> String {
        var clause = ""
        for condition in conditions { clause += (clause.isEmpty ? " WHERE " : " AND ") + condition }
        return clause
    }

    func number(of resource: ResourceKey) throws(SQLiteError) -> Int64? {
        if let number = resourceNumbers[resource] { return number }
        let number = try connection.first(
            "SELECT key FROM resources WHERE fingerprint = ?", .blob(resource.fingerprint.bytes)
        ) { $0.integer(0) }
        if let number { resourceNumbers[resource] = number }
        return number
    }

    private func makeNumber(of resource: ResourceKey) throws(SQLiteError) -> Int64 {
        if let number = try number(of: resource) { return number }
        try connection.run(
            "INSERT INTO resources (name, fingerprint) VALUES (?, ?)",
            .text(resource.name), .blob(resource.fingerprint.bytes))
        return try connection.integer("SELECT last_insert_rowid()")
    }

    private static func text(of ids: [String]) -> String {
        var writer = JSONWriter()
        writer.beginArray()
        for id in ids { writer.string(id) }
        writer.endArray()
        return String(decoding: writer.bytes, as: UTF8.self)
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
}
