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
        // A scope without items and without a copy remains after its items were removed, so it does not count.
        let present = parts.filter { $0.rows > 0 || $0.copy?.isWhole == true }
        var report = QueryTableReport(
            name: table.name, resource: table.resource, rows: try rows(of: index),
            coverage: present.isEmpty ? .empty : .parts)
        let copies = present.compactMap { part in part.copy.flatMap { $0.isWhole ? $0 : nil } }
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
            part.copy?.isWhole != true || !isRecent(part.copy?.syncedAt)
        }
        let scopes = table.scope.isEmpty ? [JSONObject([])] : lacking.compactMap(\.scope)
        return QueryError.UnsyncedTable(
            name: table.name, resource: table.resource, hasList: table.hasList, scopes: scopes)
    }
}
