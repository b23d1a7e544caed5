import CSQLite

/// A virtual table that describes the other tables of a query: `larder_tables` or `larder_columns`.
final class ListingTable: VirtualTable {
    let declarationSQL: String
    private let rows: () throws(SQLiteError) -> [[QueryValue]]

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - columns: the definitions of the columns, as in `CREATE TABLE`.
    ///   - rows: returns the current rows.
    private init(_ columns: String, rows: @escaping () throws(SQLiteError) -> [[QueryValue]]) {
        declarationSQL = "CREATE TABLE t (\(columns))"
        self.rows = rows
    }

    /// Returns the table `larder_tables`, with one row for each table of the catalog.
    static func tables(_ database: QueryDatabase) -> ListingTable {
        ListingTable("name TEXT, resource TEXT, rows INTEGER, coverage TEXT, synced_at TEXT") {
            [unowned database] () throws(SQLiteError) in
            let snapshot = try database.running().snapshot
            var rows: [[QueryValue]] = []
            for index in snapshot.schema.tables.indices {
                let report = try snapshot.report(of: index)
                rows.append([
                    .text(report.name), .text(report.resource), .integer(Int64(report.rows)),
                    .text(report.coverage.rawValue), QueryValue(report.syncedAt),
                ])
            }
            return rows
        }
    }

    /// Returns the table `larder_columns`, with one row for each column of each table.
    static func columns(_ schema: QuerySchema) -> ListingTable {
        ListingTable("table_name TEXT, name TEXT, type TEXT, field TEXT") { () throws(SQLiteError) in
            schema.tables.flatMap { table in
                table.columns.map { column in
                    let field: QueryValue =
                        if case .field(let index) = column.source { .text(table.fields[index].name) } else { .null }
                    return [.text(table.name), .text(column.name), .text(column.kind.type), field]
                }
            }
        }
    }

    func plan(_ info: UnsafeMutablePointer<sqlite3_index_info>) throws(SQLiteError) {
        info.pointee.estimatedCost = 1000
        info.pointee.estimatedRows = 100
    }

    func makeCursor() -> any VirtualCursor { Cursor(rows) }

    private final class Cursor: VirtualCursor {
        private let read: () throws(SQLiteError) -> [[QueryValue]]
        private var rows: [[QueryValue]] = []
        private var place = 0

        init(_ read: @escaping () throws(SQLiteError) -> [[QueryValue]]) { self.read = read }

        var isAtEnd: Bool { place >= rows.count }
        var rowNumber: Int64 { Int64(place) }

        func filter(
            _ plan: Int32, columns: UInt64, _ arguments: UnsafeBufferPointer<OpaquePointer?>
        ) throws(SQLiteError) {
            rows = try read()
            place = 0
        }

        func next() throws(SQLiteError) { place += 1 }

        func column(_ index: Int, to context: OpaquePointer?) throws(SQLiteError) {
            guard rows.indices.contains(place), rows[place].indices.contains(index) else { return }
            QueryResult.value(rows[place][index], to: context)
        }
    }
}
