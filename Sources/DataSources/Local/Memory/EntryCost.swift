import JSON
import Model

/// The memory overhead of cache entries, in bytes.
enum EntryCost {
    /// The memory overhead of an entry, in bytes. It covers the entry's records in the arrays and in the hash table,
    /// the header of its JSON buffer, and spare capacity.
    // The number was measured with the allocator's own statistics, for 800 to 200,000 items.
    static let overhead = 256
    /// The additional overhead of a page, in bytes. It covers the page's records in the dictionary of pages and in
    /// `FreshPageIndex`, and the headers of the page's buffers.
    static let pageOverhead = 480
}

extension ItemEntity {
    /// The size of the item in memory, in bytes, computed from its contents.
    var cost: Int {
        EntryCost.overhead + json.count + key.id.utf8.count + key.resource.name.utf8.count + (validators?.cost ?? 0)
    }

    /// A copy of the item without spare capacity in its JSON buffer. The property `cost` does not count spare capacity.
    var compact: ItemEntity {
        guard json.hasSpareCapacity else { return self }
        return ItemEntity(
            key: key, json: json.exact, fetchedAt: fetchedAt, isInvalidated: isInvalidated, validators: validators)
    }
}

extension PageEntity {
    /// The size of the page in memory, in bytes, computed from its contents.
    // Ids with more than 15 bytes count extra, because each has its own allocation.
    var cost: Int {
        let texts =
            key.request.utf8.count + key.list.utf8.count + key.resource.name.utf8.count + (next?.size ?? 0)
            + ids.reduce(0) { $0 + ($1.utf8.count > 15 ? $1.utf8.count + 48 : 0) }
        return EntryCost.overhead + EntryCost.pageOverhead + info.count + (validators?.cost ?? 0)
            + ids.count * MemoryLayout<String>.stride + texts
    }

    /// A copy of the page without spare capacity in its buffers. The property `cost` does not count spare capacity.
    var compact: PageEntity {
        guard ids.hasSpareCapacity || info.hasSpareCapacity else { return self }
        return PageEntity(
            key: key, ids: ids.exact, isPartial: isPartial, info: info.exact, fetchedAt: fetchedAt,
            isInvalidated: isInvalidated, count: count, pages: pages, next: next, validators: validators)
    }
}

extension PackedItems {
    /// The memory that the items would need as separate entries, in bytes. The validators of the items are not
    /// included.
    var cost: Int {
        texts.size + keys.reduce(0) { $0 + EntryCost.overhead + $1.id.utf8.count + $1.resource.name.utf8.count }
    }
}

extension PageToken {
    fileprivate var size: Int { if case .opaque(let text) = self { text.utf8.count } else { 0 } }
}

extension Validators {
    /// The memory that the validators (`ETag`, `Last-Modified`) use, in bytes.
    // It includes the object with its header, and the strings, which are usually too long to be stored inside the
    // object.
    fileprivate var cost: Int { 96 + (etag?.utf8.count ?? 0) + (lastModified?.utf8.count ?? 0) }
}

extension Array {
    /// Whether the array has much unused capacity: more than an allocator adds when it rounds up the size.
    fileprivate var hasSpareCapacity: Bool {
        (capacity - count) * MemoryLayout<Element>.stride > 32 + count * MemoryLayout<Element>.stride / 8
    }

    fileprivate var exact: [Element] { withUnsafeBufferPointer { Array($0) } }
}
