import System

/// A cache entry with the time of its fetch. This time determines the entry's age.
public protocol AgedEntry: Sendable {
    /// The time at which the API sent the entry.
    var fetchedAt: Timestamp { get }
    /// Whether the entry was invalidated. An invalidated entry is stale at any age.
    var isInvalidated: Bool { get }
}

extension ItemSnapshot: AgedEntry {}
