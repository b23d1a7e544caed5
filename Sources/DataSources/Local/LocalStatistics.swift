/// How much a local data source keeps, and how often it helped.
public struct LocalStatistics: Equatable, Sendable {
    /// Items and pages kept.
    public var entries = 0
    /// Bytes they take.
    public var bytes = 0
    /// Bytes they may take.
    public var limit = 0
    /// Reads of an item or a page that found it.
    public var hits = 0
    /// Reads that did not.
    public var misses = 0
    /// Entries dropped to stay within the limit.
    public var evictions = 0
    /// Rows of the file that were read, were not what was written, and were removed.
    public var damaged = 0
    /// Where the file is; nil in memory.
    public var path: String?
    /// Whether it works, or what is wrong.
    public var state = LevelState.ok
    /// What only a shared level tells of itself; nil in the others.
    public var shared: SharedStatistics?

    /// Nothing kept.
    public init() {}
}

/// How a level of the cache is, in one word, as `cache/stats` tells it.
public enum LevelState: String, CaseIterable, Sendable {
    /// It works.
    case ok
    /// Its file was damaged, was set aside, and begun anew.
    case rebuilt
    /// Writes cannot be done now, and wait.
    case failing
    /// Its file cannot be used.
    case unavailable
    /// It was not asked for.
    case off
}
