import System

/// An entry as far as its age is concerned.
public protocol AgedEntry: Sendable {
    /// When it came from the remote.
    var fetchedAt: Timestamp { get }
    /// Whether it was marked stale, whatever its age.
    var isInvalidated: Bool { get }
}

extension ItemGlance: AgedEntry {}
