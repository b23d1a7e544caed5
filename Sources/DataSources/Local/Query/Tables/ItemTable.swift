import CSQLite

/// The virtual table of one resource.
final class ItemTable: VirtualTable {
    /// The bit of a query plan's number (`idxNum`) that stands for a condition on the id. The next bits stand for
    /// conditions on the scope parameters.
    static let idBit: Int32 = 1
    /// The maximum number of scope parameters that have a bit in `idxNum`. Only SQLite checks the conditions on further
    /// parameters.
    static let maxScope = 30

    let table: QueryTable
    let index: Int
    private unowned let database: QueryDatabase

    init(_ table: QueryTable, index: Int, in database: QueryDatabase) {
        (self.table, self.index, self.database) = (table, index, database)
    }

    var declarationSQL: String { table.declarationSQL }

    func makeCursor() -> any VirtualCursor { ItemCursor(table, index: index, in: database) }

    /// Chooses the conditions that a cursor uses to skip items: `=` conditions on the id and on the scope's parameters.
    /// SQLite checks all conditions again for each row that the cursor returns.
    func plan(_ info: UnsafeMutablePointer<sqlite3_index_info>) throws(SQLiteError) {
        var conditions: [Int32: Int] = [:]
        for index in 0..<Int(info.pointee.nConstraint) {
            let constraint = info.pointee.aConstraint[index]
            guard constraint.usable != 0, constraint.op == UInt8(SQLITE_INDEX_CONSTRAINT_EQ),
                let bit = bit(of: Int(constraint.iColumn)), conditions[bit] == nil, isBinary(info, index)
            else { continue }
            conditions[bit] = index
        }
        var argument: Int32 = 0
        var plan: Int32 = 0
        for (bit, index) in conditions.sorted(by: { $0.key < $1.key }) {
            argument += 1
            plan |= bit
            info.pointee.aConstraintUsage[index].argvIndex = argument
        }
        info.pointee.idxNum = plan
        larder_plan_columns(info)
        let run = try database.running()
        run.noteTable(index)
        let snapshot = run.snapshot
        let parts = max(1, try snapshot.parts(of: index).count)
        var rows = Double(max(1, try snapshot.rows(of: index)))
        // A condition on a scope parameter selects a part of the items. The size of this part is an estimate.
        if plan & ~Self.idBit != 0 { rows = max(1, rows / Double(parts)) }
        if plan & Self.idBit != 0 {
            rows = plan & ~Self.idBit != 0 ? 1 : Double(parts)
            if table.scope.isEmpty { info.pointee.idxFlags = SQLITE_INDEX_SCAN_UNIQUE }
        }
        info.pointee.estimatedRows = Int64(rows)
        info.pointee.estimatedCost = plan & Self.idBit != 0 ? rows * 10 : rows * 3
    }

    /// Returns the bit of a query plan's number (`idxNum`) that stands for a condition on the given column. Returns nil
    /// if a cursor cannot use conditions on this column.
    private func bit(of column: Int) -> Int32? {
        guard table.columns.indices.contains(column) else { return nil }
        if table.columns[column].isID { return Self.idBit }
        guard case .scope(let part) = table.columns[column].source, part < Self.maxScope else { return nil }
        return 1 << Int32(part + 1)
    }

    /// Whether a condition compares texts byte by byte. With another collation, such as NOCASE, different texts can be
    /// equal, and a cursor would miss some of the matching items.
    private func isBinary(_ info: UnsafeMutablePointer<sqlite3_index_info>, _ index: Int) -> Bool {
        guard let name = sqlite3_vtab_collation(info, Int32(index)) else { return true }
        return String(cString: name).lowercased() == "binary"
    }
}
