import Model

/// Finds the latest pending write of an item by the item's key. The writes contain the items, so this table needs only
/// a few bytes per item.
struct PendingItems {
    /// The latest pending write of an item, either a save or a removal.
    struct Point {
        /// The item that the pending write saves; nil if the write removes the item.
        let item: ItemEntity?
        /// The sequence number of the pending write.
        let number: Int
    }

    private final class Source: Sendable {
        let number: Int
        let items: PackedItems
        /// The key of the item that the write removes; nil if the write saves items.
        let removed: ItemKey?

        init(number: Int, items: PackedItems, removed: ItemKey? = nil) {
            self.number = number
            self.items = items
            self.removed = removed
        }

        func key(_ index: Int32) -> ItemKey { removed ?? items.key(at: Int(index)) }
    }

    private struct Slot {
        var source: Source?
        var index: Int32
    }

    /// The maximum number of elements that `slots` keeps while no items are pending. A larger array is freed.
    private static let keptSlots = 64

    private let hasher = SlotHasher()
    private var table = SlotTable()
    private var slots: [Slot] = []
    private var free: [Int32] = []

    var isEmpty: Bool { table.count == 0 }

    /// Records the items that a pending write saves.
    mutating func add(_ items: PackedItems, number: Int) {
        let source = Source(number: number, items: items)
        slots.reserveCapacity(items.count)
        for index in items.indices { set(source, Int32(truncatingIfNeeded: index)) }
    }

    /// Records that a pending write removes an item.
    mutating func addRemoval(of key: ItemKey, number: Int) {
        set(Source(number: number, items: PackedItems([]), removed: key), 0)
    }

    /// Removes the keys of a finished write, except keys that a later write also saves or removes.
    mutating func remove(_ keys: some Sequence<ItemKey>, number: Int) {
        for key in keys {
            let hash = hash(key)
            guard let slot = find(key, hash), slots[slot].source?.number == number else { continue }
            table.remove(slot, hash)
            slots[slot].source = nil
            free.append(Int32(slot))
        }
        // A large change used much memory, which is released now.
        if isEmpty, slots.count > Self.keptSlots { self = PendingItems() }
    }

    /// Returns the latest pending write of an item; nil if there is none.
    subscript(key: ItemKey) -> Point? {
        guard let slot = find(key, hash(key)), let source = slots[slot].source else { return nil }
        return Point(item: source.removed == nil ? source.items[Int(slots[slot].index)] : nil, number: source.number)
    }

    private mutating func set(_ source: Source, _ index: Int32) {
        let key = source.key(index)
        let hash = hash(key)
        if let slot = find(key, hash) {
            slots[slot] = Slot(source: source, index: index)
        } else if let slot = free.popLast() {
            slots[Int(slot)] = Slot(source: source, index: index)
            table.insert(Int(slot), hash)
        } else {
            slots.append(Slot(source: source, index: index))
            table.insert(slots.count - 1, hash)
        }
    }

    private func find(_ key: ItemKey, _ hash: UInt32) -> Int? {
        table.find(hash) { slot in
            guard let source = slots[slot].source else { return false }
            return source.key(slots[slot].index) == key
        }
    }

    private func hash(_ key: ItemKey) -> UInt32 { hasher.hash(key.resource, key.id, key.isPartial) }
}
