import DataSources

/// One entry as a policy handles it: where it is looked for, fetched and kept.
struct CacheLookup<Entry: CacheEntry>: Sendable {
    /// What the entry is of.
    let subject: ChangeHub.Subject
    /// Looks in memory.
    let memory: @Sendable () -> Entry?
    /// Looks in persistence; nil also where that fails.
    let persistence: @Sendable () async -> Entry?
    /// Marks the moment before persistence is looked at.
    let mark: @Sendable () -> Int
    /// Keeps in memory what persistence had at that moment.
    let promote: @Sendable (Entry, _ mark: Int) -> Void
    /// Asks the remote for the caller alone, and keeps nothing.
    let fetch: @Sendable () async throws(APIError) -> Entry
    /// Asks the remote together with all others who want the same now, and keeps what it has.
    let share: @Sendable (Sharing<Entry>) async throws(APIError) -> Found<Entry>
}

/// How a caller shares a fetch with others.
struct Sharing<Entry: CacheEntry>: Sendable {
    /// What is known already: the remote is asked whether it has changed.
    var known: Entry?
    /// Which entry in memory is as good as a new one; nil where only the remote's word counts.
    var accepts: (@Sendable (Entry) -> Bool)?
}

/// An entry and where it was found.
struct Found<Entry: Sendable>: Sendable {
    let entry: Entry
    let source: Source
}
