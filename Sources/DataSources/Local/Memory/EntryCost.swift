import JSON
import Model

/// What entries take in memory besides their own bytes.
enum EntryCost {
    /// What an entry takes besides its own bytes, as measured with the allocator's own count over 800 to 200,000 items:
    /// its slot in the arrays, its bucket in the table, both with the room they keep to grow, and the header and
    /// rounding of the JSON's buffer.
    static let overhead = 256
    /// What a page takes on top of that: its place among the pages and in its list, and the headers and rounding of its
    /// other buffers.
    static let pageOverhead = 480
}

extension ItemEntity {
    /// The bytes it takes in memory. Counted by contents, so that it does not hang on the allocator's mood.
    var cost: Int {
        EntryCost.overhead + json.count + key.id.utf8.count + key.resource.name.utf8.count + (validators?.cost ?? 0)
    }

    /// The same without the room to grow that a buffer may have been left with, which `cost` does not count.
    var compact: ItemEntity {
        guard json.hasSpareRoom else { return self }
        return ItemEntity(
            key: key, json: json.exact, fetchedAt: fetchedAt, isInvalidated: isInvalidated, validators: validators)
    }
}

extension PageEntity {
    /// The bytes it takes in memory. Ids longer than 15 bytes are allocated one by one.
    var cost: Int {
        let texts =
            key.request.utf8.count + key.list.utf8.count + key.resource.name.utf8.count + (next?.size ?? 0)
            + ids.reduce(0) { $0 + ($1.utf8.count > 15 ? $1.utf8.count + 48 : 0) }
        return EntryCost.overhead + EntryCost.pageOverhead + info.count + (validators?.cost ?? 0)
            + ids.count * MemoryLayout<String>.stride + texts
    }

    /// The same without the room to grow that its buffers may have been left with.
    var compact: PageEntity {
        guard ids.hasSpareRoom || info.hasSpareRoom else { return self }
        return PageEntity(
            key: key, ids: ids.exact, isPartial: isPartial, info: info.exact, fetchedAt: fetchedAt,
            isInvalidated: isInvalidated, count: count, pages: pages, next: next, validators: validators)
    }
}

extension PackedItems {
    /// The bytes that they take in memory as entries, but for their validators.
    var cost: Int {
        texts.size + keys.reduce(0) { $0 + EntryCost.overhead + $1.id.utf8.count + $1.resource.name.utf8.count }
    }
}

extension PageToken {
    fileprivate var size: Int { if case .opaque(let text) = self { text.utf8.count } else { 0 } }
}

extension Validators {
    /// The object with its header, and the texts, which are rarely short enough to lie in it.
    fileprivate var cost: Int { 96 + (etag?.utf8.count ?? 0) + (lastModified?.utf8.count ?? 0) }
}

extension Array {
    /// Whether the buffer is larger than the contents by more than the allocator's rounding.
    fileprivate var hasSpareRoom: Bool {
        (capacity - count) * MemoryLayout<Element>.stride > 32 + count * MemoryLayout<Element>.stride / 8
    }

    fileprivate var exact: [Element] { withUnsafeBufferPointer { Array($0) } }
}
