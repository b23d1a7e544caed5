import JSON
import Model
import System

/// Reads and writes the entries of the cache file over one open connection.
final class EntityStore {
    let connection: SQLiteConnection
    let resources: ResourceNumbers
    let changes: ChangeLog
    /// The damaged rows found by reads since the last call of `takeDamaged`.
    private var damaged: [DamagedRow] = []
    private var knownPageSize: Int?

    init(_ connection: SQLiteConnection, writer: Int64 = 0) {
        self.connection = connection
        resources = ResourceNumbers(connection)
        changes = ChangeLog(connection, writer: writer)
    }

    /// Returns the damaged rows found by reads since the last call of this function.
    func takeDamaged() -> [DamagedRow] {
        defer { damaged = [] }
        return damaged
    }

    func item(_ key: ItemKey) throws(SQLiteError) -> ItemEntity? {
        guard let resource = try resources.number(of: key.resource) else { return nil }
        let item = try connection.first(
            Self.itemQuery, .integer(resource), .text(key.id), SQLiteValue(key.isPartial)
        ) { readItem($0, key, resource) }
        return item ?? nil
    }

    /// Returns the row number of an item, together with the item. Returns nil if there is no such row. The returned
    /// item is nil if its row is damaged.
    func row(of key: ItemKey) throws(SQLiteError) -> (number: Int64, item: ItemEntity?)? {
        guard let resource = try resources.number(of: key.resource) else { return nil }
        return try connection.first(
            Self.itemQuery, .integer(resource), .text(key.id), SQLiteValue(key.isPartial)
        ) { ($0.integer(5), readItem($0, key, resource)) }
    }

    /// Returns the item in the row with the given number. The row must contain a complete item, with all fields.
    func item(_ number: Int64, of key: ResourceKey) throws(SQLiteError) -> ItemEntity? {
        guard let resource = try resources.number(of: key) else { return nil }
        let item = try connection.first(
            "SELECT \(Self.itemColumns), id FROM items WHERE key = ?", .integer(number)
        ) { readItem($0, ItemKey(resource: key, id: $0.text(7)), resource) }
        return item ?? nil
    }

    /// Returns a page without its items; nil if the page is not stored or is damaged.
    func page(_ key: PageKey) throws(SQLiteError) -> PageEntity? {
        guard let resource = try resources.number(of: key.resource) else { return nil }
        let page = try connection.first(
            """
            SELECT fetched_at, invalidated, partial, ids, info, count, etag, modified, list, key, checksum, next, pages
            FROM pages WHERE resource = ? AND request = ?
            """,
            .integer(resource), .text(key.request)
        ) { readPage($0, key, resource) }
        return page ?? nil
    }

    func count() throws(SQLiteError) -> Int {
        Int(try connection.integer("SELECT (SELECT count(*) FROM items) + (SELECT count(*) FROM pages)"))
    }

    /// Returns the total size of the database pages in use, in bytes.
    func size() throws(SQLiteError) -> Int {
        let pages = try connection.integer("PRAGMA page_count") - connection.integer("PRAGMA freelist_count")
        return Int(pages) * (try pageSize())
    }

    /// Returns the size of a database page in bytes. The size never changes.
    func pageSize() throws(SQLiteError) -> Int {
        if let knownPageSize { return knownPageSize }
        let size = Int(try connection.integer("PRAGMA page_size"))
        knownPageSize = size
        return size
    }

    /// Gives free space back to the file system after a large removal.
    // After a small removal the free space stays in the file, because new entries will soon use it.
    func shrink() throws(SQLiteError) {
        var unused = try connection.integer("PRAGMA freelist_count")
        guard unused > 256 else { return }
        while unused > 0 {
            // Each step has its own transaction, so that other processes do not wait long to write.
            try connection.writing { () throws(SQLiteError) in
                try connection.execute("PRAGMA incremental_vacuum(4096)")
            }
            let left = try connection.integer("PRAGMA freelist_count")
            guard left < unused else { break }
            unused = left
        }
        // Only a checkpoint shortens the file. The removal has also made the log long.
        try connection.emptyLog()
    }

    var selections: EntitySelections { EntitySelections(connection: connection, changes: changes) }

    /// Returns the note with the given name (see `CacheNotesContract`).
    func note(_ name: String) throws(SQLiteError) -> String? {
        try connection.first("SELECT value FROM notes WHERE name = ?", .text(name)) { $0.text(0) }
    }
}

extension EntityStore {
    private static let itemColumns = "fetched_at, invalidated, json, etag, modified, key, checksum"
    private static let itemQuery = "SELECT \(itemColumns) FROM items WHERE resource = ? AND id = ? AND partial = ?"

    /// Creates an item from a row with the columns `itemColumns`; nil if the row is damaged.
    private func readItem(_ row: SQLiteStatement, _ key: ItemKey, _ resource: Int64) -> ItemEntity? {
        let item = ItemEntity(
            key: key, json: row.blob(2), fetchedAt: Timestamp(milliseconds: row.integer(0)),
            isInvalidated: row.integer(1) != 0,
            validators: Validators(etag: row.optionalText(3), lastModified: row.optionalText(4)))
        if row.integer(6) == RowChecksum.of(item, resource: resource) { return item }
        recordDamage(.items, row, number: 5, checksum: 6)
        return nil
    }

    private func readPage(_ row: SQLiteStatement, _ key: PageKey, _ resource: Int64) -> PageEntity? {
        let text = row.blob(3)
        let ids = PageColumns.ids(text)
        let next = row.text(11)
        let token = PageColumns.next(next)
        let page = PageEntity(
            key: key, ids: ids ?? [], isPartial: row.integer(2) != 0, info: row.blob(4),
            fetchedAt: Timestamp(milliseconds: row.integer(0)), isInvalidated: row.integer(1) != 0,
            count: row.optionalInteger(5), pages: row.optionalInteger(12), next: token ?? nil,
            validators: Validators(etag: row.optionalText(6), lastModified: row.optionalText(7)))
        let checksum = RowChecksum.of(page, ids: text, list: row.text(8), next: next, resource: resource)
        if row.integer(10) == checksum, ids != nil, token != nil { return page }
        recordDamage(.pages, row, number: 9, checksum: 10)
        return nil
    }

    private func recordDamage(_ table: DamagedRow.Table, _ row: SQLiteStatement, number: Int32, checksum: Int32) {
        damaged.append(DamagedRow(table: table, key: row.integer(number), checksum: row.integer(checksum)))
    }
}

extension EntityStore {
    /// A write to the cache file. The write is pending until the writer stores it.
    enum Write: Sendable {
        case save(LocalChange)
        case removeItem(ItemKey)
        case removePage(PageKey)
        case remove(CacheSelection, WriteCount)
        case invalidate(CacheSelection, WriteCount)
        case keep(note: String, String?)

        /// Whether the write removes all entries that match a selection. If true, the write may free much space in the
        /// file.
        var isRemoval: Bool { if case .remove = self { true } else { false } }
    }

    /// The number of entries that were removed or invalidated by a write. Nil until the change is in the file.
    final class WriteCount: Sendable {
        private let count = Lock(Int?.none)

        var value: Int? { count.withLock { $0 } }

        func set(_ value: Int) { count.withLock { $0 = value } }
    }

    /// Applies all writes in order in one transaction. If one write fails, none is applied.
    func apply(_ writes: [Write], now: Timestamp) throws(SQLiteError) {
        var counts: [(WriteCount, Int)] = []
        do {
            try connection.writing { () throws(SQLiteError) in
                for write in writes {
                    switch write {
                    case .save(let change): try save(change, now: now)
                    case .removeItem(let key): try remove(key)
                    case .removePage(let key): try remove(key)
                    case .remove(let selection, let count): counts.append((count, try selections.remove(selection)))
                    case .invalidate(let selection, let count):
                        counts.append((count, try selections.invalidate(selection)))
                    case .keep(let name, let value): try keep(note: name, value)
                    }
                }
                try changes.trim()
            }
        } catch {
            // The rollback also removed the resource numbers that this transaction assigned.
            resources.forget()
            throw error
        }
        for (count, value) in counts { count.set(value) }
    }

    private func keep(note name: String, _ value: String?) throws(SQLiteError) {
        if let value {
            try connection.run("INSERT OR REPLACE INTO notes (name, value) VALUES (?, ?)", .text(name), .text(value))
        } else {
            try connection.run("DELETE FROM notes WHERE name = ?", .text(name))
        }
    }
}

extension EntityStore {
    private static let saveItem = """
        INSERT INTO items (resource, id, partial, fetched_at, used_at, invalidated, json, etag, modified, checksum)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET fetched_at = excluded.fetched_at, used_at = excluded.used_at,
            invalidated = excluded.invalidated, indexed = indexed AND json = excluded.json, json = excluded.json,
            etag = excluded.etag, modified = excluded.modified, checksum = excluded.checksum
        WHERE invalidated OR fetched_at <= ? OR fetched_at > excluded.fetched_at
        """
    private static let savePage = """
        INSERT INTO pages (resource, request, partial, fetched_at, used_at, invalidated, ids, info, etag, modified,
            count, list, next, pages, checksum)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET partial = excluded.partial, fetched_at = excluded.fetched_at,
            used_at = excluded.used_at, invalidated = excluded.invalidated, ids = excluded.ids,
            info = excluded.info, etag = excluded.etag, modified = excluded.modified, count = excluded.count,
            list = excluded.list, next = excluded.next, pages = excluded.pages,
            checksum = excluded.checksum
        """

    private func save(_ change: LocalChange, now: Timestamp) throws(SQLiteError) {
        // If the change has more items than the log can hold, the log marks every entry as changed.
        let isNamed = change.items.count <= ChangeLog.maxRows
        if !isNamed { try changes.noteAll() }
        for item in change.items { try save(item, askedAt: change.askedAt, isNamed: isNamed, now: now) }
        if let page = change.page { try save(page, now: now) }
    }

    /// Stores an item, unless the stored version is newer.
    ///
    /// - Parameters:
    ///   - askedAt: the time just before the request for the item. A version that was fetched after this time counts as
    ///     newer. If nil, the item replaces every stored version.
    ///   - isNamed: whether to add the item to the change log, which other processes read.
    // The API may have sent the answer before it sent the stored version. A stored fetch time after that of the item
    // is wrong, because the clock was set back.
    func save(
        _ item: ItemEntity, askedAt: Timestamp? = nil, isNamed: Bool, now: Timestamp
    ) throws(SQLiteError) {
        let resource = try resources.makeNumber(of: item.key.resource)
        if isNamed { try changes.note(item.key, of: resource) }
        // The item is stored last, so that its row is `lastInsertedRow` of the connection.
        try connection.run(
            Self.saveItem,
            .integer(resource), .text(item.key.id), SQLiteValue(item.key.isPartial),
            .integer(item.fetchedAt.milliseconds), .integer(now.milliseconds), SQLiteValue(item.isInvalidated),
            .blob(item.json), SQLiteValue(item.validators?.etag), SQLiteValue(item.validators?.lastModified),
            .integer(RowChecksum.of(item, resource: resource)), .integer(askedAt?.milliseconds ?? .max))
    }

    func save(_ page: PageEntity, now: Timestamp) throws(SQLiteError) {
        let resource = try resources.makeNumber(of: page.key.resource)
        let ids = PageColumns.text(of: page.ids)
        let next = PageColumns.text(of: page.next)
        try connection.run(
            Self.savePage,
            .integer(resource), .text(page.key.request), SQLiteValue(page.isPartial),
            .integer(page.fetchedAt.milliseconds), .integer(now.milliseconds), SQLiteValue(page.isInvalidated),
            .text(String(decoding: ids, as: UTF8.self)), .blob(page.info), SQLiteValue(page.validators?.etag),
            SQLiteValue(page.validators?.lastModified), SQLiteValue(page.count), .text(page.key.list),
            .text(next), SQLiteValue(page.pages),
            .integer(RowChecksum.of(page, ids: ids, list: page.key.list, next: next, resource: resource)))
        try changes.note(page.key, of: resource)
        try markOutdated(by: page, resource: resource)
    }

    /// Marks stored pages as stale if they belong to the same list as the given page, but report a different total
    /// count.
    // Separate statements for smaller and larger counts let SQLite find the rows in an index.
    private func markOutdated(by page: PageEntity, resource: Int64) throws(SQLiteError) {
        guard let count = page.count, !page.isInvalidated else { return }
        let values: [SQLiteValue] = [.integer(resource), .text(page.key.list), .integer(Int64(count))]
        for comparison in ["<", ">"] {
            let outdated = "resource = ? AND list = ? AND invalidated = 0 AND count \(comparison) ?"
            guard try connection.first("SELECT 1 FROM pages WHERE \(outdated)", values, read: { _ in }) != nil else {
                continue
            }
            try changes.notePages(where: outdated, values)
            try connection.run("UPDATE pages SET \(EntitySelections.invalidation) WHERE \(outdated)", values)
        }
    }

    func remove(_ key: ItemKey) throws(SQLiteError) {
        guard let resource = try resources.number(of: key.resource) else { return }
        try connection.run(
            "DELETE FROM items WHERE resource = ? AND id = ? AND partial = ?",
            .integer(resource), .text(key.id), SQLiteValue(key.isPartial))
        try changes.note(key, of: resource)
    }

    private func remove(_ key: PageKey) throws(SQLiteError) {
        guard let resource = try resources.number(of: key.resource) else { return }
        try connection.run(
            "DELETE FROM pages WHERE resource = ? AND request = ?", .integer(resource), .text(key.request))
        try changes.note(key, of: resource)
    }
}
