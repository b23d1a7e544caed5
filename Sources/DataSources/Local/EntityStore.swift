import JSON
import System

/// The queries of the cache file, over one open connection.
final class EntityStore {
    let connection: SQLiteConnection
    var resources: ResourceNumbers
    /// Tells what this process logs of its changes from what others do.
    let writer: Int64
    /// Entries in the log of changes since it was looked at whether it has become too long. A process that ends before
    /// leaves that to the next one, so that the log may be somewhat longer.
    var logged: Int64 = EntityStore.keptChanges / 10

    /// Rows that were read and are not what was written, since they were taken last.
    private var damaged: [DamagedRow] = []

    init(
        _ connection: SQLiteConnection, writer: Int64 = 0,
        former: @escaping (ResourceKey) -> ResourceKey.Fingerprint? = { _ in nil }
    ) {
        self.connection = connection
        resources = ResourceNumbers(former: former)
        self.writer = writer
    }

    /// What was found damaged since this was called last.
    func takeDamaged() -> [DamagedRow] {
        defer { damaged = [] }
        return damaged
    }

    func item(_ key: ItemKey) throws(SQLiteError) -> ItemEntity? {
        guard let resource = try number(of: key.resource) else { return nil }
        let item = try connection.first(
            """
            SELECT \(Self.itemColumns) FROM items WHERE resource = ? AND id = ? AND partial = ?
            """,
            .integer(resource), .text(key.id), SQLiteValue(key.isPartial)
        ) { readItem($0, key, resource) }
        return item ?? nil
    }

    /// A whole item by its number in the table.
    func item(_ number: Int64, of key: ResourceKey) throws(SQLiteError) -> ItemEntity? {
        guard let resource = try self.number(of: key) else { return nil }
        let item = try connection.first(
            "SELECT \(Self.itemColumns), id FROM items WHERE key = ?", .integer(number)
        ) { readItem($0, ItemKey(resource: key, id: $0.text(7)), resource) }
        return item ?? nil
    }

    /// A page without its items.
    func page(_ key: PageKey) throws(SQLiteError) -> PageEntity? {
        guard let resource = try number(of: key.resource) else { return nil }
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

    /// The bytes of the pages in use.
    func size() throws(SQLiteError) -> Int {
        let pages = try connection.integer("PRAGMA page_count") - connection.integer("PRAGMA freelist_count")
        return Int(pages * (try connection.integer("PRAGMA page_size")))
    }
}

extension EntityStore {
    private static let itemColumns = "fetched_at, invalidated, json, etag, modified, key, checksum"

    /// An item from a row of `itemColumns`; nil where the row is damaged.
    private func readItem(_ row: SQLiteStatement, _ key: ItemKey, _ resource: Int64) -> ItemEntity? {
        let item = ItemEntity(
            key: key, json: row.blob(2), fetchedAt: Timestamp(milliseconds: row.integer(0)),
            isInvalidated: row.integer(1) != 0,
            validators: Validators(etag: row.optionalText(3), lastModified: row.optionalText(4)))
        let isSound =
            row.isNull(6)
            ? UncheckedRow.isSound(item.json, fetchedAt: item.fetchedAt)
            : row.integer(6) == RowChecksum.of(item, resource: resource)
        if isSound { return item }
        note(.items, row, number: 5, checksum: 6)
        return nil
    }

    private func readPage(_ row: SQLiteStatement, _ key: PageKey, _ resource: Int64) -> PageEntity? {
        let text = row.blob(3)
        let ids = Self.ids(text)
        let next = row.optionalText(11)
        let course = Self.course(next: next, pages: row.optionalInteger(12), info: row.blob(4))
        let page = PageEntity(
            key: key, ids: ids ?? [], isPartial: row.integer(2) != 0, info: row.blob(4),
            fetchedAt: Timestamp(milliseconds: row.integer(0)), isInvalidated: row.integer(1) != 0,
            count: row.optionalInteger(5), pages: course?.pages, next: course?.next,
            validators: Validators(etag: row.optionalText(6), lastModified: row.optionalText(7)))
        let isSound =
            row.isNull(10)
            ? UncheckedRow.isSound(page.info, fetchedAt: page.fetchedAt)
            : row.integer(10) == RowChecksum.of(page, ids: text, list: row.text(8), next: next, resource: resource)
        if isSound, ids != nil, course != nil { return page }
        note(.pages, row, number: 9, checksum: 10)
        return nil
    }

    private func note(_ table: DamagedRow.Table, _ row: SQLiteStatement, number: Int32, checksum: Int32) {
        let stored = row.isNull(checksum) ? nil : row.integer(checksum)
        damaged.append(DamagedRow(table: table, key: row.integer(number), checksum: stored))
    }

    /// Nil where the text is not what `text(of:)` makes.
    private static func ids(_ text: [UInt8]) -> [String]? {
        guard let document = try? JSONDocument(text) else { return nil }
        return document.withRoot { root -> [String]? in
            guard root.kind == .array else { return nil }
            var ids: [String] = []
            ids.reserveCapacity(root.elements.reduce(0) { count, _ in count + 1 })
            for element in root.elements {
                guard let id = element.string else { return nil }
                ids.append(id)
            }
            return ids
        }
    }

    /// How many pages a list has, and which one comes next: from the columns, or of a row that an older version wrote,
    /// where `next` is NULL, from the info. Nil where the column is not what `save` makes.
    private static func course(next: String?, pages: Int?, info: [UInt8]) -> (pages: Int?, next: PageToken?)? {
        guard let next else {
            guard let info = try? JSONDocument(info) else { return (nil, nil) }
            return info.withRoot { ($0["pages"]?.integer, $0["next"].flatMap(token)) }
        }
        guard let next = try? JSONDocument(Array(next.utf8)) else { return nil }
        return next.withRoot { next in
            let token = token(next)
            return token == nil && !next.isNull ? nil : (pages, token)
        }
    }

    private static func token(_ view: JSONView) -> PageToken? {
        view.integer.map { .number($0) } ?? view.string.map { .opaque($0) }
    }
}
