import CSQLite
import Model
import System

/// A row of the table `items` in the cache file. The bytes are valid until the next row is read.
struct ItemRow {
    let number: Int64
    let id: UnsafeRawBufferPointer
    let isPartial: Bool
    let fetchedAt: Timestamp
    let isInvalidated: Bool
    let checksum: Int64
    let json: UnsafeRawBufferPointer
    private let etag: UnsafeRawBufferPointer?
    private let modified: UnsafeRawBufferPointer?

    static let columns = "key, id, partial, fetched_at, invalidated, etag, modified, checksum, json"

    init(_ statement: SQLiteStatement) {
        number = statement.integer(0)
        id = statement.bytes(1)
        isPartial = statement.integer(2) != 0
        fetchedAt = Timestamp(milliseconds: statement.integer(3))
        isInvalidated = statement.integer(4) != 0
        (etag, modified) = (statement.optionalBytes(5), statement.optionalBytes(6))
        checksum = statement.integer(7)
        json = statement.bytes(8)
    }

    /// Returns whether the row is unchanged since Larder wrote it (see `RowChecksum`).
    func isUndamaged(_ part: QuerySnapshot.Part) -> Bool {
        checksum
            == RowChecksum.of(
                part.checksum, id: id, isPartial: isPartial, fetchedAt: fetchedAt.milliseconds, etag: etag,
                modified: modified, json: json, isInvalidated: isInvalidated)
    }
}

/// Reads the items of one scope in a table (`QuerySnapshot.Part`): all items, or the items with one id.
// Exclusivity: only the query's thread uses the scan. No access to a property encloses another access.
final class ItemScan {
    /// A step of a scan. Each step runs one SQL statement.
    private enum Step {
        /// Reads the rows between the smallest and the largest row number of the scope's items, without an index. This
        /// is fast if many of these rows belong to the scope.
        case range
        /// Reads all whole items (`index`) or all incomplete items (`partialIndex`) of the scope, through an index of
        /// the table.
        case index, partialIndex
        case id(String)
    }

    private let store: EntityStore
    @exclusivity(unchecked) private var statements: [String: SQLiteStatement] = [:]
    @exclusivity(unchecked) private var current: SQLiteStatement?
    /// The remaining steps of the scan. The last element is the next step.
    @exclusivity(unchecked) private var steps: [Step] = []
    @exclusivity(unchecked) private var part: QuerySnapshot.Part?

    init(_ store: EntityStore) { self.store = store }

    deinit { for statement in statements.values { statement.finalize() } }

    /// Starts a scan of all items in one scope.
    func open(_ part: QuerySnapshot.Part) throws(SQLiteError) {
        if part.isDense {
            try open(part, [.range])
        } else {
            try open(part, part.hasPartial ? [.partialIndex, .index] : [.index])
        }
    }

    /// Starts a scan of the rows with one id. The row of the whole item comes before the row of the incomplete item.
    func open(_ part: QuerySnapshot.Part, id: String) throws(SQLiteError) { try open(part, [.id(id)]) }

    private func open(_ part: QuerySnapshot.Part, _ steps: [Step]) throws(SQLiteError) {
        end()
        (self.part, self.steps) = (part, steps)
        try begin()
    }

    /// Skips all further rows.
    func end() {
        // The current row stays valid until the statement starts again.
        steps = []
        current = nil
    }

    /// Returns the next row; nil after the last one.
    func next() throws(SQLiteError) -> ItemRow? {
        while let current {
            if try current.step() { return ItemRow(current) }
            try begin()
        }
        return nil
    }

    /// Finds the whole item that has the same id as an incomplete item. Returns nil if only the incomplete item is
    /// stored.
    func whole(of row: ItemRow, in part: QuerySnapshot.Part) throws(SQLiteError) -> ItemRow? {
        let statement = try statement(
            "SELECT \(ItemRow.columns) FROM items WHERE resource = ? AND id = ? AND partial = 0")
        statement.restart()
        try statement.bind(part.number, String(decoding: row.id, as: UTF8.self))
        return try statement.step() ? ItemRow(statement) : nil
    }

    /// Starts the next step of the scan. Ends the scan if there is no further step.
    private func begin() throws(SQLiteError) {
        current = nil
        guard let step = steps.popLast(), let part else { return }
        let rows = "SELECT \(ItemRow.columns) FROM items"
        let next: SQLiteStatement
        switch step {
        case .range:
            next = try statement("\(rows) NOT INDEXED WHERE key BETWEEN ?2 AND ?3 AND resource = ?1")
            next.restart()
            try next.bind([
                .integer(part.number), .integer(part.range.lowerBound), .integer(part.range.upperBound),
            ])
        case .index, .partialIndex:
            let isPartial = if case .partialIndex = step { true } else { false }
            next = try statement("\(rows) WHERE resource = ? AND partial = ?")
            next.restart()
            try next.bind([.integer(part.number), SQLiteValue(isPartial)])
        case .id(let id):
            next = try statement("\(rows) WHERE resource = ? AND id = ? ORDER BY partial")
            next.restart()
            try next.bind(part.number, id)
        }
        current = next
    }

    private func statement(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        if let known = statements[sql] { return known }
        let statement = try store.connection.makeStatement(sql)
        statements[sql] = statement
        return statement
    }
}
