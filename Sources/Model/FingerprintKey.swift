/// A random key that is part of every fingerprint. Without the key, a reader of the cache file could guess a password
/// by computing the fingerprints of many passwords. With a new key, the existing cache entries are no longer found.
public struct FingerprintKey: Equatable, Sendable {
    /// The length of a key, in bytes.
    package static let count = 32

    package let bytes: [UInt8]

    /// Creates a key with the system's cryptographically secure random generator.
    public static func random() -> FingerprintKey {
        var random = SystemRandomNumberGenerator()
        return FingerprintKey(bytes: (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// Creates a key from stored bytes. Nil if the bytes have the wrong length or are all zero, because a power failure
    /// can leave zeros in a file.
    package init?(kept bytes: [UInt8]) {
        guard bytes.count == Self.count, bytes.contains(where: { $0 != 0 }) else { return nil }
        self.bytes = bytes
    }
}
