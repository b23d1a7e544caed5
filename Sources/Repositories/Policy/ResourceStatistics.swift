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
