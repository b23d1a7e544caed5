/// Keyed hashes (RFC 2104, FIPS 198-1).
public enum HMAC {
    /// HMAC-SHA-256: 32 bytes that nobody can tell, or check a guess with, who has not the key.
    public static func sha256(_ message: some Collection<UInt8>, key: [UInt8]) -> [UInt8] { Key(key).sha256(message) }

    /// A key that many hashes are made with: what they have in common was computed once.
    public struct Key: Sendable {
        private var inner = SHA256.Hasher()
        private var outer = SHA256.Hasher()

        /// A key of any length.
        public init(_ key: [UInt8]) {
            let block = SHA256.Hasher.blockSize
            let short = key.count > block ? SHA256.hash(key) : key
            let padded = short + [UInt8](repeating: 0, count: block - short.count)
            inner.update(padded.map { $0 ^ 0x36 })
            outer.update(padded.map { $0 ^ 0x5C })
        }

        /// The HMAC-SHA-256 of a message.
        public func sha256(_ message: some Collection<UInt8>) -> [UInt8] {
            var hasher = hasher()
            hasher.update(message)
            return hasher.finish()
        }

        /// Makes the HMAC-SHA-256 of bytes that come one after the other.
        public func hasher() -> Hasher { Hasher(inner: inner, outer: outer) }
    }

    /// Makes an HMAC-SHA-256 of bytes that come one after the other.
    public struct Hasher: Sendable {
        fileprivate var inner: SHA256.Hasher
        fileprivate var outer: SHA256.Hasher

        /// Takes the bytes that come next.
        public mutating func update(_ bytes: some Collection<UInt8>) { inner.update(bytes) }

        /// The 32 bytes.
        public consuming func finish() -> [UInt8] {
            outer.update(inner.finish())
            return outer.finish()
        }
    }
}
