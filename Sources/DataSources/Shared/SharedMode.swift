/// What a process does with the shared level of the cache.
public enum SharedMode: String, CaseIterable, Sendable {
    /// It takes what others have stored, and stores nothing.
    case read
    /// It also stores what it fetches, tells the others of its changes, and takes turns with them to fetch.
    case readwrite
}
