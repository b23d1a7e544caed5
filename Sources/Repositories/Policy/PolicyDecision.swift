import Model
import System

/// The rule for stale entries: a call never returns them, returns them only if the API fails, or also returns them
/// while a background task fetches new entries.
enum StaleUse: Sendable {
    case never
    /// The call returns a stale entry if the API fails (RFC 5861, stale-if-error).
    case ifError
    /// A call with the policy `localFirst` returns a stale entry at once, while a background task fetches a new entry
    /// (RFC 5861, stale-while-revalidate). A call with the policy `remoteFirst` waits for the API, and returns a stale
    /// entry only if the API fails.
    case whileRevalidating
}

/// Decides for one call and one entry whether the answer comes from the cache or the API.
///
/// The caller passes the entry of each cache level to `take`, and then reads `next`. A decision has no side effects.
// The explanation of a call uses the same decisions as the call.
struct PolicyDecision<Entry: AgedEntry>: Sendable {
    /// The next step of a call after the read of the cache.
    enum Next {
        case answer(Answer<Entry>)
        /// The answer is a stale entry, and a background task fetches a new entry.
        case refresh(Answer<Entry>)
        /// The call needs a request to the API. `known` is the cached entry that the API may confirm as unchanged; nil
        /// if there is none.
        case ask(known: Answer<Entry>?)
        /// The cache has no entry that the policy accepts, and the policy forbids a request.
        case notCached
    }

    let rule: PolicyRule
    private let freshness: FreshnessRule
    private let maxAge: Int?
    private let staleUse: StaleUse
    private var nearest: Answer<Entry>?
    /// Whether an entry is the answer, so that the caller need not read further cache levels.
    private(set) var isDone = false
    /// The first entry passed to `take` that is too old to be fresh, with its source. If a sync of a list has confirmed
    /// this entry after its fetch, the entry can still be the answer.
    private var aged: (entry: Entry, source: Source)?

    init(_ control: CacheControl, _ freshness: FreshnessRule, _ staleUse: StaleUse) {
        rule = control.policy.rule
        maxAge = control.maxAge
        self.freshness = freshness
        self.staleUse = staleUse
    }

    /// Considers the entry of one cache level. The caller must start with memory and continue with the lower levels in
    /// their order.
    ///
    /// - Returns: true if the caller need not read the remaining levels.
    mutating func take(_ entry: Entry?, from source: Source) -> Bool {
        guard !isDone, let entry, rule.reads != .never else { return isDone }
        let freshness = freshness.judge(entry, maxAge: maxAge)
        if freshness != true, aged == nil, !entry.isInvalidated { aged = (entry, source) }
        guard let isFresh = freshness else { return false }
        isDone = rule.isEnough(isFresh)
        if isDone || nearest == nil { nearest = Answer(entry, from: source, isStale: !isFresh) }
        return isDone
    }

    /// Whether the answer depends on the local copies of lists. If so, the caller must call `confirm`.
    var needsConfirmation: Bool { aged != nil && nearest?.isStale != false && rule.isAnsweredByCache }

    /// Applies the policy again to an entry that seemed too old. The age of the entry is now counted from its
    /// confirmation by a sync of a list.
    ///
    /// - Parameter time: the time of the confirmation. If nil, the decision does not change.
    mutating func confirm(at time: Timestamp?) {
        guard let time, let aged, needsConfirmation, aged.entry.fetchedAt < time,
            let isFresh = freshness.judge(aged.entry, confirmedAt: time, maxAge: maxAge)
        else { return }
        isDone = rule.isEnough(isFresh)
        nearest = Answer(aged.entry, from: aged.source, isStale: !isFresh, syncedAt: time)
    }

    /// The next step of the call. Read it after the last call of `take` or `confirm`.
    var next: Next {
        if isDone, rule.isAnsweredByCache, let nearest { return .answer(nearest) }
        if rule.asks == .never { return .notCached }
        if rule.asks == .whenNeeded, staleUse == .whileRevalidating, let nearest { return .refresh(nearest) }
        return .ask(known: nearest)
    }

    /// The answer if `next` is `.answer`; otherwise nil.
    var answer: Answer<Entry>? { if case .answer(let answer) = next { answer } else { nil } }

    /// The cached entry that the API may confirm as unchanged. Nil if there is no such entry, or if the call makes no
    /// request.
    var known: Entry? { if case .ask(let known) = next { known?.value } else { nil } }

    /// Returns the outcome of a call after its request to the API. After a failed request, the outcome is the cached
    /// entry if the policy permits a stale answer.
    func settled(
        _ outcome: Result<Answer<Entry>, RepositoryError>
    ) -> Result<Answer<Entry>, RepositoryError> {
        guard case .failure(let error) = outcome, let cause = error.cause, cause.fallsBackToCache,
            staleUse != .never, let nearest
        else { return outcome }
        return .success(nearest.asFallback(for: cause))
    }
}
