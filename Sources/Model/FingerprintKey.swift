/// A random key that is hashed into every fingerprint of a resource's settings. The key prevents a reader of the cache
/// file from guessing passwords by comparing fingerprints. If the key changes, existing cache entries can no longer be
/// found.
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

    /// Creates a key from stored bytes. Returns nil if the length is wrong, or if all bytes are zero. A file can
    /// contain zeros after a power failure.
    package init?(kept bytes: [UInt8]) {
        guard bytes.count == Self.count, bytes.contains(where: { $0 != 0 }) else { return nil }
        self.bytes = bytes
    }
}
