/// A row of the cache file that is not what was written there.
struct DamagedRow {
    enum Table: String {
        case items, pages
    }

    let table: Table
    /// Its number in the table.
    let key: Int64
    /// The checksum that it has; nil where it has none.
    let checksum: Int64?
}

extension EntityStore {
    /// Removes damaged rows, unless they have been replaced since they were read. Only inside a transaction.
    func remove(_ rows: [DamagedRow]) throws(SQLiteError) {
        for row in rows {
            try connection.run(
                "DELETE FROM \(row.table.rawValue) WHERE key = ? AND checksum IS ?", .integer(row.key),
                row.checksum.map { .integer($0) } ?? .null)
        }
    }
}
