/// Under what a resource's entries are kept: its name and a fingerprint of all that shapes its answers.
///
/// Another catalog, base URL or credential gives another fingerprint, and so never sees these entries.
public struct ResourceKey: Hashable, Sendable {
    /// The resource's name in the catalog.
    public let name: String
    /// Two words of a SHA-256 that covers the name too.
    public let fingerprint: Fingerprint

    /// A 128-bit fingerprint.
    public struct Fingerprint: Hashable, Sendable {
        /// The first 64 bits.
        public let high: UInt64
        /// The other 64 bits.
        public let low: UInt64

        /// A fingerprint of two words.
        public init(high: UInt64, low: UInt64) {
            self.high = high
            self.low = low
        }
    }

    /// A key.
    public init(name: String, fingerprint: Fingerprint) {
        self.name = name
        self.fingerprint = fingerprint
    }

    /// The fingerprint tells: it covers the name.
    public static func == (left: ResourceKey, right: ResourceKey) -> Bool { left.fingerprint == right.fingerprint }

    /// The fingerprint tells: it covers the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(fingerprint.low) }
}
