/// The size, the counters and the state of a cache level.
public struct LocalStatistics: Equatable, Sendable {
    /// The number of stored items and pages.
    public var entries = 0
    /// The total size of the stored entries, in bytes.
    public var bytes = 0
    /// The maximum total size of the stored entries, in bytes.
    public var limit = 0
    /// The number of reads that found an item or a page.
    public var hits = 0
    /// The number of reads that found nothing.
    public var misses = 0
    /// The number of entries evicted to keep the level within its maximum size.
    public var evictions = 0
    /// The number of damaged rows that reads of the file found and removed.
    public var damaged = 0
    /// The path of the level's file; nil if it has none.
    public var path: String?
    /// The state of the level: whether it works and, if not, why.
    public var state = LevelState.ok
    /// The statistics of the Redis level; nil for the other levels.
    public var shared: SharedStatistics?

    /// Creates the statistics of an empty level.
    public init() {}
}

/// The state of a cache level, as reported by `cache/stats`.
public enum LevelState: String, CaseIterable, Sendable {
    /// The level works.
    case ok
    /// The file was damaged: it was set aside, and a new one was created.
    case rebuilt
    /// Writes to the file fail at present. The writes stay pending and will be retried.
    case failing
    /// The level's file cannot be used.
    case unavailable
    /// The level is turned off or not configured.
    case off
}
