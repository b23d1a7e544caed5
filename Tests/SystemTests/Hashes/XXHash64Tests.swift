import TestSupport
import Testing

@testable import System

@Suite(.limited) struct XXHash64Tests {
    private func hash(_ bytes: some Sequence<UInt8>, seed: UInt64 = 0) -> UInt64 {
        Array(bytes).withUnsafeBytes { XXHash64.hash($0, seed: seed) }
    }

    @Test func xxHash64MatchesKnownValues() {
        #expect(hash([]) == 0xEF46_DB37_51D8_E999)
        #expect(hash("a".utf8) == 0xD24E_C4F1_A98C_6E5B)
        #expect(hash("abc".utf8) == 0x44BC_2CF5_AD77_0999)
        #expect(hash("Nobody inspects the spammish repetition".utf8) == 0xFBCE_A83C_8A37_8BF1)
        #expect(hash("Nobody inspects the spammish repetition".utf8, seed: 1) != 0xFBCE_A83C_8A37_8BF1)
    }

    @Test func everyInputBitChangesTheXXHash64() {
        for count in [1, 3, 4, 7, 8, 31, 32, 33, 100] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
            var hashes: Set = [hash(bytes)]
            for bit in 0..<count * 8 {
                var other = bytes
                other[bit / 8] ^= 1 << UInt8(bit % 8)
                hashes.insert(hash(other))
            }
            #expect(hashes.count == count * 8 + 1)
        }
    }
}
