import DataSources

/// Carries out the cache policies, for items and pages alike.
struct PolicyEngine: Sendable {
    let resource: String
    let rule: FreshnessRule
    let admission: Admission
    let counters: ResourceCounters
    /// Whether a stale entry is good enough to be returned while a new one is fetched.
    var revalidatesBehind: Bool
    let background: BackgroundWork

    /// The answer that memory alone may give; nil where more is to be asked.
    func cached<Entry: CacheEntry>(_ freshness: Freshness, _ memory: () -> Entry?) -> Answer<Entry>? {
        guard freshness.policy == .localFirst || freshness.policy == .localOnly else { return nil }
        return memory().flatMap { cached($0, freshness) }
    }

    /// The answer that an entry in memory may be.
    private func cached<Entry: CacheEntry>(_ entry: Entry, _ freshness: Freshness) -> Answer<Entry>? {
        guard let isFresh = rule.judge(entry, maxAge: freshness.maxAge) else { return nil }
        guard isFresh || freshness.policy == .localOnly else { return nil }
        counters.hit()
        return answer(entry, from: .memory, isStale: !isFresh)
    }

    /// The answer that the policy gives.
    func resolve<Entry>(
        _ lookup: CacheLookup<Entry>, _ freshness: Freshness
    ) async throws(RepositoryError) -> Answer<Entry> {
        switch freshness.policy {
        case .none: return try await fromRemoteAlone(lookup)
        case .localOnly: return try await localOnly(lookup, freshness)
        case .localFirst: return try await localFirst(lookup, freshness)
        case .remoteFirst: return try await fromRemote(lookup, Sharing(), standIn: await nearest(lookup))
        }
    }

    private func localFirst<Entry>(
        _ lookup: CacheLookup<Entry>, _ freshness: Freshness
    ) async throws(RepositoryError) -> Answer<Entry> {
        let near = inMemory(lookup)
        if let near, let answer = cached(near.entry, freshness) { return answer }
        let mark = lookup.mark()
        let stored = await kept(lookup.persistence)
        if let stored, rule.isFresh(stored, maxAge: freshness.maxAge) {
            lookup.promote(stored, mark)
            counters.hit()
            return answer(stored, from: .persistence, isStale: false)
        }
        let stale = near ?? stored.map { Found(entry: $0, source: .persistence) }
        let sharing = Sharing<Entry> { [rule] in rule.isFresh($0, maxAge: freshness.maxAge) }
        guard revalidatesBehind, let stale else { return try await fromRemote(lookup, sharing, standIn: stale) }
        refreshBehind(lookup, sharing, known: stale.entry)
        counters.hit()
        return answer(stale.entry, from: stale.source, isStale: true)
    }

    private func localOnly<Entry>(
        _ lookup: CacheLookup<Entry>, _ freshness: Freshness
    ) async throws(RepositoryError) -> Answer<Entry> {
        if let near = inMemory(lookup), let answer = cached(near.entry, freshness) { return answer }
        let mark = lookup.mark()
        guard let stored = await kept(lookup.persistence) else { throw .notCached(resource: resource) }
        lookup.promote(stored, mark)
        counters.hit()
        return answer(stored, from: .persistence, isStale: !rule.isFresh(stored, maxAge: freshness.maxAge))
    }

    private func fromRemoteAlone<Entry>(
        _ lookup: CacheLookup<Entry>
    ) async throws(RepositoryError) -> Answer<Entry> {
        counters.miss()
        let entry = try await admitted { () async throws(APIError) in try await lookup.fetch() }
        return answer(entry, from: .remote, isStale: false)
    }

    /// Asks the remote; where it fails in a way that lets the cache stand in, so does `standIn`.
    private func fromRemote<Entry>(
        _ lookup: CacheLookup<Entry>, _ sharing: Sharing<Entry>, standIn: Found<Entry>?
    ) async throws(RepositoryError) -> Answer<Entry> {
        counters.miss()
        var sharing = sharing
        sharing.known = standIn?.entry
        do throws(RepositoryError) {
            let found = try await admitted { [sharing] () async throws(APIError) in try await lookup.share(sharing) }
            return answer(found.entry, from: found.source, isStale: false)
        } catch {
            guard case .remote(let cause) = error, cause.fallsBackToCache, let standIn else { throw error }
            return answer(standIn.entry, from: standIn.source, isStale: true, fallback: cause)
        }
    }

    /// Nobody waits for it, and one refresh at a time is enough. Where too many requests wait on upstreams already, the
    /// next reader of the entry tries again.
    private func refreshBehind<Entry>(_ lookup: CacheLookup<Entry>, _ sharing: Sharing<Entry>, known: Entry) {
        var sharing = sharing
        sharing.known = known
        background.start(on: lookup.subject) { [self, sharing] in
            _ = try? await admitted { () async throws(APIError) in try await lookup.share(sharing) }
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

    private func kept<Entry: CacheEntry>(_ look: () async -> Entry?) async -> Entry? {
        await look().flatMap { rule.isKept($0) ? $0 : nil }
    }

    private func inMemory<Entry>(_ lookup: CacheLookup<Entry>) -> Found<Entry>? {
        lookup.memory().flatMap { rule.isKept($0) ? Found(entry: $0, source: .memory) : nil }
    }

    private func nearest<Entry>(_ lookup: CacheLookup<Entry>) async -> Found<Entry>? {
        if let near = inMemory(lookup) { return near }
        return await kept(lookup.persistence).map { Found(entry: $0, source: .persistence) }
    }

    private func answer<Entry: CacheEntry>(
        _ entry: Entry, from source: Source, isStale: Bool, fallback: APIError? = nil
    ) -> Answer<Entry> {
        Answer(value: entry, source: source, fetchedAt: entry.fetchedAt, isStale: isStale, fallback: fallback)
    }
}
