import Model

/// What removals and invalidations do to all entries of the cache file that a selection names.
struct EntitySelections {
    let connection: SQLiteConnection
    let changes: ChangeLog

    /// Forgets what a selection names. Returns how many entries that were. Only inside a transaction.
    func remove(_ selection: CacheSelection) throws(SQLiteError) -> Int {
        try changes.noteAll()
        return try forEach(selection, "DELETE FROM items", "DELETE FROM pages")
    }

    /// Marks stale what a selection names. Returns how many entries were not marked before. Only inside a transaction.
    func invalidate(_ selection: CacheSelection) throws(SQLiteError) -> Int {
        try changes.noteAll()
        return try forEach(
            selection, "UPDATE items SET \(Self.invalidation)", "UPDATE pages SET \(Self.invalidation)",
            where: "invalidated = 0")
    }

    /// Sets the mark on rows that do not have it; their checksums say it too.
    static let invalidation = "invalidated = 1, checksum = ~checksum"

    /// How many entries a selection names; with `fresh` only those that are not marked stale.
    func count(_ selection: CacheSelection, fresh: Bool) throws(SQLiteError) -> Int {
        try forEach(
            selection, "SELECT count(*) FROM items", "SELECT count(*) FROM pages",
            where: fresh ? "invalidated = 0" : nil)
    }

    /// Runs a statement on the items and one on the pages that a selection names. Returns how many rows they changed,
    /// or what they counted.
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
            conditions.append("resource IN (SELECT value FROM json_each(?))")
            values.append(
                .text("[\(try numbers(of: resource, selection.scope).map { String($0) }.joined(separator: ","))]"))
        } else if selection.ids != nil {
            // Says nothing new, but lets the index on (resource, id) find the ids.
            conditions.append("resource IN (SELECT key FROM resources)")
        }
        if let ids = selection.ids {
            let sql = items + Self.clause(conditions + ["id = ?"])
            var changed = 0
            for id in ids { changed += try amount(sql, values + [.text(id)]) }
            return changed
        }
        if let lists = selection.pages {
            if case .list(let list) = lists {
                conditions.append("list = ?")
                values.append(.text(list))
            }
            return try amount(pages + Self.clause(conditions), values)
        }
        let clause = Self.clause(conditions)
        return try amount(items + clause, values) + amount(pages + clause, values)
    }

    /// The numbers of a resource, in all its scopes that are meant.
    private func numbers(of resource: String, _ scope: ScopeNarrowing?) throws(SQLiteError) -> [Int64] {
        var numbers: [Int64] = []
        // A scope's values stand behind the name, as an object.
        let sql = "SELECT key, name FROM resources WHERE name = ?1 OR substr(name, 1, length(?1) + 1) = ?1 || '{'"
        try connection.rows(sql, [.text(resource)]) { row in
            let key = ResourceKey(name: row.text(1), fingerprint: .init(high: 0, low: 0))
            if scope.map({ key.has($0) }) ?? true { numbers.append(row.integer(0)) }
        }
        return numbers
    }

    private func amount(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError) -> Int {
        guard sql.hasPrefix("SELECT") else { return try connection.run(sql, values) }
        return try connection.first(sql, values) { Int($0.integer(0)) } ?? 0
    }

    private static func clause(_ conditions: [String]) -> String {
        var clause = ""
        for condition in conditions { clause += (clause.isEmpty ? " WHERE " : " AND ") + condition }
        return clause
    }
}
