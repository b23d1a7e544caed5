/// The random number with which fingerprints are made, so that nobody can find a password by trying fingerprints of
/// many. Who has another one finds none of the entries.
public struct FingerprintKey: Equatable, Sendable {
    /// How many bytes it has.
    package static let count = 32

    package let bytes: [UInt8]

    /// A new one. The system's generator is fit for keys.
    public static func random() -> FingerprintKey {
        var random = SystemRandomNumberGenerator()
        return FingerprintKey(bytes: (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// A key that was kept; nil where the bytes are none. After a power cut a file may hold zeros alone.
    package init?(kept bytes: [UInt8]) {
        guard bytes.count == Self.count, bytes.contains(where: { $0 != 0 }) else { return nil }
        self.bytes = bytes
    }
}
