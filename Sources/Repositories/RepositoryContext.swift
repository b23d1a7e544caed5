/// What all repositories of a process share.
public struct RepositoryContext: Sendable {
    public let cache: Cache
    /// Limits how many requests wait for remotes.
    let limit: ConcurrencyLimit
    /// Refreshes in the background.
    public let background: BackgroundWork
    /// Called with the number of keys of a request that were under way already. It must not block.
    let onShared: @Sendable (Int) -> Void
    /// Logs what is unexpected and no error.
    let warn: @Sendable (String) -> Void

    /// - Parameter limit: how many requests may wait for remotes at once.
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
