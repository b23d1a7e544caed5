import Model

/// The cases in which a stale entry may be the answer, although the policy allows a request to the remote.
enum StaleUse: Sendable {
    case never
    /// If the remote fails (RFC 5861, stale-if-error).
    case ifError
    /// At once, while a new entry is fetched in the background (RFC 5861, stale-while-revalidate), and if the remote
    /// fails.
    case whileRevalidating
}

/// Decides for one call and one entry whether the cache answers or the remote is asked.
///
/// The caller passes the entry of each level to `take`, and then reads `next`. A decision has no side effects, so that
/// the explanation of a call can use the same decisions as the call.
struct PolicyDecision<Entry: AgedEntry>: Sendable {
    /// The step after the read of the cache.
    enum Next {
        case answer(Answer<Entry>)
        /// A stale entry is the answer, and a new one is fetched in the background.
        case refresh(Answer<Entry>)
        /// The remote is asked. `known` is the cached entry that the remote may confirm as unchanged; nil if there is
        /// none.
        case ask(known: Answer<Entry>?)
        /// Nothing suitable is cached, and the policy forbids a request.
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

    /// Considers the entry of one level. The entry of memory must be passed first, then those of the lower levels in
    /// their order.
    ///
    /// - Returns: whether the remaining levels need not be read.
    mutating func take(_ entry: Entry?, from source: Source) -> Bool {
        guard !isDone, let entry, let isFresh = rule.judge(entry, maxAge, freshness) else { return isDone }
        isDone = rule.isEnough(isFresh)
        if isDone || nearest == nil { nearest = Answer(entry, from: source, isStale: !isFresh) }
        return isDone
    }

    /// The next step, after the levels were read.
    var next: Next {
        if isDone, rule.isAnsweredByCache, let nearest { return .answer(nearest) }
        if rule.asks == .never { return .notCached }
        if rule.asks == .whenNeeded, staleUse == .whileRevalidating, let nearest { return .refresh(nearest) }
        return .ask(known: nearest)
    }

    /// The cache's answer; nil if the cache has none.
    var answer: Answer<Entry>? { if case .answer(let answer) = next { answer } else { nil } }

    /// The cached entry that the remote may confirm as unchanged. Nil if there is none, or if the remote is not asked.
    var known: Entry? { if case .ask(let known) = next { known?.value } else { nil } }

    /// Returns the call's outcome after the remote was asked. If the remote failed and the cached entry may be used,
    /// the outcome is the cached entry.
    func settled(
        _ outcome: Result<Answer<Entry>, RepositoryError>
    ) -> Result<Answer<Entry>, RepositoryError> {
        guard case .failure(let error) = outcome, let cause = error.cause, cause.fallsBackToCache,
            staleUse != .never, let nearest
        else { return outcome }
        return .success(nearest.asFallback(for: cause))
    }
}
