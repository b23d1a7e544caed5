import JSON
import DataSources

/// A level of the cache after memory.
public struct CacheLevel: Sendable {
    /// What answers from it say of where they came from.
    public let source: Source
    /// What it keeps.
    public let entries: any PersistentDataSourceContract

    /// A level.
    public init(_ source: Source, _ entries: any PersistentDataSourceContract) {
        self.source = source
        self.entries = entries
    }
}
