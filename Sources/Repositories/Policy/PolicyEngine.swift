import DataSources
import Model
import System

/// Executes cache policies for items and pages.
// A class, because every request keeps a reference to it.
final class PolicyEngine: Sendable {
    /// The name of the resource.
    let resource: String
    let cache: Cache
    let freshness: FreshnessRule
    private let limit: ConcurrencyLimit
    private let background: BackgroundWork
    private let counters: ResourceCounters
    private let staleUse: StaleUse
    /// The hash of the catalog's `sync` declaration. Nil if there is no `sync`, or if the API's answers with changes do
    /// not report deleted items.
    let declaration: String?

    init(
        resource: String, cache: Cache, freshness: FreshnessRule, limit: ConcurrencyLimit, background: BackgroundWork,
        counters: ResourceCounters, staleUse: StaleUse, declaration: String? = nil
    ) {
        self.resource = resource
        self.cache = cache
        self.freshness = freshness
        self.limit = limit
        self.background = background
        self.counters = counters
        self.staleUse = staleUse
        self.declaration = declaration
    }

    /// Creates the initial `PolicyDecision` for one call and one entry.
    ///
    /// - Parameter staleUse: the cases in which a stale entry may be the answer. If nil, the resource's rule applies.
    func decision<Entry: AgedEntry>(_ control: CacheControl, _ staleUse: StaleUse? = nil) -> PolicyDecision<Entry> {
        PolicyDecision(control, freshness, staleUse ?? self.staleUse)
    }

    /// Returns whether an entry in memory is stale, and counts it as a hit. Returns nil and counts nothing if the
    /// policy does not accept the entry.
    ///
    /// - Parameter acceptsStale: whether a stale entry may be accepted. If false, the caller reads the cache file
    ///   instead, because a sync of a list may have confirmed the entry there.
    @inline(__always)
    func acceptAtOnce(
        _ entry: some AgedEntry, _ control: CacheControl, acceptsStale: @autoclosure () -> Bool = true
    ) -> Bool? {
        guard let isStale = control.policy.rule.judgeFirst(entry, control.maxAge, freshness),
            !isStale || acceptsStale()
        else { return nil }
        counters.hit()
        return isStale
    }

    /// Starts a read of the shared cache level, if the policy and the cache allow it.
    ///
    /// - Returns: whether the read was started. If not, `then` is never called.
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

    /// Returns an answer from the cache or the API, according to the policy.
    ///
    /// - Parameters:
    ///   - staleUse: the cases in which a stale entry may be the answer. If nil, the resource's rule applies.
    ///   - skipsShared: whether this call has already read the shared cache level without finding an entry.
    /// - Throws: `RepositoryError` if neither the cache nor the API can answer.
    func answer<Key: CacheKey>(
        _ key: Key, _ control: CacheControl, _ staleUse: StaleUse? = nil, skipsShared: Bool = false,
        _ fetches: FetchCoordinator<Key>, _ fetch: @escaping FetchCoordinator<Key>.Fetch
    ) async throws(RepositoryError) -> Answer<Key.Entry> {
        var decision: PolicyDecision<Key.Entry> = decision(control, staleUse)
        let rule = decision.rule
        if rule.reads != .never {
            let reach = skipsShared ? .machine : rule.reach
            await cache.read(key, within: cache.firstReach(of: reach), promotes: rule.isAnsweredByCache) {
                decision.take($0, from: $1)
            }
            if decision.needsConfirmation { decision.confirm(at: await confirmation(of: key)) }
            if !decision.isDone, let rest = cache.secondReach(of: reach) {
                await cache.read(key, within: rest, promotes: rule.isAnsweredByCache) { decision.take($0, from: $1) }
            }
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
            let outcome = try await ask(request([Wanted(key, known: known?.value)], control, fetch), fetches)
            return try decision.settled(outcome).get()
        case .notCached: throw .notCached(resource: resource)
        }
    }

    /// Returns the time at which a sync of a list last confirmed an item. Nil for a page, and for an item that no sync
    /// has confirmed.
    // Not inlined, so that a read of a fresh entry needs no memory for the variables of this function.
    @inline(never)
    func confirmation<Key: CacheKey>(of key: Key) async -> Timestamp? {
        guard let key = key as? ItemKey else { return nil }
        return await confirmations(of: [key])[0]
    }

    /// Returns, for each item, the time at which a sync of a list last confirmed the item. The time is nil for an item
    /// that no sync has confirmed.
    func confirmations(of keys: [ItemKey]) async -> [Timestamp?] {
        (try? await cache.syncs?.confirmations(of: keys, declaration: declaration)) ?? keys.map { _ in nil }
    }

    /// Requests one entry from the API, within the concurrency limit.
    // Not inlined, so that a read that needs no request needs no memory for the variables of this function.
    @inline(never)
    private func ask<Key: CacheKey>(
        _ request: FetchRequest<Key>, _ fetches: FetchCoordinator<Key>
    ) async throws(RepositoryError) -> FetchCoordinator<Key>.Outcome {
        try beginAsking(1)
        defer { endAsking() }
        return await fetches.outcomes(of: request)[0]
    }

    /// Counts `count` cache misses, and admits a call that waits for the API. When the wait has ended, the caller must
    /// call `endAsking`.
    ///
    /// - Throws: `RepositoryError.busy` if the maximum number of calls is already waiting.
    func beginAsking(_ count: Int) throws(RepositoryError) {
        counters.miss(count)
        guard limit.enter() else { throw .busy(limit: limit.limit) }
    }

    func endAsking() { limit.leave() }

    /// Counts answers from the cache as hits.
    func hit(_ count: Int) { counters.hit(count) }

    /// Returns the API request for the given entries. The policy determines whether other calls share the request, and
    /// whether the cache stores the answer.
    func request<Key: CacheKey>(
        _ wanted: [Wanted<Key>], _ control: CacheControl, _ fetch: @escaping FetchCoordinator<Key>.Fetch
    ) -> FetchRequest<Key> {
        let rule = control.policy.rule
        // A request that is made only when needed also accepts an entry that another call has just fetched.
        let required = rule.asks == .whenNeeded ? RequiredFreshness(rule: freshness, maxAge: control.maxAge) : nil
        return FetchRequest(wanted: wanted, isShared: rule.keeps, required: required, fetch: fetch)
    }

    /// Fetches an entry in the background. Does nothing if a background task already fetches the entry, or if the
    /// resource has too many running refreshes.
    // The next read of the entry tries again.
    private func refresh<Key: CacheKey>(_ request: FetchRequest<Key>, _ fetches: FetchCoordinator<Key>) {
        background.start(on: request.wanted[0].key.subject) { [limit, resource] in
            await limit.refresh(of: resource) { _ = await fetches.outcomes(of: request) }
        }
    }
}
