import DataSources
import Model

/// A level of the cache below memory.
enum CacheLevel: Sendable {
    case file(any PersistentDataSourceContract)
    case shared(any SharedDataSourceContract)

    /// The source of answers from the level.
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

    /// Returns whether a read with this reach includes the level.
    func isWithin(_ reach: CacheReach) -> Bool {
        switch self {
        case .file: true
        case .shared: reach == .all
        }
    }

    /// Returns whether the level may have an entry with this key.
    func mayHave(_ key: EntryKey) -> Bool {
        switch self {
        case .file: true
        case .shared(let level): level.shares(key)
        }
    }

    /// Returns whether the level would now store the remote's answer for a key.
    func stores(_ key: EntryKey) -> Bool {
        switch self {
        case .file: true
        case .shared(let level): level.stores(key)
        }
    }
}

/// The levels that a read includes.
enum CacheReach: Sendable {
    /// Memory and the cache file.
    case machine
    /// All levels. The shared level is read only if the remote would be asked next.
    case all
}

/// The outcome of a read of the shared level alone.
public enum SharedRead<Value: Sendable>: Sendable {
    case found(Value)
    /// The level has an entry that is not fresh enough.
    case outdated
    /// The level has no entry, or did not answer.
    case missing
}
