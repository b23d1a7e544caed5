import CSHA256

/// The hash function SHA-256 (FIPS 180-4).
// Larder implements it, because no system library on both Linux and macOS exports it. Processors with SHA instructions
// compute it six times as fast (`CSHA256`).
public enum SHA256 {
    /// Returns the SHA-256 hash of `bytes`. The result has 32 bytes.
    public static func hash(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var hasher = Hasher()
        hasher.update(bytes)
        return hasher.finish()
    }

    /// Returns bytes as lowercase hexadecimal digits, two for each byte.
    public static func hex(_ bytes: [UInt8]) -> String { String(decoding: hexDigits(bytes), as: UTF8.self) }

    /// Returns bytes as lowercase hexadecimal digits in ASCII, two for each byte.
    public static func hexDigits(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: bytes.count * 2) { digits, count in
            for byte in bytes {
                digits[count] = digit(byte >> 4)
                digits[count + 1] = digit(byte & 0xF)
                count += 2
            }
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? value + UInt8(ascii: "0") : value - 10 + UInt8(ascii: "a")
    }

    /// Returns the SHA-256 hash of `bytes` as 64 lowercase hexadecimal digits.
    public static func hexHash(_ bytes: some Collection<UInt8>) -> String { hex(hash(bytes)) }

    /// A SHA-256 hasher. The caller passes the input in parts. A copy of a hasher can continue with different input.
    public struct Hasher: Sendable {
        /// The number of bytes in a block. SHA-256 processes its input in blocks of this size.
        static let blockSize = 64

        private var state: SIMD8<UInt32> = SHA256.initial
        /// The input bytes after the last complete block. Only the first `pendingCount` bytes are valid.
        private var pending = SIMD64<UInt8>()
        private var pendingCount = 0
        private var count: UInt64 = 0

        public init() {}

        /// Adds the next bytes of the input.
        public mutating func update(_ bytes: some Collection<UInt8>) {
            let isTaken: Void? = bytes.withContiguousStorageIfAvailable { take(UnsafeRawBufferPointer($0)) }
            if isTaken == nil { Array(bytes).withUnsafeBytes { take($0) } }
        }

        /// Returns the SHA-256 hash of all added bytes. The result has 32 bytes.
        // Safe: the lengths match the block and the state.
        public consuming func finish() -> [UInt8] {
            // The padding: a one bit, zeros, and the number of bits at the end of a block.
            pending[pendingCount] = 0x80
            let end = pendingCount + 1
            withUnsafeMutableBytes(of: &pending) {
                _ = UnsafeMutableRawBufferPointer(rebasing: $0[end...]).initializeMemory(as: UInt8.self, repeating: 0)
            }
            if pendingCount >= Self.blockSize - 8 {
                withUnsafeBytes(of: pending) { SHA256.compress($0, into: &state) }
                pending = SIMD64()
            }
            let bitCount = (count &* 8).bigEndian
            withUnsafeMutableBytes(of: &pending) {
                $0.storeBytes(of: bitCount, toByteOffset: Self.blockSize - 8, as: UInt64.self)
            }
            withUnsafeBytes(of: pending) { SHA256.compress($0, into: &state) }
            return [UInt8](unsafeUninitializedCapacity: 32) { bytes, count in
                for word in 0..<8 {
                    UnsafeMutableRawBufferPointer(bytes).storeBytes(
                        of: state[word].bigEndian, toByteOffset: 4 * word, as: UInt32.self)
                }
                count = 32
            }
        }

        // Safe: all reads are within `bytes`, or within the 64 bytes of `pending`.
        private mutating func take(_ bytes: UnsafeRawBufferPointer) {
            count &+= UInt64(bytes.count)
            var rest = bytes[...]
            if pendingCount > 0 {
                let taken = rest.prefix(Self.blockSize - pendingCount)
                rest = rest.dropFirst(taken.count)
                keep(taken)
                guard pendingCount == Self.blockSize else { return }
                pendingCount = 0
                withUnsafeBytes(of: pending) { SHA256.compress($0, into: &state) }
            }
            let whole = rest.count / Self.blockSize * Self.blockSize
            SHA256.compress(UnsafeRawBufferPointer(rebasing: rest.prefix(whole)), into: &state)
            keep(rest.dropFirst(whole))
        }

        /// Appends bytes of the input to `pending`.
        ///
        /// - Parameter bytes: the bytes to append. They must fit into `pending`.
        private mutating func keep(_ bytes: Slice<UnsafeRawBufferPointer>) {
            let start = pendingCount
            withUnsafeMutableBytes(of: &pending) {
                UnsafeMutableRawBufferPointer(rebasing: $0[start...]).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: bytes))
            }
            pendingCount += bytes.count
        }
    }

    private static let hasInstructions = larder_sha256_is_available()

    /// Updates a hash state with complete blocks of 64 bytes. Uses the processor's SHA instructions if there are any.
    // Safe: the state has eight words, and only whole blocks are read.
    private static func compress(_ blocks: UnsafeRawBufferPointer, into state: inout SIMD8<UInt32>) {
        guard hasInstructions, let bytes = blocks.baseAddress else { return compressPortably(blocks, into: &state) }
        withUnsafeMutableBytes(of: &state) { words in
            guard let words = words.bindMemory(to: UInt32.self).baseAddress else { return }
            larder_sha256_blocks(words, bytes.assumingMemoryBound(to: UInt8.self), blocks.count / Hasher.blockSize)
        }
    }

    /// Updates a hash state with complete blocks of 64 bytes. Works on processors without SHA instructions.
    // Safe: the schedule is written before it is read, and every index is below 64.
    static func compressPortably(_ blocks: UnsafeRawBufferPointer, into state: inout SIMD8<UInt32>) {
        guard !blocks.isEmpty else { return }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        constants.withUnsafeBufferPointer { k in
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { w in
                for block in stride(from: 0, to: blocks.count, by: Hasher.blockSize) {
                    for t in 0..<16 {
                        let word = blocks.loadUnaligned(fromByteOffset: block &+ t &* 4, as: UInt32.self)
                        w[t] = UInt32(bigEndian: word)
                    }
                    for t in 16..<64 {
                        let s0 = rotated(w[t &- 15], 7) ^ rotated(w[t &- 15], 18) ^ w[t &- 15] &>> 3
                        let s1 = rotated(w[t &- 2], 17) ^ rotated(w[t &- 2], 19) ^ w[t &- 2] &>> 10
                        w[t] = w[t &- 16] &+ s0 &+ w[t &- 7] &+ s1
                    }
                    let before = (a, b, c, d, e, f, g, h)
                    var t = 0
                    while t < 64 {
                        // After eight rounds each variable has its original role again.
                        round(a, b, c, &d, e, f, g, &h, k[t] &+ w[t])
                        round(h, a, b, &c, d, e, f, &g, k[t &+ 1] &+ w[t &+ 1])
                        round(g, h, a, &b, c, d, e, &f, k[t &+ 2] &+ w[t &+ 2])
                        round(f, g, h, &a, b, c, d, &e, k[t &+ 3] &+ w[t &+ 3])
                        round(e, f, g, &h, a, b, c, &d, k[t &+ 4] &+ w[t &+ 4])
                        round(d, e, f, &g, h, a, b, &c, k[t &+ 5] &+ w[t &+ 5])
                        round(c, d, e, &f, g, h, a, &b, k[t &+ 6] &+ w[t &+ 6])
                        round(b, c, d, &e, f, g, h, &a, k[t &+ 7] &+ w[t &+ 7])
                        t &+= 8
                    }
                    (a, b, c, d) = (a &+ before.0, b &+ before.1, c &+ before.2, d &+ before.3)
                    (e, f, g, h) = (e &+ before.4, f &+ before.5, g &+ before.6, h &+ before.7)
                }
            }
        }
        state = SIMD8(a, b, c, d, e, f, g, h)
    }

    @inline(__always)
    private static func round(
        _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32, _ g: UInt32,
        _ h: inout UInt32, _ word: UInt32
    ) {
        let s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
        let t1 = h &+ s1 &+ (g ^ e & (f ^ g)) &+ word
        let s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
        d = d &+ t1
        h = t1 &+ s0 &+ (a & b | c & (a | b))
    }

    @inline(__always)
    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word &>> count | word &<< (32 &- count) }

    /// The initial hash state: the first 32 bits of the fractional part of the square root of each of the first 8
    /// primes.
    static let initial = SIMD8<UInt32>(
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19)

    /// The round constants: the first 32 bits of the fractional part of the cube root of each of the first 64 primes.
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}
