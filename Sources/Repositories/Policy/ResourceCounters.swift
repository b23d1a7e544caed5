import Synchronization

/// How often a resource's cache could answer: one hit or miss an item or page asked for.
public struct ResourceStatistics: Equatable, Sendable {
    /// Answers from memory or persistence.
    public let hits: Int
    /// Answers that needed the remote.
    public let misses: Int
    /// Items and pages that were on their way already when they were asked for.
    public let coalesced: Int

    /// What was counted.
    public init(hits: Int, misses: Int, coalesced: Int = 0) {
        self.hits = hits
        self.misses = misses
        self.coalesced = coalesced
    }
}

/// Counts how often a resource's cache could answer.
final class ResourceCounters: Sendable {
    private let hits = Atomic<Int>(0)
    private let misses = Atomic<Int>(0)
    private let coalesced = Atomic<Int>(0)
    private let onShared: @Sendable (Int) -> Void

    /// - Parameter onShared: called, where fetches are joined, with how many.
    init(onShared: @escaping @Sendable (Int) -> Void) { self.onShared = onShared }

    func hit(_ count: Int = 1) { hits.add(count, ordering: .relaxed) }
    func miss(_ count: Int = 1) { misses.add(count, ordering: .relaxed) }

    func share(_ count: Int) {
        coalesced.add(count, ordering: .relaxed)
        onShared(count)
    }

    var statistics: ResourceStatistics {
        ResourceStatistics(
            hits: hits.load(ordering: .relaxed), misses: misses.load(ordering: .relaxed),
            coalesced: coalesced.load(ordering: .relaxed))
    }
}
