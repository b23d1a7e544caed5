import JSON
import System

extension EntityStore {
    /// One write that waits for its turn.
    enum Write: Sendable {
        case save(LocalChange)
        case removeItem(ItemKey)
        case removePage(PageKey)
        case remove(CacheSelection, WriteCount)
        case invalidate(CacheSelection, WriteCount)

        /// Whether it may free much room.
        var isRemoval: Bool { if case .remove = self { true } else { false } }
    }

    /// How many entries a removal or invalidation met, once it is in the file.
    final class WriteCount: Sendable {
        private let count = Lock(Int?.none)

        var value: Int? { count.withLock { $0 } }

        func set(_ value: Int) { count.withLock { $0 = value } }
    }

    /// Does all writes in their order, or none of them.
    func apply(_ writes: [Write], now: Timestamp) throws(SQLiteError) {
        var counts: [(WriteCount, Int)] = []
        do {
            try connection.writing { () throws(SQLiteError) in
                for write in writes {
                    switch write {
                    case .save(let change): try save(change, now: now)
                    case .removeItem(let key): try remove(key)
                    case .removePage(let key): try remove(key)
                    case .remove(let selection, let count): counts.append((count, try remove(selection)))
                    case .invalidate(let selection, let count): counts.append((count, try invalidate(selection)))
                    }
                }
                try trimChanges()
            }
        } catch {
            // Numbers that were given out by what has just been undone do not hold.
            resources.forget()
            throw error
        }
        for (count, value) in counts { count.set(value) }
    }
}

extension EntityStore {
    private func save(_ change: LocalChange, now: Timestamp) throws(SQLiteError) {
        // More than the log keeps is not named.
        let isNamed = change.items.count <= Self.keptChanges
        if !isNamed { try logAll() }
        for item in change.items { try save(item, isNamed: isNamed, now: now) }
        if let page = change.page { try save(page, now: now) }
    }

    private func save(_ item: ItemEntity, isNamed: Bool, now: Timestamp) throws(SQLiteError) {
        let resource = try makeNumber(of: item.key.resource)
        try connection.run(
            """
            INSERT INTO items (resource, id, partial, fetched_at, used_at, invalidated, json, etag, modified, checksum)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET fetched_at = excluded.fetched_at, used_at = excluded.used_at,
                invalidated = excluded.invalidated, indexed = indexed AND json = excluded.json, json = excluded.json,
                etag = excluded.etag, modified = excluded.modified, checksum = excluded.checksum
            """,
            .integer(resource), .text(item.key.id), SQLiteValue(item.key.isPartial),
            .integer(item.fetchedAt.milliseconds), .integer(now.milliseconds), SQLiteValue(item.isInvalidated),
            .blob(item.json), SQLiteValue(item.validators?.etag), SQLiteValue(item.validators?.lastModified),
            .integer(RowChecksum.of(item, resource: resource)))
        if isNamed { try log(item.key, of: resource) }
    }

    private func save(_ page: PageEntity, now: Timestamp) throws(SQLiteError) {
        let resource = try makeNumber(of: page.key.resource)
        let ids = Self.text(of: page.ids)
        let next = (page.next?.json ?? .null).text
        try connection.run(
            """
            INSERT INTO pages (resource, request, partial, fetched_at, used_at, invalidated, ids, info, etag, modified,
                count, list, next, pages, checksum)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET partial = excluded.partial, fetched_at = excluded.fetched_at,
                used_at = excluded.used_at, invalidated = excluded.invalidated, ids = excluded.ids,
                info = excluded.info, etag = excluded.etag, modified = excluded.modified, count = excluded.count,
                list = excluded.list, next = excluded.next, pages = excluded.pages, checksum = excluded.checksum
            """,
            .integer(resource), .text(page.key.request), SQLiteValue(page.isPartial),
            .integer(page.fetchedAt.milliseconds), .integer(now.milliseconds), SQLiteValue(page.isInvalidated),
            .text(String(decoding: ids, as: UTF8.self)), .blob(page.info), SQLiteValue(page.validators?.etag),
            SQLiteValue(page.validators?.lastModified), SQLiteValue(page.count), .text(page.key.list),
            .text(next), SQLiteValue(page.pages),
            .integer(RowChecksum.of(page, ids: ids, list: page.key.list, next: next, resource: resource)))
        try log(page.key, of: resource)
        try markOutdated(by: page, resource: resource)
    }

    /// Other pages of the list that were told another count become stale. In two steps, of which each finds its pages
    /// through the index alone.
    private func markOutdated(by page: PageEntity, resource: Int64) throws(SQLiteError) {
        guard let count = page.count, !page.isInvalidated else { return }
        let values: [SQLiteValue] = [.integer(resource), .text(page.key.list), .integer(Int64(count))]
        for comparison in ["<", ">"] {
            let outdated = "resource = ? AND list = ? AND invalidated = 0 AND count \(comparison) ?"
            guard try connection.first("SELECT 1 FROM pages WHERE \(outdated)", values, read: { _ in }) != nil else {
                continue
            }
            try logPages(where: outdated, values)
            try connection.run("UPDATE pages SET \(Self.invalidation) WHERE \(outdated)", values)
        }
    }

    private func remove(_ key: ItemKey) throws(SQLiteError) {
        guard let resource = try number(of: key.resource) else { return }
        try connection.run(
            "DELETE FROM items WHERE resource = ? AND id = ? AND partial = ?",
            .integer(resource), .text(key.id), SQLiteValue(key.isPartial))
        try log(key, of: resource)
    }

    private func remove(_ key: PageKey) throws(SQLiteError) {
        guard let resource = try number(of: key.resource) else { return }
        try connection.run(
            "DELETE FROM pages WHERE resource = ? AND request = ?", .integer(resource), .text(key.request))
        try log(key, of: resource)
    }

    private static func text(of ids: [String]) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginArray()
        for id in ids { writer.string(id) }
        writer.endArray()
        return writer.bytes
    }
}
