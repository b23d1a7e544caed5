import JSON
import DataSources

/// One call for one thing, as its policy decides it: it is shown what the levels have, and says what comes next. It does
/// nothing itself, so that a call and its explanation run on the same decisions.
struct PolicyRun<Entry: CacheEntry> {
    /// What comes after the cache.
    enum Next {
        /// The cache answers.
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
