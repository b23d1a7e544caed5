import DataSources
import JSON
import Model

/// Carries out what the policies decide, for items and pages alike.
///
/// A class, as `RemoteReader` is: each request holds it.
final class PolicyEngine: Sendable {
    /// The resource's name.
    let resource: String
    let cache: Cache
    let rule: FreshnessRule
    let admission: Admission
    let background: BackgroundWork
    let counters: ResourceCounters
    /// Whether a stale entry is good enough to be returned while a new one is fetched.
    let revalidatesBehind: Bool

    init(
        resource: String, cache: Cache, rule: FreshnessRule, admission: Admission, background: BackgroundWork,
        counters: ResourceCounters, revalidatesBehind: Bool
    ) {
        self.resource = resource
        self.cache = cache
        self.rule = rule
        self.admission = admission
        self.background = background
        self.counters = counters
        self.revalidatesBehind = revalidatesBehind
    }

    /// What decides one call for one thing.
    ///
    /// - Parameter waits: whether a new entry is waited for also where a stale one could be returned at once.
    func run<Entry>(_ control: CacheControl, waits: Bool) -> PolicyRun<Entry> {
        PolicyRun(control, rule, revalidatesBehind: revalidatesBehind && !waits)
    }

    /// The answer that memory alone may give; nil where more is to be asked.
    func answerAtOnce<Key: CacheKey>(_ key: Key, _ control: CacheControl) -> Answer<Key.Entry>? {
        guard control.policy.row.isAnsweredByCache, cache.isCurrent else { return nil }
        var run: PolicyRun<Key.Entry> = run(control, waits: true)
        guard run.take(cache.peek(key), from: .memory) else { return nil }
        counters.hit()
        return run.answer
    }

    /// The answer that the policy gives.
    ///
    /// - Parameters:
    ///   - waits: see `run`.
    ///   - skipsShared: whether the shared level was read for this call already and had no entry.
    ///   - fetch: asks the remote; with an entry, whether that has changed.
    func answer<Key: CacheKey>(
        _ key: Key, _ control: CacheControl, waits: Bool = false, skipsShared: Bool = false,
        _ fetches: EntryFetches<Key>,
        fetch: @escaping EntryFetches<Key>.Fetch
    ) async throws(RepositoryError) -> Answer<Key.Entry> {
        var run: PolicyRun<Key.Entry> = run(control, waits: waits)
        if run.row.reads != .never {
            let reach = skipsShared ? .machine : run.row.reach
            await cache.read(key, within: reach, promotes: run.row.isAnsweredByCache) {
                run.take($0, from: $1)
            }
        }
        switch run.next {
        case .answer(let answer):
            counters.hit()
            return answer
        case .refreshBehind(let stale):
            refreshBehind(key, control, fetches, known: stale.value, fetch)
            counters.hit()
            return stale
        case .ask(let standIn):
            counters.miss()
            do throws(RepositoryError) {
                return try await admitted { () async throws(APIError) in
                    try await fetches.entry(key, known: standIn?.value, isEnough: isEnough(control), fetch)
                }
            } catch {
                guard case .remote(let cause) = error, cause.fallsBackToCache, let standIn else { throw error }
                return standIn.standingIn(for: cause)
            }
        case .askAlone:
            counters.miss()
            return Answer(
                try await admitted { () async throws(APIError) in try await fetch(nil).entry }, from: .remote,
                isStale: false)
        case .notCached: throw .notCached(resource: resource)
        }
    }

    /// Which entry is as good as a new one, when it came while the call was on its way to the remote; nil where none
    /// is.
    func isEnough<Entry: CacheEntry>(_ control: CacheControl) -> (@Sendable (Entry) -> Bool)? {
        guard control.policy.row.asks == .whenNeeded else { return nil }
        return { [rule] in rule.isFresh($0, maxAge: control.maxAge) }
    }

    /// Nobody waits for it, and one refresh at a time is enough. Where too many of the resource wait already,
    /// the next reader of the entry tries again.
    private func refreshBehind<Key: CacheKey>(
        _ key: Key, _ control: CacheControl, _ fetches: EntryFetches<Key>, known: Key.Entry,
        _ fetch: @escaping EntryFetches<Key>.Fetch
    ) {
        background.start(on: key.subject) { [self] in
            await admission.refresh(of: resource) {
                _ = try? await fetches.entry(key, known: known, isEnough: isEnough(control), fetch)
            }
        }
    }

    private func admitted<Value>(
        _ fetch: () async throws(APIError) -> Value
    ) async throws(RepositoryError) -> Value {
        guard admission.enter() else { throw .busy(limit: admission.limit) }
        defer { admission.leave() }
        do throws(APIError) {
            return try await fetch()
        } catch {
            throw .remote(error)
        }
    }
}
