/// The state that all repositories of a process share.
public struct RepositoryContext: Sendable {
    public let cache: Cache
    /// The limit of requests that wait for remotes at the same time.
    let limit: ConcurrencyLimit
    /// The refreshes that run in the background.
    public let background: BackgroundWork
    /// Called with the number of a request's keys that other requests were already fetching. Must not block.
    let onShared: @Sendable (Int) -> Void
    /// The log of answers that are unexpected but not errors.
    let warn: @Sendable (String) -> Void

    /// - Parameters:
    ///   - limit: the largest number of requests that may wait for remotes at the same time.
    ///   - onShared: called with the number of a request's keys that other requests were already fetching. It must not
    ///     block.
    ///   - warn: logs answers that are unexpected but not errors.
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
