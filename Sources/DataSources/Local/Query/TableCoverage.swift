import JSON
import Model
import System

/// Determines how complete the tables are, compared with the data of the API.
extension QuerySnapshot {
    /// Returns a report about the coverage of a table. The report does not contain fetch times or the number of damaged
    /// rows, because these depend on the rows that a statement reads.
    func report(of index: Int) throws(SQLiteError) -> QueryTableReport {
        let table = schema.tables[index]
        let parts = try parts(of: index)
        let present = parts.filter(\.isPresent)
        var report = QueryTableReport(
            name: table.name, resource: table.resource, rows: try rows(of: index),
            coverage: present.isEmpty ? .empty : .parts)
        let copies = present.compactMap { usableCopy(of: $0, table) }
        guard !copies.isEmpty, copies.count == present.count else { return report }
        report.coverage = .synced
        report.syncedAt = copies.compactMap(\.syncedAt).min()
        report.deletions =
            if copies.allSatisfy({ $0.syncedAt == $0.wholeAt }) {
                .walked
            } else {
                table.declaration == nil ? .unknown : .told
            }
        return report
    }

    /// Returns nil if a table is a complete and recent local copy; otherwise a description of the table.
    ///
    /// - Parameter maxAge: the maximum age of the copy, in milliseconds; nil for any age.
    func unsynced(_ index: Int, maxAge: Milliseconds?) throws(SQLiteError) -> QueryError.UnsyncedTable? {
        let table = schema.tables[index]
        let report = try report(of: index)
        func isRecent(_ time: Timestamp?) -> Bool {
            guard let maxAge, let time else { return time != nil }
            return now.milliseconds &- time.milliseconds <= Int64(maxAge)
        }
        if report.coverage == .synced, isRecent(report.syncedAt) { return nil }
        let lacking = try parts(of: index).filter { part in
            part.isPresent && !isRecent(usableCopy(of: part, table)?.syncedAt)
        }
        let scopes = table.scope.isEmpty ? [JSONObject([])] : lacking.compactMap(\.scope)
        return QueryError.UnsyncedTable(
            name: table.name, resource: table.resource, hasList: table.hasList, scopes: scopes)
    }

    /// Returns the complete local copy of a part of a table. Nil if there is none, or if `keepFor` has passed since it
    /// last confirmed its items: the table then no longer shows all of them.
    private func usableCopy(of part: Part, _ table: QueryTable) -> SyncState? {
        guard let copy = part.copy, copy.isWhole else { return nil }
        guard let keepFor = table.rules.keepFor else { return copy }
        let confirmedAt = table.declaration == nil ? copy.wholeAt : copy.syncedAt
        return confirmedAt.map { now.milliseconds &- $0.milliseconds < Int64(keepFor) } == true ? copy : nil
    }
}

extension QuerySnapshot.Part {
    /// Whether the part has items or a complete local copy. A scope without both remains after its items were removed.
    fileprivate var isPresent: Bool { rows > 0 || copy?.isWhole == true }
}
