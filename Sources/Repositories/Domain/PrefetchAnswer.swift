/// What a walk over a list came to.
public struct PrefetchAnswer: Equatable, Sendable {
    /// Pages that were walked over.
    public var pages = 0
    /// Items on them.
    public var items = 0
    /// Pages that were fetched.
    public var fetched = 0
    /// Pages that were kept and fresh.
    public var reused = 0

    /// Nothing yet.
    public init() {}
}
