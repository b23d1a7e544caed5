import Synchronization

/// Limits how many requests wait on upstreams at once. One more is turned away at once instead of being queued.
public final class Admission: Sendable {
    /// How many may wait.
    public let limit: Int
    private let waiting = Atomic<Int>(0)

    /// A limit for everything that shares it.
    public init(limit: Int) { self.limit = limit }

    /// Takes a place. Returns false where none is left.
    func enter() -> Bool {
        if waiting.add(1, ordering: .relaxed).newValue <= limit { return true }
        leave()
        return false
    }

    /// Gives a place back.
    func leave() { waiting.subtract(1, ordering: .relaxed) }
}
