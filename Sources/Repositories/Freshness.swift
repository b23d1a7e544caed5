import DataSources
import System

/// What a caller asks of an answer's age.
public struct Freshness: Equatable, Sendable {
    /// Which of cache and remote is asked.
    public let policy: CachePolicy
    /// The largest age in milliseconds at which an entry is still fresh; nil for the resource's own rule alone.
    public let maxAge: Int?

    /// A wish.
    public init(_ policy: CachePolicy = .localFirst, maxAge: Int? = nil) {
        self.policy = policy
        self.maxAge = maxAge
    }
}

/// Judges the age of entries.
struct FreshnessRule: Sendable {
    let rules: CacheRules
    let clock: any ClockContract

    /// Whether an entry is fresh: younger than `freshFor` and than `maxAge`, and not marked stale. Nil for one that is
    /// older than `keepFor`: it counts as absent.
    func judge(_ entry: some CacheEntry, maxAge: Int?) -> Bool? {
        let freshFor = min(rules.freshFor ?? Int.max, maxAge ?? Int.max)
        let keepFor = rules.keepFor ?? Int.max
        if freshFor == Int.max, keepFor == Int.max { return !entry.isInvalidated }
        let age = age(of: entry)
        return age < keepFor ? !entry.isInvalidated && age < freshFor : nil
    }

    /// Whether an entry is there and fresh.
    func isFresh(_ entry: some CacheEntry, maxAge: Int?) -> Bool { judge(entry, maxAge: maxAge) == true }

    /// Whether an entry is there, fresh or not.
    func isKept(_ entry: some CacheEntry) -> Bool { judge(entry, maxAge: nil) != nil }

    /// In milliseconds. An entry from the future, after the clock was set back, has age 0.
    func age(of entry: some CacheEntry) -> Int {
        Int(clamping: max(0, clock.now().milliseconds &- entry.fetchedAt.milliseconds))
    }
}

/// An entry of the cache as its age is judged.
protocol CacheEntry: Sendable {
    var fetchedAt: Timestamp { get }
    var isInvalidated: Bool { get }
}

extension ItemEntity: CacheEntry {}

extension ItemGlance: CacheEntry {}

extension StoredPage: CacheEntry {
    var fetchedAt: Timestamp { page.fetchedAt }
    /// A page shows its items: it is as stale as any of them.
    var isInvalidated: Bool { page.isInvalidated || items.areInvalidated }
}
