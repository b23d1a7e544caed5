import CSQLite
import JSON
import Model
import System

/// A cursor over the items of one resource. It checks the checksum of each row, and leaves out items that are too old
/// (`CacheRules.keepFor`). If an item is stored both whole and incomplete, the cursor returns the whole item.
// Exclusivity: only the query's thread uses the cursor. No access to a property encloses another access.
final class ItemCursor: VirtualCursor {
    private let table: QueryTable
    private let index: Int
    private unowned let database: QueryDatabase
    @exclusivity(unchecked) private var run: QueryRun?
    @exclusivity(unchecked) private var fields: ItemFields
    /// The parts of the table that the cursor has not finished, in reverse order. The last element is the current part.
    @exclusivity(unchecked) private var parts: [QuerySnapshot.Part] = []
    @exclusivity(unchecked) private var id: String?
    @exclusivity(unchecked) private var scan: ItemScan?
    @exclusivity(unchecked) private var row: ItemRow?

    init(_ table: QueryTable, index: Int, in database: QueryDatabase) {
        (self.table, self.index, self.database) = (table, index, database)
        fields = ItemFields(table.fields)
    }

    var isAtEnd: Bool { row == nil }
    var rowNumber: Int64 { row?.number ?? 0 }

    func filter(
        _ plan: Int32, columns: UInt64, _ arguments: UnsafeBufferPointer<OpaquePointer?>
    ) throws(SQLiteError) {
        let run = try database.running()
        if self.run !== run {
            self.run = run
            scan = ItemScan(run.snapshot.store)
            fields.want(fieldIndexes(in: columns))
        }
        row = nil
        id = nil
        parts = try run.snapshot.parts(of: index).reversed()
        var arguments = arguments[...]
        if plan & ItemTable.idBit != 0, let value = arguments.popFirst() {
            let argument = try IDArgument(value, table.idType) { () throws(SQLiteError) in
                try run.snapshot.hasOddNumbers(in: parts)
            }
            switch argument {
            case .id(let text): id = text
            case .none: parts = []
            case .any: break
            }
        }
        for part in 0..<min(table.scope.count, ItemTable.maxScope) where plan & 1 << Int32(part + 1) != 0 {
            guard let value = arguments.popFirst() else { break }
            parts.removeAll { !IDArgument.mayEqual($0.values[part], value) }
        }
        try openPart()
        try next()
    }

    func next() throws(SQLiteError) {
        row = nil
        guard let run, let scan else { return }
        while let part = parts.last {
            if run.meter.mustStopAtTick() { throw SQLiteError(code: SQLITE_INTERRUPT, message: "interrupted") }
            guard let found = try scan.next() else {
                parts.removeLast()
                try openPart()
                continue
            }
            guard try accept(found, part, run, scan) else { continue }
            guard fields.read(found.json) else { continue }
            if id != nil { scan.end() }
            run.note(found, in: index)
            row = found
            return
        }
    }

    func column(_ index: Int, to context: OpaquePointer?) throws(SQLiteError) {
        guard let row, let part = parts.last, table.columns.indices.contains(index) else {
            return sqlite3_result_null(context)
        }
        let column = table.columns[index]
        switch column.source {
        case .field(let field): fields.result(field, as: column.kind, of: row.json, to: context)
        case .scope(let place): QueryResult.value(part.values[place], to: context)
        case .id where column.kind == .integer: QueryResult.integer(row.id, to: context)
        case .id: QueryResult.text(row.id, to: context)
        case .scopeObject:
            QueryResult.value(part.scope.map { .text(JSONValue.object($0).text) } ?? .null, to: context)
        case .fetchedAt: QueryResult.value(QueryValue(row.fetchedAt), to: context)
        case .isStale: sqlite3_result_int(context, try isStale(row, part) ? 1 : 0)
        case .isPartial: sqlite3_result_int(context, row.isPartial ? 1 : 0)
        case .json: QueryResult.text(row.json, to: context)
        }
    }

    private func openPart() throws(SQLiteError) {
        guard let part = parts.last else { return }
        if let id { try scan?.open(part, id: id) } else { try scan?.open(part) }
    }

    /// Returns whether a row is shown. Damaged rows, rows that are too old, and incomplete copies of shown items are
    /// left out.
    private func accept(
        _ row: ItemRow, _ part: QuerySnapshot.Part, _ run: QueryRun, _ scan: ItemScan
    ) throws(SQLiteError) -> Bool {
        guard row.isUndamaged(part) else {
            run.noteDamage(row, in: index)
            return false
        }
        guard try isKept(row, part, run) else { return false }
        guard row.isPartial, id == nil, let whole = try scan.whole(of: row, in: part) else { return true }
        guard whole.isUndamaged(part) else { return true }
        return try !isKept(whole, part, run)
    }

    /// Returns whether an item was fetched, or was confirmed by a sync, within the time `keepFor` of the resource's
    /// cache rules. Returns true if the rules have no `keepFor`.
    private func isKept(_ row: ItemRow, _ part: QuerySnapshot.Part, _ run: QueryRun) throws(SQLiteError) -> Bool {
        guard let keepFor = table.rules.keepFor else { return true }
        return try isYounger(row, part, than: keepFor, run)
    }

    private func isStale(_ row: ItemRow, _ part: QuerySnapshot.Part) throws(SQLiteError) -> Bool {
        if row.isInvalidated { return true }
        guard let freshFor = table.rules.freshFor, let run else { return false }
        return try !isYounger(row, part, than: freshFor, run)
    }

    private func isYounger(
        _ row: ItemRow, _ part: QuerySnapshot.Part, than limit: Milliseconds, _ run: QueryRun
    ) throws(SQLiteError) -> Bool {
        func isYounger(_ time: Timestamp) -> Bool {
            max(0, run.snapshot.now.milliseconds &- time.milliseconds) < Int64(limit)
        }
        if isYounger(row.fetchedAt) { return true }
        guard !row.isInvalidated, try SyncSchema.isPrepared(run.snapshot.store.connection) else { return false }
        let key = ItemKey(resource: part.key, id: String(decoding: row.id, as: UTF8.self), isPartial: row.isPartial)
        let times = try SyncTable(run.snapshot.store).confirmations(of: [key], declaration: table.declaration)
        return times.first.flatMap { $0 }.map(isYounger) ?? false
    }

    /// Returns the indexes of the fields whose columns a statement reads. The last bit of `columns` stands for all
    /// further columns.
    private func fieldIndexes(in columns: UInt64) -> [Int] {
        table.columns.enumerated().compactMap { index, column in
            guard case .field(let field) = column.source, columns >> UInt64(min(index, 63)) & 1 != 0 else { return nil }
            return field
        }
    }
}
