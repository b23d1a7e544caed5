/// Keyed hashes (RFC 2104, FIPS 198-1).
public enum HMAC {
    /// HMAC-SHA-256: 32 bytes that nobody can tell, or check a guess with, who has not the key.
    public static func sha256(_ message: some Collection<UInt8>, key: [UInt8]) -> [UInt8] {
        let block = 64
        let short = key.count > block ? SHA256.hash(key) : key
        let padded = short + [UInt8](repeating: 0, count: block - short.count)
        return SHA256.hash(padded.map { $0 ^ 0x5C } + SHA256.hash(padded.map { $0 ^ 0x36 } + message))
    }
}
