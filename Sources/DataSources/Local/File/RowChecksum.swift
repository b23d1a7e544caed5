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
    ///   - next: what comes after it as the file has it; nil in rows of older versions, which did not have it.
    static func of(_ page: PageEntity, ids: [UInt8], list: String, next: String?, resource: Int64) -> Int64 {
        var checksum = RowChecksum(resource, page.key.resource)
        checksum.add(page.key.request)
        checksum.add(
            numbers: page.isPartial ? 1 : 0, page.fetchedAt.milliseconds, page.count == nil ? 0 : 1,
            Int64(page.count ?? 0))
        checksum.add(page.validators)
        checksum.add(list)
        checksum.add(ids)
        checksum.add(page.info)
        if let next {
            checksum.add(next)
            checksum.add(numbers: page.pages == nil ? 0 : 1, Int64(page.pages ?? 0))
        }
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

/// What a row without a checksum must be, as version 0.1 wrote it: looked at each time that it is read.
enum UncheckedRow {
    /// Moments that RFC 3339 can say: the years 0 to 9999.
    private static let moments: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    /// Whether it can be spliced into a reply: one JSON object without a line break, kept at a moment.
    static func isSound(_ json: [UInt8], fetchedAt: Timestamp) -> Bool {
        guard moments.contains(fetchedAt.milliseconds), !json.contains(where: { $0 < 0x20 }),
            let document = try? JSONDocument(json)
        else { return false }
        return document.withRoot { $0.kind == .object } && !breaksLines(json)
    }

    /// U+0085, U+2028 and U+2029, which some readers of lines take for the end of one.
    private static let lineBreaks: [[UInt8]] = [[0xC2, 0x85], [0xE2, 0x80, 0xA8], [0xE2, 0x80, 0xA9]]

    private static func breaksLines(_ json: [UInt8]) -> Bool {
        json.indices.contains { at in
            json[at] >= 0xC2 && lineBreaks.contains { json[at...].starts(with: $0) }
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
