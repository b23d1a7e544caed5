import JSON
import Model
import System

/// What is stored with a row of the cache file, so that a row that was changed by anything but a write of Larder's own
/// is known when it is read. SQLite itself has no such thing.
///
/// It covers the row's key, its times and validators and its JSON. Not covered is what is changed in place and harms
/// nobody: when the row was used last, and whether it is indexed. The mark of an invalidation turns all bits over,
/// which an UPDATE can do without knowing the row.
struct RowChecksum {
    private var hash: UInt64

    /// Begins with a row's resource: its number in the file, and its name.
    private init(_ resource: Int64, _ key: ResourceKey) {
        hash = UInt64(bitPattern: resource)
        add(key.name)
    }

    /// The checksum of an item.
    static func of(_ item: ItemEntity, resource: Int64) -> Int64 {
        var checksum = RowChecksum(resource, item.key.resource)
        checksum.add(item.key.id)
        checksum.add(numbers: item.key.isPartial ? 1 : 0, item.fetchedAt.milliseconds)
        checksum.add(item.validators)
        checksum.add(item.json)
        return checksum.value(isInvalidated: item.isInvalidated)
    }

    /// The checksum of a page.
    ///
    /// - Parameters:
    ///   - ids: its ids as the file has them.
    ///   - list: its list as the file has it.
    ///   - next: the token of its next page, as the file has it.
    static func of(_ page: PageEntity, ids: [UInt8], list: String, next: String, resource: Int64) -> Int64 {
        var checksum = RowChecksum(resource, page.key.resource)
        checksum.add(page.key.request)
        checksum.add(
            numbers: page.isPartial ? 1 : 0, page.fetchedAt.milliseconds, page.count == nil ? 0 : 1,
            Int64(page.count ?? 0))
        checksum.add(page.validators)
        checksum.add(list)
        checksum.add(ids)
        checksum.add(page.info)
        checksum.add(next)
        checksum.add(numbers: page.pages == nil ? 0 : 1, Int64(page.pages ?? 0))
        return checksum.value(isInvalidated: page.isInvalidated)
    }

    private func value(isInvalidated: Bool) -> Int64 {
        Int64(bitPattern: isInvalidated ? ~hash : hash)
    }

    private mutating func add(_ bytes: [UInt8]) {
        // Each hash covers how many bytes it is of, so that none can pass from one column to the next.
        hash = bytes.withUnsafeBytes { XXHash64.hash($0, seed: hash) }
    }

    private mutating func add(_ text: String) {
        var text = text
        hash = text.withUTF8 { XXHash64.hash(UnsafeRawBufferPointer($0), seed: hash) }
    }

    private mutating func add(numbers: Int64...) {
        for number in numbers {
            hash = withUnsafeBytes(of: number.littleEndian) { XXHash64.hash($0, seed: hash) }
        }
    }

    private mutating func add(_ validators: Validators?) {
        for text in [validators?.etag, validators?.lastModified] {
            if let text { add(text) } else { add(numbers: -1) }
        }
    }
}

/// A row of the cache file that is not what was written there.
struct DamagedRow {
    enum Table: String {
        case items, pages
    }

    let table: Table
    /// Its number in the table.
    let key: Int64
    /// The checksum that it was read with.
    let checksum: Int64
}

extension EntityStore {
    /// Removes damaged rows, unless they have been replaced since they were read. Only inside a transaction.
    func remove(_ rows: [DamagedRow]) throws(SQLiteError) {
        for row in rows {
            try connection.run(
                "DELETE FROM \(row.table.rawValue) WHERE key = ? AND checksum = ?", .integer(row.key),
                .integer(row.checksum))
        }
    }
}
