import Model
import System

/// One running query: its snapshot of the cache, its limits, and facts about the rows that it has read.
// Exclusivity: only the query's thread uses the run. No access to a property encloses another access.
final class QueryRun {
    let snapshot: QuerySnapshot
    let meter: QueryMeter
    /// The tables that the statement reads, by their indexes in the schema.
    @exclusivity(unchecked) private(set) var tables: [Int] = []
    /// The damaged rows that the statement left out.
    @exclusivity(unchecked) private(set) var damaged: [DamagedRow] = []
    @exclusivity(unchecked) private var facts: [Facts]

    private struct Facts {
        var oldest = Int64.max
        var newest = Int64.min
        var damaged = Set<Int64>()
    }

    init(_ snapshot: QuerySnapshot, _ meter: QueryMeter) {
        (self.snapshot, self.meter) = (snapshot, meter)
        facts = Array(repeating: Facts(), count: snapshot.schema.tables.count)
    }

    /// Records that the statement reads a table.
    func noteTable(_ index: Int) { if !tables.contains(index) { tables.append(index) } }

    /// Records that the statement read an item.
    @inline(__always)
    func note(_ row: ItemRow, in index: Int) {
        let time = row.fetchedAt.milliseconds
        if time < facts[index].oldest { facts[index].oldest = time }
        if time > facts[index].newest { facts[index].newest = time }
    }

    /// Records that the statement left out a damaged row.
    func noteDamage(_ row: ItemRow, in index: Int) {
        guard facts[index].damaged.insert(row.number).inserted else { return }
        damaged.append(DamagedRow(table: .items, key: row.number, checksum: row.checksum))
    }

    /// Returns a report about each table that the statement reads.
    func reports() throws(SQLiteError) -> [QueryTableReport] {
        var reports: [QueryTableReport] = []
        for index in tables {
            var report = try snapshot.report(of: index)
            let facts = facts[index]
            if facts.newest >= facts.oldest {
                report.oldest = Timestamp(milliseconds: facts.oldest)
                report.newest = Timestamp(milliseconds: facts.newest)
            }
            report.damaged = facts.damaged.count
            if report.damaged > 0, report.coverage == .synced {
                (report.coverage, report.syncedAt, report.deletions) = (.parts, nil, nil)
            }
            reports.append(report)
        }
        return reports
    }
}
