import Model
import System

/// A hash table from keys to slots. A slot is an integer, such as an array index. The table stores only the slots and
/// the hashes. The callers store the keys and compare them.
// The table uses open addressing with linear probing, and is at most 3/4 full. Removals leave no tombstones, so a table
// that changes constantly stays fast.
struct SlotTable {
    private struct Bucket {
        var slot: Int32
        var hash: UInt32
    }

    private static let empty = Bucket(slot: -1, hash: 0)

    private var buckets = [Bucket](repeating: empty, count: 16)
    /// The number of slots in the hash table.
    private(set) var count = 0

    /// Returns the slot with the given hash for which `matches` returns true. Returns nil if there is none.
    @inline(__always)
    func find(_ hash: UInt32, _ matches: (Int) -> Bool) -> Int? {
        buckets.withUnsafeBufferPointer { buckets in
            let mask = buckets.count - 1
            var at = Int(hash) & mask
            while buckets[at].slot >= 0 {
                if buckets[at].hash == hash, matches(Int(buckets[at].slot)) { return Int(buckets[at].slot) }
                at = (at + 1) & mask
            }
            return nil
        }
    }

    /// Adds a slot. The hash table must not contain this slot yet.
    mutating func insert(_ slot: Int, _ hash: UInt32) {
        if (count + 1) * 4 > buckets.count * 3 { grow() }
        place(Bucket(slot: Int32(slot), hash: hash))
        count += 1
    }

    /// Removes a slot. Does nothing if the hash table does not contain the slot.
    mutating func remove(_ slot: Int, _ hash: UInt32) {
        let mask = buckets.count - 1
        var hole = Int(hash) & mask
        while buckets[hole].slot != slot {
            guard buckets[hole].slot >= 0 else { return }
            hole = (hole + 1) & mask
        }
        // Entries that linear probing has moved past the removed entry move back.
        var at = (hole + 1) & mask
        while buckets[at].slot >= 0 {
            let home = Int(buckets[at].hash) & mask
            if (at - home) & mask >= (at - hole) & mask {
                buckets[hole] = buckets[at]
                hole = at
            }
            at = (at + 1) & mask
        }
        buckets[hole] = Self.empty
        count -= 1
    }

    private mutating func grow() {
        let old = buckets
        buckets = [Bucket](repeating: Self.empty, count: old.count * 2)
        for bucket in old where bucket.slot >= 0 { place(bucket) }
    }

    private mutating func place(_ bucket: Bucket) {
        let mask = buckets.count - 1
        var at = Int(bucket.hash) & mask
        while buckets[at].slot >= 0 { at = (at + 1) & mask }
        buckets[at] = bucket
    }
}

/// A fast hash function for short keys, similar to wyhash. Each process has a different seed. Attackers therefore
/// cannot prepare colliding keys.
struct SlotHasher {
    private let seed = UInt64.random(in: .min ... .max)

    /// Returns the hash of a cache key: the key of a resource, the text of an item id or a page request, and a flag for
    /// incomplete items.
    @inline(__always)
    func hash(_ resource: ResourceKey, _ text: String, _ flag: Bool = false) -> UInt32 {
        let start = Self.mix(seed ^ resource.fingerprint.low, 0x9E37_79B9_7F4A_7C15)
        let hash = text.withBytes { bytes in
            var hash = start
            var at = 0
            while at + 8 <= bytes.count {
                let word = bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)
                hash = Self.mix(hash ^ word, 0xD6E8_FEB8_6659_FD93)
                at += 8
            }
            var rest: UInt64 = 0
            while at < bytes.count {
                rest = rest << 8 | UInt64(bytes[at])
                at += 1
            }
            return Self.mix(hash ^ rest, 0xA076_1D64_78BD_642F ^ UInt64(bytes.count) << 1 ^ (flag ? 1 : 0))
        }
        return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
    }

    private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}
