/// The size, the counters and the state of a cache level.
public struct LocalStatistics: Equatable, Sendable {
    /// The number of stored items and pages.
    public var entries = 0
    /// The total size of the stored entries, in bytes.
    public var bytes = 0
    /// The maximum total size of the stored entries, in bytes.
    public var limit = 0
    /// The number of reads that found an entry.
    public var hits = 0
    /// The number of reads that found no entry.
    public var misses = 0
    /// The number of entries that were evicted to keep the cache level within its maximum size.
    public var evictions = 0
    /// The number of damaged rows found while reading the cache file.
    public var damaged = 0
    /// The path of the cache level's file; nil if the level has no file.
    public var path: String?
    /// The state of the level, such as `ok` or `failing`.
    public var state = LevelState.ok
    /// The statistics of the Redis level; nil for the other levels.
    public var shared: SharedStatistics?

    /// Creates the statistics of an empty cache level.
    public init() {}
}

/// The state of a cache level, as reported by `cache/stats`.
public enum LevelState: String, CaseIterable, Sendable {
    /// The level works.
    case ok
    /// The cache level's file was damaged. Larder has renamed it and created a new file.
    case rebuilt
    /// The cache level cannot write to its file at present. It keeps the pending writes and tries again.
    case failing
    /// The level's file cannot be used.
    case unavailable
    /// The level is turned off or not configured.
    case off
}
