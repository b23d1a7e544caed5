import DataSources
import Model

/// A level of the cache below memory.
enum CacheLevel: Sendable {
    case file(any PersistentDataSourceContract)
    case shared(any SharedDataSourceContract)

    /// The value of `source` in answers from this cache level.
    var source: Source {
        switch self {
        case .file: .persistence
        case .shared: .shared
        }
    }

    var entries: any LocalDataSourceContract {
        switch self {
        case .file(let file): file
        case .shared(let level): level
        }
    }

    /// Returns whether a read of the given cache levels includes this level.
    func isWithin(_ reach: CacheReach) -> Bool {
        switch self {
        case .file: reach != .shared
        case .shared: reach != .machine
        }
    }

    /// Returns whether the cache level may contain an entry with a given key.
    func mayHave(_ key: EntryKey) -> Bool {
        switch self {
        case .file: true
        case .shared(let level): level.shares(key)
        }
    }

    /// Returns whether the cache level would currently store the API's answer for a key.
    func stores(_ key: EntryKey) -> Bool {
        switch self {
        case .file: true
        case .shared(let level): level.stores(key)
        }
    }
}

/// The cache levels that a read includes.
enum CacheReach: Sendable {
    /// The cache levels on this machine: memory and the cache file.
    case machine
    /// All cache levels: memory, the cache file and the shared level. A call reads the shared level only if memory and
    /// the cache file cannot answer the call.
    case all
    /// Only the shared cache level.
    case shared
}

/// The outcome of a read that includes only the shared cache level.
public enum SharedRead<Value: Sendable>: Sendable {
    case found(Value)
    /// The shared cache level contains the entry, but the entry is not fresh enough.
    case outdated
    /// The shared cache level does not contain the entry, or did not answer.
    case missing
}
