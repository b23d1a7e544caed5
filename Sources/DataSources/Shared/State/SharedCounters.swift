import Synchronization

/// The counters of the shared level in this process. `SharedStatistics` describes each counter.
final class SharedCounters: Sendable {
    let hits = Atomic<Int>(0)
    let misses = Atomic<Int>(0)
    let written = Atomic<Int>(0)
    let refused = Atomic<Int>(0)
    let rejected = Atomic<Int>(0)
    let lost = Atomic<Int>(0)
    let waited = Atomic<Int>(0)
}

extension Atomic where Value == Int {
    /// Adds a number to the counter.
    func count(_ number: Int = 1) { wrappingAdd(number, ordering: .relaxed) }

    var value: Int { load(ordering: .relaxed) }
}
