import Synchronization

/// A counter for several threads.
final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .sequentiallyConsistent) }

    /// Adds to the counter. Returns the new value.
    @discardableResult
    func add(_ more: Int = 1) -> Int { count.add(more, ordering: .sequentiallyConsistent).newValue }
}
