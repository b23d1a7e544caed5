/// The random key for fingerprints. Without it, somebody who reads the cache could guess passwords by computing the
/// fingerprints of many. Entries that were stored under a different key are not found.
public struct FingerprintKey: Equatable, Sendable {
    /// The length of a key, in bytes.
    package static let count = 32

    package let bytes: [UInt8]

    /// Creates a key with the system's random generator, which is suitable for cryptographic keys.
    public static func random() -> FingerprintKey {
        var random = SystemRandomNumberGenerator()
        return FingerprintKey(bytes: (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// Creates a key from stored bytes; nil if they are not a valid key. After a power failure a file may contain only
    /// zeros.
    package init?(kept bytes: [UInt8]) {
        guard bytes.count == Self.count, bytes.contains(where: { $0 != 0 }) else { return nil }
        self.bytes = bytes
    }
}
