import Catalog
import DataSources
import JSON
import Model
import System

/// One call for one thing, as its policy decides it: it is shown what the levels have, and says what comes next. It
/// does nothing itself, so that a call and its explanation run on the same decisions.
struct PolicyRun<Entry: CacheEntry> {
    /// What comes after the cache.
    enum Next {
        case answer(Answer<Entry>)
        /// A stale entry is the answer, and a new one is fetched behind.
        case refreshBehind(Answer<Entry>)
        /// The remote is asked; the entry that is there may stand in.
        case ask(standIn: Answer<Entry>?)
        /// The remote is asked for this call alone, and nothing is kept.
        case askAlone
        /// There is no answer.
        case notCached
    }

    let row: PolicyRow
    private let rule: FreshnessRule
    private let maxAge: Int?
    private let revalidatesBehind: Bool
    private var nearest: Answer<Entry>?
    private var isDone = false

    init(_ control: CacheControl, _ rule: FreshnessRule, revalidatesBehind: Bool) {
        row = control.policy.row
        self.rule = rule
        maxAge = control.maxAge
        self.revalidatesBehind = revalidatesBehind
    }

    /// Looks at what a level has. The levels come nearest first.
    ///
    /// - Returns: whether the levels after it need not be asked.
    mutating func take(_ entry: Entry?, from source: Source) -> Bool {
        guard !isDone, row.reads != .never, let entry, let isFresh = rule.judge(entry, maxAge: maxAge) else {
            return isDone
        }
        isDone = row.isEnough(isFresh)
        if isDone || nearest == nil { nearest = Answer(entry, from: source, isStale: !isFresh) }
        return isDone
    }

    /// What is to be done once the levels were looked at.
    var next: Next {
        if isDone, row.isAnsweredByCache, let nearest { return .answer(nearest) }
        if row.asks == .never { return .notCached }
        guard row.keeps else { return .askAlone }
        if row.asks == .whenNeeded, revalidatesBehind, let nearest { return .refreshBehind(nearest) }
        return .ask(standIn: nearest)
    }

    /// The cache's answer, where it has one.
    var answer: Answer<Entry>? { if case .answer(let answer) = next { answer } else { nil } }

    /// What may stand in for a remote that fails.
    var standIn: Answer<Entry>? { if case .ask(let standIn) = next { standIn } else { nil } }
}

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
