/// A random key that is part of the input of every fingerprint. Without the key, a reader of the cache file could guess
/// a password and check the guess against a fingerprint. If the key changes, existing cache entries can no longer be
/// found, because their fingerprints differ.
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

    /// Creates a key from stored bytes. Returns nil if the length is wrong. Also returns nil if all bytes are zero,
    /// because a power failure can leave a file of zeros.
    package init?(kept bytes: [UInt8]) {
        guard bytes.count == Self.count, bytes.contains(where: { $0 != 0 }) else { return nil }
        self.bytes = bytes
    }
}
