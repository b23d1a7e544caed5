import Model
import System

/// A hash table from keys to slots that keeps no keys: who asks compares them where they are.
///
/// Open addressing with linear probing and at most 3/4 full. What is removed leaves no mark, so a table that changes
/// all the time stays as fast as a new one.
struct SlotTable {
    private struct Bucket {
        var slot: Int32
        var hash: UInt32
    }

    private static let empty = Bucket(slot: -1, hash: 0)

    private var buckets = [Bucket](repeating: empty, count: 16)
    /// How many slots are in it.
    private(set) var count = 0

    /// The slot with that hash for which `matches` holds; nil where there is none.
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

    /// Puts a slot in that is not there yet.
    mutating func insert(_ slot: Int, _ hash: UInt32) {
        if (count + 1) * 4 > buckets.count * 3 { grow() }
        place(Bucket(slot: Int32(slot), hash: hash))
        count += 1
    }

    /// Takes a slot out that is there.
    mutating func remove(_ slot: Int, _ hash: UInt32) {
        let mask = buckets.count - 1
        var hole = Int(hash) & mask
        while buckets[hole].slot != slot {
            guard buckets[hole].slot >= 0 else { return }
            hole = (hole + 1) & mask
        }
        // Whatever was pushed past the hole from a place before it moves up.
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

/// Hashes short keys fast: one 64 by 128 bit multiplication for every 8 bytes, as in wyhash, from a start that differs
/// in every process, so that nobody can prepare keys that collide.
struct SlotHasher {
    private let seed = UInt64.random(in: .min ... .max)

    /// The hash of a resource's fingerprint, a text and a flag.
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
