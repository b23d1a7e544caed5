import System

/// A cache entry whose freshness can be computed.
public protocol AgedEntry: Sendable {
    /// The time at which the remote sent the entry.
    var fetchedAt: Timestamp { get }
    /// Whether the entry was invalidated, which makes it stale at any age.
    var isInvalidated: Bool { get }
}

extension ItemSnapshot: AgedEntry {}
