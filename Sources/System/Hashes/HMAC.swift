/// Computes keyed hashes of messages with HMAC-SHA-256 (RFC 2104, FIPS 198-1).
public enum HMAC {
    /// Returns the HMAC-SHA-256 of a message. The result has 32 bytes.
    public static func sha256(_ message: some Collection<UInt8>, key: [UInt8]) -> [UInt8] { Key(key).sha256(message) }

    /// A reusable key for HMAC-SHA-256. The initializer computes the part of the hash that depends only on the key.
    public struct Key: Sendable {
        private var inner = SHA256.Hasher()
        private var outer = SHA256.Hasher()

        /// Creates a reusable key from key bytes of any length.
        public init(_ key: [UInt8]) {
            let block = SHA256.Hasher.blockSize
            let short = key.count > block ? SHA256.hash(key) : key
            let padded = short + [UInt8](repeating: 0, count: block - short.count)
            inner.update(padded.map { $0 ^ 0x36 })
            outer.update(padded.map { $0 ^ 0x5C })
        }

        /// Returns the HMAC-SHA-256 of a message. The result has 32 bytes.
        public func sha256(_ message: some Collection<UInt8>) -> [UInt8] {
            var hasher = hasher()
            hasher.update(message)
            return hasher.finish()
        }

        /// Returns a new hasher. The caller passes the message to this hasher in parts.
        public func hasher() -> Hasher { Hasher(inner: inner, outer: outer) }
    }

    /// A hasher that computes the HMAC-SHA-256 of a message. The caller passes the message in parts.
    public struct Hasher: Sendable {
        fileprivate var inner: SHA256.Hasher
        fileprivate var outer: SHA256.Hasher

        /// Adds the next bytes of the message.
        public mutating func update(_ bytes: some Collection<UInt8>) { inner.update(bytes) }

        /// Returns the 32 bytes of the HMAC.
        public consuming func finish() -> [UInt8] {
            outer.update(inner.finish())
            return outer.finish()
        }
    }
}
