import Synchronization

/// The hits and misses of a resource's cache. Each requested item or page counts once.
public struct ResourceStatistics: Equatable, Sendable {
    /// The number of items and pages that came from the cache.
    public let hits: Int
    /// The number of items and pages for which a call had to wait for the API.
    public let misses: Int
    /// The number of items and pages for which a call joined the running fetch of another call.
    public let coalesced: Int

    public init(hits: Int, misses: Int, coalesced: Int = 0) {
        self.hits = hits
        self.misses = misses
        self.coalesced = coalesced
    }
}

/// The counters of one resource's hits and misses.
final class ResourceCounters: Sendable {
    private let hits = Atomic<Int>(0)
    private let misses = Atomic<Int>(0)
    private let coalesced = Atomic<Int>(0)
    private let onShared: @Sendable (Int) -> Void

    /// Creates counters with the value 0.
    ///
    /// - Parameter onShared: called with the number of items or pages for which a call joined another call's fetch.
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
