import DataSources

/// One entry as a policy handles it: where it is looked for, fetched and kept.
struct CacheLookup<Entry: CacheEntry>: Sendable {
    /// Looks in memory.
    let memory: @Sendable () -> Entry?
    /// Looks in persistence; nil also where that fails.
    let persistence: @Sendable () async -> Entry?
    /// Keeps in memory what persistence had.
    let promote: @Sendable (Entry) -> Void
    /// Asks the remote.
    let fetch: @Sendable () async throws(APIError) -> Entry
    /// Keeps what the remote had.
    let save: @Sendable (Entry) -> Void
    /// Drops an entry that the remote no longer has.
    let forget: @Sendable () -> Void
}
