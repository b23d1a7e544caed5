import DataSources

/// Carries out the cache policies, for items and pages alike.
struct PolicyEngine: Sendable {
    let resource: String
    let rule: FreshnessRule
    let admission: Admission
    let counters: ResourceCounters

    /// The answer that memory alone may give; nil where more is to be asked.
    func cached<Entry: CacheEntry>(_ freshness: Freshness, _ memory: () -> Entry?) -> Answer<Entry>? {
        guard freshness.policy == .localFirst || freshness.policy == .localOnly else { return nil }
        guard let entry = memory(), let isFresh = rule.judge(entry, maxAge: freshness.maxAge) else { return nil }
        guard isFresh || freshness.policy == .localOnly else { return nil }
        counters.hit()
        return answer(entry, from: .memory, isStale: !isFresh)
    }

    /// The answer that the policy gives.
    func resolve<Entry>(
        _ lookup: CacheLookup<Entry>, _ freshness: Freshness
    ) async throws(RepositoryError) -> Answer<Entry> {
        switch freshness.policy {
        case .none: return answer(try await fetch(lookup), from: .remote, isStale: false)
        case .localOnly: return try await localOnly(lookup, freshness)
        case .localFirst: return try await localFirst(lookup, freshness)
        case .remoteFirst: return try await remoteFirst(lookup, freshness)
        }
    }

    private func localFirst<Entry>(
        _ lookup: CacheLookup<Entry>, _ freshness: Freshness
    ) async throws(RepositoryError) -> Answer<Entry> {
        if let answer = cached(freshness, lookup.memory) { return answer }
        let near = nearest(lookup)
        if let stored = await kept(lookup.persistence) {
            if rule.isFresh(stored, maxAge: freshness.maxAge) {
                lookup.promote(stored)
                counters.hit()
                return answer(stored, from: .persistence, isStale: false)
            }
            return try await remote(lookup) { near ?? (stored, .persistence) }
        }
        return try await remote(lookup) { near }
    }

    private func remoteFirst<Entry>(
        _ lookup: CacheLookup<Entry>, _ freshness: Freshness
    ) async throws(RepositoryError) -> Answer<Entry> {
        try await remote(lookup) {
            if let near = nearest(lookup) { return near }
            return await kept(lookup.persistence).map { ($0, .persistence) }
        }
    }

    private func localOnly<Entry>(
        _ lookup: CacheLookup<Entry>, _ freshness: Freshness
    ) async throws(RepositoryError) -> Answer<Entry> {
        if let answer = cached(freshness, lookup.memory) { return answer }
        guard let stored = await kept(lookup.persistence) else { throw .notCached(resource: resource) }
        lookup.promote(stored)
        counters.hit()
        return answer(stored, from: .persistence, isStale: !rule.isFresh(stored, maxAge: freshness.maxAge))
    }

    /// Asks the remote and keeps what it has; where it fails in a way that lets the cache stand in, so does `standIn`.
    private func remote<Entry>(
        _ lookup: CacheLookup<Entry>, standIn: () async -> (entry: Entry, source: Source)?
    ) async throws(RepositoryError) -> Answer<Entry> {
        do throws(RepositoryError) {
            let entry = try await fetch(lookup)
            lookup.save(entry)
            return answer(entry, from: .remote, isStale: false)
        } catch {
            guard case .remote(let cause) = error else { throw error }
            if cause.kind == .notFound { lookup.forget() }
            guard cause.fallsBackToCache, let found = await standIn() else { throw error }
            return answer(found.entry, from: found.source, isStale: true, fallback: cause)
        }
    }

    private func fetch<Entry>(_ lookup: CacheLookup<Entry>) async throws(RepositoryError) -> Entry {
        counters.miss()
        guard admission.enter() else { throw .busy(limit: admission.limit) }
        defer { admission.leave() }
        do throws(APIError) {
            return try await lookup.fetch()
        } catch {
            throw .remote(error)
        }
    }

    private func kept<Entry: CacheEntry>(_ look: () async -> Entry?) async -> Entry? {
        await look().flatMap { rule.isKept($0) ? $0 : nil }
    }

    private func nearest<Entry>(_ lookup: CacheLookup<Entry>) -> (entry: Entry, source: Source)? {
        lookup.memory().flatMap { rule.isKept($0) ? ($0, .memory) : nil }
    }

    private func answer<Entry: CacheEntry>(
        _ entry: Entry, from source: Source, isStale: Bool, fallback: APIError? = nil
    ) -> Answer<Entry> {
        Answer(value: entry, source: source, fetchedAt: entry.fetchedAt, isStale: isStale, fallback: fallback)
    }
}
