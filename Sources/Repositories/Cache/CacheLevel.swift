import DataSources
import JSON
import Model

/// A level of the cache after memory.
public struct CacheLevel: Sendable {
    /// What answers from it say of where they came from.
    public let source: Source
    /// What it keeps.
    public let entries: any PersistentDataSourceContract
    /// The same, where many machines share it.
    let shared: (any SharedDataSourceContract)?

    /// A level of this machine.
    public init(_ source: Source, _ entries: any PersistentDataSourceContract) {
        self.source = source
        self.entries = entries
        shared = nil
    }

    /// A level that many machines share.
    public init(shared: any SharedDataSourceContract) {
        source = .shared
        entries = shared
        self.shared = shared
    }

    /// Whether it is looked at by who looks so far.
    func isWithin(_ reach: CacheReach) -> Bool { reach == .all || shared == nil }
}

/// The outcome of a read of the shared level alone.
public enum SharedRead<Value: Sendable>: Sendable {
    case found(Value)
    /// The level has an entry that is not fresh enough.
    case outdated
    /// The level has no entry, or did not answer.
    case missing
}

/// How far it is looked for an entry.
enum CacheReach: Sendable {
    /// In the levels of this machine.
    case machine
    /// In all levels.
    case all
}
