/// How often a resource's cache could answer: one hit or miss an item or page asked for.
public struct ResourceStatistics: Equatable, Sendable {
    /// Answers from memory or persistence.
    public let hits: Int
    /// Answers that needed the remote.
    public let misses: Int

    /// What was counted.
    public init(hits: Int, misses: Int) {
        self.hits = hits
        self.misses = misses
    }
}
