import JSON

/// What a call says of the cache: the policy, and how old an answer may be.
public struct CacheControl: Equatable, Sendable {
    /// Which of cache and remote is asked.
    public let policy: CachePolicy
    /// The largest age in milliseconds at which an entry is still fresh; nil for the resource's own rule alone.
    public let maxAge: Int?

    /// These words; the usual ones, where nothing is said.
    public init(_ policy: CachePolicy = .localFirst, maxAge: Int? = nil) {
        self.policy = policy
        self.maxAge = maxAge
    }
}
