import TestSupport
import Testing

@testable import System

@Suite(.limited) struct SHA256Tests {
    /// The test vectors of NIST for FIPS 180-4, and lengths around the limits of the padding.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
    ])
    func sha256OfTheStandardTextsIsCorrect(text: String, hash: String) {
        #expect(SHA256.hexHash(Array(text.utf8)) == hash)
    }

    @Test func sha256OfAMillionLettersIsCorrect() {
        let letters = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
        #expect(SHA256.hexHash(letters) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test(arguments: [
        (55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
        (56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"),
        (64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
    ])
    func sha256OfTextsNearTheBlockSizeIsCorrect(count: Int, hash: String) {
        #expect(SHA256.hexHash([UInt8](repeating: UInt8(ascii: "a"), count: count)) == hash)
    }

    /// Hashes a message in parts of each size. Copies of the hasher that continue with different data must not affect
    /// the hasher.
    @Test(arguments: 1...130)
    func sha256OfPartsMatchesTheWhole(size: Int) {
        let text = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        var hasher = SHA256.Hasher()
        var rest = text[...]
        while !rest.isEmpty {
            var other = hasher
            other.update([1])
            #expect(other.finish() == SHA256.hash(text.prefix(text.count - rest.count) + [1]))
            hasher.update(rest.prefix(size))
            hasher.update([])
            rest = rest.dropFirst(size)
        }
        #expect(hasher.finish() == SHA256.hash(text))
        #expect(SHA256.hash(text.lazy.map { $0 }) == SHA256.hash(text))
    }

    @Test func sha256OfSeveralBlocksIsCorrect() {
        let text = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        #expect(SHA256.hexHash(text) == "82228e706dba0ddf721373304dfe326a9c702aa806ee992ba30e70c2c9c53aca")
    }

    /// `hash` uses the processor's instructions if they exist.
    @Test func processorInstructionsAndPortableCodeGiveTheSameSHA256() {
        for count in [1, 2, 3, 17] {
            let text = (0..<64 * count).map { UInt8(truncatingIfNeeded: $0 &* $0 &+ 7 &* count) }
            let length = UInt64(text.count * 8)
            let padding =
                [0x80] + [UInt8](repeating: 0, count: 55) + (0..<8).map { UInt8(length >> (56 - 8 * $0) & 0xFF) }
            var state = SHA256.initial
            (text + padding).withUnsafeBytes { SHA256.compressPortably($0, into: &state) }
            let portable = (0..<32).map { UInt8(truncatingIfNeeded: state[$0 / 4] >> (24 - 8 * UInt32($0 % 4))) }
            #expect(SHA256.hash(text) == portable)
        }
    }

    /// Tests lengths around the ends of blocks.
    @Test(arguments: 50..<70) func sha256OfSplitInputMatchesTheWhole(count: Int) {
        let text = (0..<count).map { UInt8($0) }
        for cut in [0, 1, count / 2, count] {
            var hasher = SHA256.Hasher()
            hasher.update(text[..<cut])
            hasher.update(text[cut...])
            var portable = SHA256.initial
            let zeros = [UInt8](repeating: 0, count: (119 - count) % 64)
            let length = [0, 0, 0, 0, 0, 0, UInt8((count * 8) >> 8), UInt8((count * 8) & 0xFF)]
            (text + [0x80] + zeros + length).withUnsafeBytes { SHA256.compressPortably($0, into: &portable) }
            let expected = (0..<32).map { UInt8(truncatingIfNeeded: portable[$0 / 4] >> (24 - 8 * UInt32($0 % 4))) }
            #expect(hasher.finish() == expected)
        }
    }

    @Test(arguments: [("", []), ("00", [0]), ("0aff10", [0x0A, 0xFF, 0x10])] as [(String, [UInt8])])
    func hexadecimalDigitsAreLowercase(digits: String, bytes: [UInt8]) {
        #expect(SHA256.hex(bytes) == digits)
    }
}
