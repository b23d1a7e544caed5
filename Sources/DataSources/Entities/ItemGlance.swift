import System

/// As much of a kept item as an answer needs.
public struct ItemGlance: Sendable {
    /// The item as one compact JSON object, in the fields' order.
    public let json: [UInt8]
    /// When it came from the remote.
    public let fetchedAt: Timestamp
    /// Whether it was marked stale, whatever its age.
    public let isInvalidated: Bool
}
