/// The hash function XXH64 (https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md).
///
/// XXH64 is fast and sensitive to every bit, but not cryptographic: inputs with equal hashes are easy to construct.
package enum XXHash64 {
    private static let primes: (UInt64, UInt64, UInt64, UInt64, UInt64) = (
        0x9E37_79B1_85EB_CA87, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x85EB_CA77_C2B2_AE63,
        0x27D4_EB2F_1656_67C5
    )

    /// Returns the XXH64 hash of `bytes`.
    package static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
        var at = 0
        var hash = stripes(bytes, seed, &at) &+ UInt64(bytes.count)
        while at + 8 <= bytes.count {
            hash = rotated(hash ^ round(0, word(bytes, at)), 27) &* primes.0 &+ primes.3
            at += 8
        }
        if at + 4 <= bytes.count {
            let half = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self))
            hash = rotated(hash ^ UInt64(half) &* primes.0, 23) &* primes.1 &+ primes.2
            at += 4
        }
        while at < bytes.count {
            hash = rotated(hash ^ UInt64(bytes[at]) &* primes.4, 11) &* primes.0
            at += 1
        }
        hash = (hash ^ hash >> 33) &* primes.1
        hash = (hash ^ hash >> 29) &* primes.2
        return hash ^ hash >> 32
    }

    /// Hashes all complete stripes of the input, 32 bytes each. Sets `at` to the index of the first byte after the
    /// stripes.
    private static func stripes(_ bytes: UnsafeRawBufferPointer, _ seed: UInt64, _ at: inout Int) -> UInt64 {
        guard bytes.count >= 32 else { return seed &+ primes.4 }
        var (a, b, c, d) = (seed &+ primes.0 &+ primes.1, seed &+ primes.1, seed, seed &- primes.0)
        repeat {
            a = round(a, word(bytes, at))
            b = round(b, word(bytes, at + 8))
            c = round(c, word(bytes, at + 16))
            d = round(d, word(bytes, at + 24))
            at += 32
        } while at + 32 <= bytes.count
        var hash = rotated(a, 1) &+ rotated(b, 7) &+ rotated(c, 12) &+ rotated(d, 18)
        for lane in [a, b, c, d] { hash = (hash ^ round(0, lane)) &* primes.0 &+ primes.3 }
        return hash
    }

    private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        rotated(lane &+ word &* primes.1, 31) &* primes.0
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
    }

    private static func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 { word << count | word >> (64 - count) }
}
