import DataSources
import System

/// Judges the age of entries.
struct FreshnessRule: Sendable {
    let rules: CacheRules
    let clock: any ClockContract

    /// Whether an entry is fresh: younger than `freshFor` and than `maxAge`, and not marked stale. Nil for one that is
    /// older than `keepFor`: it counts as absent.
    func judge(_ entry: some CacheEntry, maxAge: Int?) -> Bool? {
        judge(fetchedAt: entry.fetchedAt, isInvalidated: entry.isInvalidated, maxAge: maxAge)
    }

    /// The same for what is known of an entry.
    func judge(fetchedAt: Timestamp, isInvalidated: Bool, maxAge: Int?) -> Bool? {
        let freshFor = min(rules.freshFor ?? Int.max, maxAge ?? Int.max)
        let keepFor = rules.keepFor ?? Int.max
        if freshFor == Int.max, keepFor == Int.max { return !isInvalidated }
        let age = age(since: fetchedAt)
        return age < keepFor ? !isInvalidated && age < freshFor : nil
    }

    /// Whether an entry is there and fresh.
    func isFresh(_ entry: some CacheEntry, maxAge: Int?) -> Bool { judge(entry, maxAge: maxAge) == true }

    /// What came at this moment or before counts as absent now; nil where everything counts.
    var keptSince: Timestamp? {
        rules.keepFor.map { keepFor in
            let (since, overflow) = clock.now().milliseconds.subtractingReportingOverflow(Int64(keepFor))
            return Timestamp(milliseconds: overflow ? .min : since)
        }
    }

    /// In milliseconds. An entry from the future, after the clock was set back, has age 0.
    func age(since fetchedAt: Timestamp) -> Int {
        Int(clamping: max(0, clock.now().milliseconds &- fetchedAt.milliseconds))
    }
}
