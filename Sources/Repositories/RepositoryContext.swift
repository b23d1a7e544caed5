/// The objects that all repositories of a process share, such as the cache.
public struct RepositoryContext: Sendable {
    public let cache: Cache
    /// The limit on the number of calls that wait for APIs at the same time.
    let limit: ConcurrencyLimit
    /// The background tasks of the process, such as refreshes of stale entries.
    public let background: BackgroundWork
    /// Called with the number of items or pages for which a call joined another call's fetch. Must not block.
    let onShared: @Sendable (Int) -> Void
    /// Logs a warning about an unexpected answer that is not an error.
    let warn: @Sendable (String) -> Void

    /// Creates the objects that a process's repositories share.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of calls that may wait for APIs at the same time.
    ///   - onShared: called with the number of items or pages for which a call joined another call's fetch. The closure
    ///     must not block.
    ///   - warn: logs a warning about an unexpected answer that is not an error.
    public init(
        cache: Cache, limit: Int, background: BackgroundWork = BackgroundWork(),
        onShared: @escaping @Sendable (Int) -> Void = { _ in },
        warn: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.cache = cache
        self.limit = ConcurrencyLimit(limit: limit)
        self.background = background
        self.onShared = onShared
        self.warn = warn
    }
}
