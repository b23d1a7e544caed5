import Synchronization

/// Counts across threads.
final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .sequentiallyConsistent) }

    /// Counts on, and returns what is counted then.
    @discardableResult
    func add(_ more: Int = 1) -> Int { count.add(more, ordering: .sequentiallyConsistent).newValue }
}
