import JSON

/// What a caller asks of an answer's age.
public struct Freshness: Equatable, Sendable {
    /// Which of cache and remote is asked.
    public let policy: CachePolicy
    /// The largest age in milliseconds at which an entry is still fresh; nil for the resource's own rule alone.
    public let maxAge: Int?

    /// A wish.
    public init(_ policy: CachePolicy = .localFirst, maxAge: Int? = nil) {
        self.policy = policy
        self.maxAge = maxAge
    }
}
