import Model

/// When a stale entry may answer a call that may ask the remote.
enum StaleUse: Sendable {
    case never
    /// If the remote fails (RFC 5861, stale-if-error).
    case ifError
    /// At once, while a new entry is fetched in the background (RFC 5861, stale-while-revalidate), and if the remote
    /// fails.
    case whileRevalidating
}

/// The decision of one call about one entry, made by the call's policy.
///
/// The caller shows it what the levels have, and asks it for the next step. It has no side effects, so a call and its
/// explanation share the same decisions.
struct PolicyDecision<Entry: AgedEntry>: Sendable {
    /// The step after the read of the cache.
    enum Next {
        case answer(Answer<Entry>)
        /// A stale entry is the answer, and a new one is fetched in the background.
        case refresh(Answer<Entry>)
        /// The remote is asked. `known` is the cached entry to compare with the remote's, if there is one.
        case ask(known: Answer<Entry>?)
        /// There is no answer.
        case notCached
    }

    let rule: PolicyRule
    private let freshness: FreshnessRule
    private let maxAge: Int?
    private let staleUse: StaleUse
    private var nearest: Answer<Entry>?
    private var isDone = false

    init(_ control: CacheControl, _ freshness: FreshnessRule, _ staleUse: StaleUse) {
        rule = control.policy.rule
        maxAge = control.maxAge
        self.freshness = freshness
        self.staleUse = staleUse
    }

    /// Takes a level's entry into account. Memory is shown first, then the other levels in their order.
    ///
    /// - Returns: whether the remaining levels need not be read.
    mutating func take(_ entry: Entry?, from source: Source) -> Bool {
        guard !isDone, let entry, let isFresh = rule.judge(entry, maxAge, freshness) else { return isDone }
        isDone = rule.isEnough(isFresh)
        if isDone || nearest == nil { nearest = Answer(entry, from: source, isStale: !isFresh) }
        return isDone
    }

    /// The next step, once the levels were read.
    var next: Next {
        if isDone, rule.isAnsweredByCache, let nearest { return .answer(nearest) }
        if rule.asks == .never { return .notCached }
        if rule.asks == .whenNeeded, staleUse == .whileRevalidating, let nearest { return .refresh(nearest) }
        return .ask(known: nearest)
    }

    /// The cache's answer; nil if the cache has none.
    var answer: Answer<Entry>? { if case .answer(let answer) = next { answer } else { nil } }

    /// The cached entry to compare with the remote's; nil if there is none, or the remote is not asked.
    var known: Entry? { if case .ask(let known) = next { known?.value } else { nil } }

    /// Returns the call's outcome after the remote was asked: the cached entry if the remote failed and the entry may
    /// be used.
    func settled(
        _ outcome: Result<Answer<Entry>, RepositoryError>
    ) -> Result<Answer<Entry>, RepositoryError> {
        guard case .failure(let error) = outcome, let cause = error.cause, cause.fallsBackToCache,
            staleUse != .never, let nearest
        else { return outcome }
        return .success(nearest.asFallback(for: cause))
    }
}
