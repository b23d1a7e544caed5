import DataSources
import Model

/// Executes cache policies for items and pages.
///
/// A class rather than a struct because every request keeps a reference to it.
final class PolicyEngine: Sendable {
    /// The resource's name.
    let resource: String
    let cache: Cache
    let freshness: FreshnessRule
    private let limit: ConcurrencyLimit
    private let background: BackgroundWork
    private let counters: ResourceCounters
    private let staleUse: StaleUse

    init(
        resource: String, cache: Cache, freshness: FreshnessRule, limit: ConcurrencyLimit, background: BackgroundWork,
        counters: ResourceCounters, staleUse: StaleUse
    ) {
        self.resource = resource
        self.cache = cache
        self.freshness = freshness
        self.limit = limit
        self.background = background
        self.counters = counters
        self.staleUse = staleUse
    }

    /// Returns the decision of a call about one entry, before any level was read.
    ///
    /// - Parameter staleUse: when a stale entry may be the answer; nil for the resource's own rule.
    func decision<Entry: AgedEntry>(_ control: CacheControl, _ staleUse: StaleUse? = nil) -> PolicyDecision<Entry> {
        PolicyDecision(control, freshness, staleUse ?? self.staleUse)
    }

    /// Decides whether an entry in memory is the answer, and counts a hit if it is.
    ///
    /// - Returns: whether the answer is stale; nil if the policy does not accept the entry.
    @inline(__always)
    func acceptAtOnce(_ entry: some AgedEntry, _ control: CacheControl) -> Bool? {
        guard let isStale = control.policy.rule.judgeFirst(entry, control.maxAge, freshness) else { return nil }
        counters.hit()
        return isStale
    }

    /// Starts a read of the shared level, if the policy accepts entries from that level and nothing else must be read
    /// first.
    ///
    /// - Returns: whether the read was started. If not, `then` is not called.
    func readShared(
        _ key: ItemKey, _ control: CacheControl,
        then: @escaping @Sendable (SharedRead<Answer<ItemEntity>>) -> Void
    ) -> Bool {
        let decision: PolicyDecision<ItemEntity> = decision(control, .ifError)
        guard decision.rule.isAnsweredByCache, decision.rule.reach == .all else { return false }
        return cache.readShared(
            key,
            isEnough: {
                var decision = decision
                return decision.take($0, from: .shared)
            },
            then: { [counters] read in
                switch read {
                case .found(let item):
                    counters.hit()
                    then(.found(Answer(item, from: .shared, isStale: false)))
                case .outdated: then(.outdated)
                case .missing: then(.missing)
                }
            })
    }

    /// Returns an answer from the cache or the remote, as the policy demands.
    ///
    /// - Parameters:
    ///   - staleUse: when a stale entry may be the answer; nil for the resource's own rule.
    ///   - skipsShared: whether the shared level was already read for this call and had no entry.
    /// - Throws: `RepositoryError` if neither the cache nor the remote can answer.
    func answer<Key: CacheKey>(
        _ key: Key, _ control: CacheControl, _ staleUse: StaleUse? = nil, skipsShared: Bool = false,
        _ fetches: FetchCoordinator<Key>, _ fetch: @escaping FetchCoordinator<Key>.Fetch
    ) async throws(RepositoryError) -> Answer<Key.Entry> {
        var decision: PolicyDecision<Key.Entry> = decision(control, staleUse)
        let rule = decision.rule
        if rule.reads != .never {
            let reach = skipsShared ? .machine : rule.reach
            await cache.read(key, within: reach, promotes: rule.isAnsweredByCache) { decision.take($0, from: $1) }
        }
        switch decision.next {
        case .answer(let answer):
            counters.hit()
            return answer
        case .refresh(let stale):
            refresh(request([Wanted(key, known: stale.value)], control, fetch), fetches)
            counters.hit()
            return stale
        case .ask(let known):
            let request = request([Wanted(key, known: known?.value)], control, fetch)
            try beginAsking(1)
            defer { endAsking() }
            return try decision.settled(await fetches.outcomes(of: request)[0]).get()
        case .notCached: throw .notCached(resource: resource)
        }
    }

    /// Counts `count` entries as misses and takes one slot of the concurrency limit. Call `endAsking` to free the slot.
    ///
    /// - Throws: `RepositoryError.busy` if no slot is free.
    func beginAsking(_ count: Int) throws(RepositoryError) {
        counters.miss(count)
        guard limit.enter() else { throw .busy(limit: limit.limit) }
    }

    func endAsking() { limit.leave() }

    /// Counts answers from the cache.
    func hit(_ count: Int) { counters.hit(count) }

    /// Returns the request to the remote for the wanted entries. The policy determines whether it is shared and stored.
    func request<Key: CacheKey>(
        _ wanted: [Wanted<Key>], _ control: CacheControl, _ fetch: @escaping FetchCoordinator<Key>.Fetch
    ) -> FetchRequest<Key> {
        let rule = control.policy.rule
        // An entry that another call has stored since is as good as a newly fetched one.
        var isEnough: (@Sendable (Key.Entry) -> Bool)?
        if rule.asks == .whenNeeded {
            isEnough = { [freshness] entry in freshness.isFresh(entry, maxAge: control.maxAge) }
        }
        return FetchRequest(wanted: wanted, isShared: rule.keeps, isEnough: isEnough, fetch: fetch)
    }

    /// Fetches a new entry in the background, at most one fetch at a time for each key.
    ///
    /// If the resource has too many refreshes under way, nothing is fetched. The next reader of the entry tries again.
    private func refresh<Key: CacheKey>(_ request: FetchRequest<Key>, _ fetches: FetchCoordinator<Key>) {
        background.start(on: request.wanted[0].key.subject) { [limit, resource] in
            await limit.refresh(of: resource) { _ = await fetches.outcomes(of: request) }
        }
    }
}
