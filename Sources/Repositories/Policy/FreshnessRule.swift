import Catalog
import Model
import System

/// The freshness rules of one resource, which determine whether an entry is fresh, stale or too old.
// A class, because every decision keeps a reference to it.
final class FreshnessRule: Sendable {
    private let rules: CacheRules
    private let clock: any ClockContract

    init(rules: CacheRules, clock: any ClockContract) {
        self.rules = rules
        self.clock = clock
    }

    /// Returns whether an entry is fresh: younger than `freshFor` and `maxAge`, and not marked as stale. Nil if the
    /// entry is older than `keepFor`; such an entry counts as absent.
    ///
    /// - Parameter maxAge: the maximum age of a fresh entry in milliseconds; nil if only `freshFor` limits the age.
    func judge(_ entry: some AgedEntry, maxAge: Milliseconds?) -> Bool? {
        judge(entry.isInvalidated, since: entry.fetchedAt, maxAge)
    }

    /// Returns whether an entry is fresh. Its age is counted from the time at which the API confirmed the entry. Nil if
    /// this age exceeds `keepFor`.
    func judge(_ entry: some AgedEntry, confirmedAt time: Timestamp, maxAge: Milliseconds?) -> Bool? {
        judge(entry.isInvalidated, since: max(time, entry.fetchedAt), maxAge)
    }

    @inline(__always)
    private func judge(
        _ isInvalidated: Bool, since time: @autoclosure () -> Timestamp, _ maxAge: Milliseconds?
    ) -> Bool? {
        let freshFor = min(rules.freshFor ?? Int.max, maxAge ?? Int.max)
        let keepFor = rules.keepFor ?? Int.max
        if freshFor == Int.max, keepFor == Int.max { return !isInvalidated }
        let age = age(since: time())
        return age < keepFor ? !isInvalidated && age < freshFor : nil
    }

    /// Returns whether an entry is fresh and not older than `keepFor`.
    func isFresh(_ entry: some AgedEntry, maxAge: Milliseconds?) -> Bool { judge(entry, maxAge: maxAge) == true }

    /// The earliest fetch time that `keepFor` allows for a usable entry; nil if there is no `keepFor`.
    var fetchedAfter: Timestamp? {
        rules.keepFor.map { keepFor in
            let (since, overflow) = clock.now().milliseconds.subtractingReportingOverflow(Int64(keepFor))
            return Timestamp(milliseconds: overflow ? .min : since)
        }
    }

    /// Returns the age of an entry in milliseconds; 0 for a fetch time in the future.
    // The fetch time can be in the future after a change of the clock.
    func age(since fetchedAt: Timestamp) -> Milliseconds {
        Int(clamping: max(0, clock.now().milliseconds &- fetchedAt.milliseconds))
    }
}

/// The freshness that a request requires of a cached entry.
struct RequiredFreshness: Sendable {
    let rule: FreshnessRule
    /// The maximum age of the entry in milliseconds; nil if only `freshFor` limits the age.
    let maxAge: Milliseconds?

    func accepts(_ entry: some AgedEntry) -> Bool { rule.isFresh(entry, maxAge: maxAge) }
}
