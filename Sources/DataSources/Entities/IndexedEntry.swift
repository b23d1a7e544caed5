import System

/// An entry of the cache file that was found by its name in a shared level.
public struct IndexedEntry: Equatable, Sendable {
    public let key: EntryKey
    /// When it came from the remote.
    public let fetchedAt: Timestamp

    public init(key: EntryKey, fetchedAt: Timestamp) {
        self.key = key
        self.fetchedAt = fetchedAt
    }
}
