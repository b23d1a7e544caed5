import Catalog
import Model
import System

/// The freshness rules of one resource, which judge the age of entries.
///
/// A class rather than a struct because every decision keeps a reference to it.
final class FreshnessRule: Sendable {
    private let rules: CacheRules
    private let clock: any ClockContract

    init(rules: CacheRules, clock: any ClockContract) {
        self.rules = rules
        self.clock = clock
    }

    /// Judges an entry. It is fresh if it is younger than `freshFor` and than `maxAge`, and not marked stale.
    ///
    /// - Parameter maxAge: the age in milliseconds from which the entry is stale; nil for no limit besides `freshFor`.
    /// - Returns: whether the entry is fresh; nil if it is older than `keepFor` and counts as absent.
    func judge(_ entry: some AgedEntry, maxAge: Milliseconds?) -> Bool? {
        let isInvalidated = entry.isInvalidated
        let freshFor = min(rules.freshFor ?? Int.max, maxAge ?? Int.max)
        let keepFor = rules.keepFor ?? Int.max
        if freshFor == Int.max, keepFor == Int.max { return !isInvalidated }
        let age = age(since: entry.fetchedAt)
        return age < keepFor ? !isInvalidated && age < freshFor : nil
    }

    /// Returns whether an entry is fresh and not older than `keepFor`.
    func isFresh(_ entry: some AgedEntry, maxAge: Milliseconds?) -> Bool { judge(entry, maxAge: maxAge) == true }

    /// The fetch time that entries must exceed. Entries that were fetched at this time or earlier count as absent. Nil
    /// if no entry is too old.
    var fetchedAfter: Timestamp? {
        rules.keepFor.map { keepFor in
            let (since, overflow) = clock.now().milliseconds.subtractingReportingOverflow(Int64(keepFor))
            return Timestamp(milliseconds: overflow ? .min : since)
        }
    }

    /// Returns the age of an entry in milliseconds. If the clock was set back, an entry can have a fetch time in the
    /// future; its age is then 0.
    func age(since fetchedAt: Timestamp) -> Milliseconds {
        Int(clamping: max(0, clock.now().milliseconds &- fetchedAt.milliseconds))
    }
}
