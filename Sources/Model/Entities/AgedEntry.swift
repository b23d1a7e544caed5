import System

/// A cache entry that has a fetch time and can be invalidated.
public protocol AgedEntry: Sendable {
    /// The time at which the API sent the entry.
    var fetchedAt: Timestamp { get }
    /// Whether the entry was invalidated. An invalidated entry is stale at any age.
    var isInvalidated: Bool { get }
}

extension ItemSnapshot: AgedEntry {}
