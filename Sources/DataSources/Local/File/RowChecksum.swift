import JSON
import Model
import System

/// The checksum of a row in the cache file. It detects changes that Larder did not make.
///
/// The checksum covers the row's key, fetch time, validators and JSON. An invalidation inverts all bits of the
/// checksum, so that an UPDATE can invalidate a row without reading it.
// The checksum leaves out the columns `used_at` and `indexed`, because a wrong value there cannot cause a wrong result.
struct RowChecksum {
    private var hash: UInt64

    /// Creates the first part of a row's checksum, from the number and the name of the row's resource. The columns of
    /// the row are added later.
    private init(_ resource: Int64, _ key: ResourceKey) {
        hash = UInt64(bitPattern: resource)
        add(key.name)
    }

    /// Returns the checksum of an item.
    static func of(_ item: ItemEntity, resource: Int64) -> Int64 {
        var checksum = RowChecksum(resource, item.key.resource)
        checksum.add(item.key.id)
        checksum.add(numbers: item.key.isPartial ? 1 : 0, item.fetchedAt.milliseconds)
        checksum.add(item.validators)
        checksum.add(item.json)
        return checksum.value(isInvalidated: item.isInvalidated)
    }

    /// The first part of an item's checksum, from the number and the name of its resource. This part is the same for
    /// all items of a resource, and is computed only once.
    struct ItemPrefix {
        fileprivate let checksum: RowChecksum

        init(resource: Int64, _ key: ResourceKey) { checksum = RowChecksum(resource, key) }
    }

    /// Returns the checksum of an item from the columns of its row. `etag` and `modified` are nil for NULL.
    static func of(
        _ prefix: ItemPrefix, id: UnsafeRawBufferPointer, isPartial: Bool, fetchedAt: Int64,
        etag: UnsafeRawBufferPointer?, modified: UnsafeRawBufferPointer?, json: UnsafeRawBufferPointer,
        isInvalidated: Bool
    ) -> Int64 {
        var checksum = prefix.checksum
        checksum.add(id)
        checksum.add(number: isPartial ? 1 : 0)
        checksum.add(number: fetchedAt)
        for text in [etag, modified] {
            if let text { checksum.add(text) } else { checksum.add(number: -1) }
        }
        checksum.add(json)
        return checksum.value(isInvalidated: isInvalidated)
    }

    /// Returns the checksum of a page.
    ///
    /// - Parameters:
    ///   - ids: The JSON text of the item ids, as stored in the file.
    ///   - list: The text that identifies the page's list, as stored in the file.
    ///   - next: The token of the next page, as stored in the file.
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

    /// Returns the checksum of the row that describes a local copy of a list (`SyncSet`).
    ///
    /// - Parameters:
    ///   - position: The text of the column `position`.
    ///   - mark: The text of the column `mark`.
    static func of(_ state: SyncState, position: String, mark: String, resource: Int64) -> Int64 {
        var checksum = RowChecksum(resource, state.set.resource)
        checksum.add(state.set.list)
        checksum.add(position)
        checksum.add(
            numbers: Int64(state.generation), state.wholeAt?.milliseconds ?? 0, state.syncedAt?.milliseconds ?? 0,
            state.isHeld ? 1 : 0)
        checksum.add(mark)
        return checksum.value(isInvalidated: false)
    }

    private func value(isInvalidated: Bool) -> Int64 {
        Int64(bitPattern: isInvalidated ? ~hash : hash)
    }

    private mutating func add(_ bytes: [UInt8]) {
        // The hash of each column includes the column's size. Otherwise the move of a byte from one column to the next
        // would not change the hash.
        hash = bytes.withUnsafeBytes { XXHash64.hash($0, seed: hash) }
    }

    private mutating func add(_ text: String) {
        var text = text
        hash = text.withUTF8 { XXHash64.hash(UnsafeRawBufferPointer($0), seed: hash) }
    }

    private mutating func add(_ bytes: UnsafeRawBufferPointer) { hash = XXHash64.hash(bytes, seed: hash) }

    private mutating func add(numbers: Int64...) {
        for number in numbers { add(number: number) }
    }

    private mutating func add(number: Int64) {
        hash = withUnsafeBytes(of: number.littleEndian) { XXHash64.hash($0, seed: hash) }
    }

    private mutating func add(_ validators: Validators?) {
        for text in [validators?.etag, validators?.lastModified] {
            if let text { add(text) } else { add(numbers: -1) }
        }
    }
}

/// A row of the cache file that does not match its checksum.
struct DamagedRow {
    enum Table: String {
        case items, pages
    }

    let table: Table
    /// The number of the damaged row in its table.
    let key: Int64
    /// The checksum that the row contained when it was read. A different checksum in the row means that the row has
    /// been replaced.
    let checksum: Int64
}

extension EntityStore {
    /// Removes damaged rows. Keeps rows that were replaced after the damage was found. Must be called inside a write
    /// transaction.
    func remove(_ rows: [DamagedRow]) throws(SQLiteError) {
        for row in rows {
            try connection.run(
                "DELETE FROM \(row.table.rawValue) WHERE key = ? AND checksum = ?", .integer(row.key),
                .integer(row.checksum))
        }
    }
}
