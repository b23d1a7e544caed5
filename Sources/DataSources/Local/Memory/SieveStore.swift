import Model
import System

/// Items and pages within one size limit. The eviction algorithm is SIEVE (Zhang et al., NSDI 2024).
///
/// A hit only sets a bit of the entry. An eviction looks at the entries from older to newer ones. It clears each set
/// bit, and removes the first entry whose bit is not set.
// Entries live in array slots that are linked by index, so a hit moves nothing and allocates nothing.
struct SieveStore: EntryPlace {
    /// The value in `items` at array indexes that contain no item.
    private static let vacant = ItemEntity(
        key: ItemKey(resource: ResourceKey(name: "", fingerprint: .init(high: 0, low: 0)), id: ""), json: [],
        fetchedAt: Timestamp(milliseconds: 0))

    private struct Slot {
        var newer = none
        var older = none
        var hash: UInt32 = 0
        var isItem = false
        var isVisited = false
        /// Whether the entry was read since the last call of `takeUsed`. An eviction does not clear this flag.
        var isUsed = false
    }

    private static let none: Int32 = -1

    /// The maximum total size of the entries, in bytes.
    let limit: Int
    /// The current total size of the entries, in bytes.
    private(set) var bytes = 0
    private(set) var hits = 0
    private(set) var misses = 0
    private(set) var evictions = 0
    /// The number of removals and invalidations so far. The code that owns the store must increment this number.
    var removals = 0

    private let hasher = SlotHasher()
    private var itemTable = SlotTable()
    private var pageTable = SlotTable()
    private var slots: [Slot] = []
    /// The items, at the same array indexes as in `slots`. They are in a separate array, so that reading an item copies
    /// only the item.
    private var items: [ItemEntity] = []
    /// The pages, by array index in `slots`. Most slots contain items, so a dictionary needs less memory than an array.
    private var pages: [Int: PageEntity] = [:]
    private var lists = FreshPageIndex()
    private var free: [Int32] = []
    private var newest = none
    private var oldest = none
    private var hand = none

    init(limit: Int) { self.limit = limit }

    /// The number of stored items and pages.
    var count: Int { itemTable.count + pageTable.count }

    /// Reads an entry. Counts a hit if the whole entry is stored, and otherwise a miss.
    mutating func read<Key: CacheKey>(_ key: Key, countsMiss: Bool = true) -> Key.Entry? {
        let entry = key.entry(in: &self)
        if entry != nil { hits += 1 } else if countsMiss { misses += 1 }
        return entry
    }

    /// Returns an item's JSON, its fetch time and whether it is stale.
    mutating func glance(_ key: ItemKey) -> ItemSnapshot? {
        guard let slot = find(key, hash(key)) else { return nil }
        hits += 1
        markUsed(slot)
        return ItemSnapshot(
            json: items[slot].json, fetchedAt: items[slot].fetchedAt, isInvalidated: items[slot].isInvalidated)
    }

    /// Marks an item as used and returns the item.
    mutating func item(_ key: ItemKey) -> ItemEntity? {
        guard let slot = find(key, hash(key)) else { return nil }
        markUsed(slot)
        return items[slot]
    }

    /// Marks a page and its items as used, and returns them. Returns nil if the page or one of its items is missing.
    mutating func page(_ key: PageKey) -> StoredPage? {
        guard let slot = find(key, hash(key)), let page = pages[slot] else { return nil }
        // `PackedItems(of:)` is not used here, because it would copy keys and items.
        var found = PackedItems(room: page)
        for id in page.ids {
            let hash = hasher.hash(key.resource, id, page.isPartial)
            guard let item = findItem(key.resource, id, page.isPartial, hash) else { return nil }
            markUsed(item)
            found.addItem(items[item])
        }
        markUsed(slot)
        return StoredPage(page: page, items: found)
    }

    /// Stores an item. If the item is larger than the limit, removes the stored item with the same key instead.
    mutating func save(_ item: ItemEntity) {
        let item = item.compact
        let hash = hash(item.key)
        let known = find(item.key, hash)
        if item.cost > limit {
            if let known { drop(known) }
        } else if let known {
            bytes += item.cost - items[known].cost
            items[known] = item
            slots[known].isVisited = true
            makeRoom(for: 0)
        } else {
            let slot = takeSlot(cost: item.cost, hash)
            items[slot] = item
            slots[slot].isItem = true
            itemTable.insert(slot, hash)
        }
    }

    /// Stores a page. If the page is larger than the limit, removes the stored page with the same key instead. Stored
    /// pages of the same list become stale if they report a different total count.
    mutating func save(_ page: PageEntity) {
        let page = page.compact
        let hash = hash(page.key)
        let known = find(page.key, hash)
        if page.cost > limit {
            if let known { drop(known) }
        } else if let known {
            if let old = pages.updateValue(page, forKey: known) {
                bytes += page.cost - old.cost
                lists.remove(old, at: known)
            }
            markOutdated(by: page, at: known)
            slots[known].isVisited = true
            makeRoom(for: 0)
        } else {
            let slot = takeSlot(cost: page.cost, hash)
            pages[slot] = page
            slots[slot].isItem = false
            pageTable.insert(slot, hash)
            markOutdated(by: page, at: slot)
        }
    }

    private mutating func markOutdated(by page: PageEntity, at slot: Int) {
        for outdated in lists.insert(page, at: slot) { pages[outdated]?.isInvalidated = true }
    }

    /// Returns the keys of entries that were read since the last call of this function.
    mutating func takeUsed() -> UsedKeys {
        var used = UsedKeys()
        for slot in slots.indices where slots[slot].isUsed {
            slots[slot].isUsed = false
            if slots[slot].isItem {
                used.items.append(items[slot].key)
            } else if let page = pages[slot] {
                used.pages.append(page.key)
            }
        }
        return used
    }

    /// Returns all items of the resources for which a closure returns true, in any order. The order of eviction does
    /// not change.
    func items(where isWanted: (ResourceKey) -> Bool) -> [ItemEntity] {
        slots.indices.lazy.filter { slots[$0].isItem }.map { items[$0] }.filter { isWanted($0.key.resource) }
    }

    /// Stores an item, unless the stored item with the same key is newer. A fresh item replaces a stale item of any
    /// age.
    mutating func saveUnlessOlder(_ item: ItemEntity) {
        if let slot = find(item.key, hash(item.key)) {
            let kept = items[slot]
            if kept.fetchedAt > item.fetchedAt, !kept.isInvalidated || item.isInvalidated { return }
        }
        save(item)
    }

    /// Stores a page, unless the stored page with the same key is newer. A fresh page replaces a stale page of any age.
    mutating func saveUnlessOlder(_ page: PageEntity) {
        if let kept = find(page.key, hash(page.key)).flatMap({ pages[$0] }) {
            if kept.fetchedAt > page.fetchedAt, !kept.isInvalidated || page.isInvalidated { return }
        }
        save(page)
    }

    /// Returns whether a page and its items together fit within the size limit. Returns true for a change without a
    /// page.
    // If the page did not fit, storing one of its items would evict another, and the page could never be read.
    func hasRoom(for change: LocalChange) -> Bool {
        guard let page = change.page else { return true }
        return change.items.cost <= limit - min(limit, page.cost)
    }

    /// Returns a page without its items.
    func pageWithoutItems(_ key: PageKey) -> PageEntity? { find(key, hash(key)).flatMap { pages[$0] } }

    mutating func remove(_ key: EntryKey) {
        let slot =
            switch key {
            case .item(let key): find(key, hash(key))
            case .page(let key): find(key, hash(key))
            }
        if let slot { drop(slot) }
    }

    /// Removes the entries that match a selection. Returns the number of removed entries.
    mutating func remove(_ selection: CacheSelection) -> Int {
        if selection == CacheSelection() {
            defer { removeAll() }
            return count
        }
        let selected = selected(by: selection)
        for slot in selected { drop(slot) }
        return selected.count
    }

    /// Marks as stale all entries that match a selection. Returns the number of entries that became stale.
    mutating func invalidate(_ selection: CacheSelection) -> Int {
        var marked = 0
        for slot in selected(by: selection) {
            if slots[slot].isItem, !items[slot].isInvalidated {
                items[slot].isInvalidated = true
                marked += 1
            } else if let page = pages[slot], !page.isInvalidated {
                pages[slot]?.isInvalidated = true
                marked += 1
            }
        }
        return marked
    }
}

extension SieveStore {
    private func hash(_ key: ItemKey) -> UInt32 { hasher.hash(key.resource, key.id, key.isPartial) }

    private func hash(_ key: PageKey) -> UInt32 { hasher.hash(key.resource, key.request) }

    private func find(_ key: ItemKey, _ hash: UInt32) -> Int? {
        findItem(key.resource, key.id, key.isPartial, hash)
    }

    /// Returns the array index of the item with the given key; nil if the item is not stored.
    private func findItem(_ resource: ResourceKey, _ id: String, _ isPartial: Bool, _ hash: UInt32) -> Int? {
        items.withUnsafeBufferPointer { items in
            itemTable.find(hash) { slot in
                // A pointer to the key avoids a copy of the item for each comparison.
                guard let key = items.baseAddress.map({ $0 + slot })?.pointer(to: \.key) else { return false }
                return key.pointee.isPartial == isPartial && key.pointee.resource == resource
                    && key.pointee.id.isIdentical(to: id)
            }
        }
    }

    private mutating func markUsed(_ slot: Int) {
        if slots[slot].isVisited, slots[slot].isUsed { return }
        slots[slot].isVisited = true
        slots[slot].isUsed = true
    }

    private func find(_ key: PageKey, _ hash: UInt32) -> Int? {
        pageTable.find(hash) { pages[$0]?.key == key }
    }

    private func selected(by selection: CacheSelection) -> [Int] {
        let selector = SelectionMatcher(selection)
        let chosen = slots.indices.filter { slots[$0].isItem && selector.selects(items[$0]) }
        return chosen + pages.lazy.filter { selector.selects($0.value) }.map(\.key)
    }

    /// Evicts entries until a new entry fits, adds its cost to `bytes`, and returns an array index for it.
    private mutating func takeSlot(cost: Int, _ hash: UInt32) -> Int {
        makeRoom(for: cost)
        bytes += cost
        if free.isEmpty {
            free.append(Int32(slots.count))
            slots.append(Slot())
            items.append(Self.vacant)
        }
        let slot = free.removeLast()
        slots[Int(slot)] = Slot(older: newest, hash: hash)
        if newest == Self.none { oldest = slot } else { slots[Int(newest)].newer = slot }
        newest = slot
        return Int(slot)
    }

    private mutating func makeRoom(for cost: Int) {
        while bytes > limit - cost, oldest != Self.none {
            var at = hand == Self.none ? oldest : hand
            while slots[Int(at)].isVisited {
                slots[Int(at)].isVisited = false
                let newer = slots[Int(at)].newer
                at = newer == Self.none ? oldest : newer
            }
            hand = at
            drop(Int(at))
            evictions += 1
        }
    }

    private mutating func drop(_ slot: Int) {
        let (newer, older, hash) = (slots[slot].newer, slots[slot].older, slots[slot].hash)
        if hand == Int32(slot) { hand = newer }
        if newer == Self.none { newest = older } else { slots[Int(newer)].older = older }
        if older == Self.none { oldest = newer } else { slots[Int(older)].newer = newer }
        if slots[slot].isItem {
            bytes -= items[slot].cost
            itemTable.remove(slot, hash)
            items[slot] = Self.vacant
            slots[slot].isItem = false
        } else if let page = pages.removeValue(forKey: slot) {
            bytes -= page.cost
            pageTable.remove(slot, hash)
            lists.remove(page, at: slot)
        }
        free.append(Int32(slot))
    }

    /// Removes all entries and frees the memory of the arrays and hash tables.
    private mutating func removeAll() {
        let old = self
        self = SieveStore(limit: limit)
        (hits, misses, evictions, removals) = (old.hits, old.misses, old.evictions, old.removals)
    }
}
