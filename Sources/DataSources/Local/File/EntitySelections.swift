import Model

/// Removes or invalidates all entries of the cache file that match a selection.
struct EntitySelections {
    let connection: SQLiteConnection
    let changes: ChangeLog

    /// Removes the entries that match a selection. Returns the number of removed entries. Must be called inside a write
    /// transaction.
    func remove(_ selection: CacheSelection) throws(SQLiteError) -> Int {
        try changes.noteAll()
        if selection.ids == nil, selection.pages == nil, selection.fetchedBefore == nil { try forgetSets(selection) }
        return try forEach(selection, "DELETE FROM items", "DELETE FROM pages")
    }

    /// Removes the local copies (`SyncSet`) of all lists of the selected resources. The selection must not be
    /// restricted to some ids, pages or fetch times.
    private func forgetSets(_ selection: CacheSelection) throws(SQLiteError) {
        guard try SyncSchema.isPrepared(connection) else { return }
        var (condition, values): (String, [SQLiteValue]) = ("", [])
        if let resource = selection.resource {
            let numbers = try numbers(of: resource, selection.scope).map(String.init).joined(separator: ",")
            (condition, values) = (" WHERE resource IN (SELECT value FROM json_each(?))", [.text("[\(numbers)]")])
        }
        try connection.run("DELETE FROM members WHERE sync IN (SELECT key FROM syncs\(condition))", values)
        try connection.run("DELETE FROM syncs\(condition)", values)
    }

    /// Marks as stale all entries that match a selection. Returns the number of entries that became stale. Must be
    /// called inside a write transaction.
    func invalidate(_ selection: CacheSelection) throws(SQLiteError) -> Int {
        try changes.noteAll()
        return try forEach(
            selection, "UPDATE items SET \(Self.invalidation)", "UPDATE pages SET \(Self.invalidation)",
            where: "invalidated = 0")
    }

    /// The SQL assignments that mark a row of the cache file as stale. They also invert the row's checksum (see
    /// `RowChecksum`).
    static let invalidation = "invalidated = 1, checksum = ~checksum"

    /// Returns the number of entries that match a selection.
    ///
    /// - Parameter fresh: Whether to count only the entries that are not marked as stale.
    func count(_ selection: CacheSelection, fresh: Bool) throws(SQLiteError) -> Int {
        try forEach(
            selection, "SELECT count(*) FROM items", "SELECT count(*) FROM pages",
            where: fresh ? "invalidated = 0" : nil)
    }

    /// Runs one SQL statement on all items that match a selection, and another on all matching pages. Returns the total
    /// number of rows that were changed or counted.
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
            // This condition is always true. It lets SQLite use the index on (resource, id).
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

    /// Returns the numbers that identify a resource in the cache file. A resource with a scope has one number for each
    /// combination of scope values. If `scope` is not nil, returns only the numbers of combinations that match it.
    private func numbers(of resource: String, _ scope: ScopeNarrowing?) throws(SQLiteError) -> [Int64] {
        var numbers: [Int64] = []
        // The name of a scoped resource ends with a JSON object of the scope's values.
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
