import Catalog
import DataSources
import JSON
import Model
import System

/// The repository of one resource.
///
/// The repository answers each call from the cache or the API, according to the call's policy, and stores fetched
/// entries.
public final class ResourceRepository: ResourceRepositoryContract {
    /// The declaration of the resource in the catalog.
    public let resource: ResourceDefinition
    public let key: ResourceKey
    let cache: Cache
    let freshness: FreshnessRule
    /// Whether the repository fetches the items of a list by id, because the list returns incomplete items.
    private let isHydrated: Bool
    private let counters: ResourceCounters
    let engine: PolicyEngine
    let reader: RemoteReader
    private let itemFetches: FetchCoordinator<ItemKey>
    private let pageFetches: FetchCoordinator<PageKey>
    private let batch: BatchReader
    private let explainer: Explainer
    private let watch: EntryWatch
    private let remote: any RemoteDataSourceContract
    let context: RepositoryContext
    let clock: any ClockContract
    /// The API's `timeout` in milliseconds. A sync waits this long for another sync of the same list.
    let timeout: Milliseconds
    /// The repositories of recently used scopes, such as the issues of one project. The keys are the scopes' texts.
    private let scopes = Lock<[String: ResourceRepository]>([:])
    /// The maximum number of repositories in `scopes`. When it is reached, all repositories in `scopes` are removed.
    // A new repository takes only microseconds to create.
    private static let maxScopes = 1000

    /// Creates the repository of a resource.
    ///
    /// - Parameters:
    ///   - key: the part of the cache keys that identifies the resource.
    ///   - timeout: the API's `timeout` in milliseconds. A sync waits this long for another sync of the same list.
    ///   - redact: replaces secrets in a string.
    public init(
        resource: ResourceDefinition, key: ResourceKey, remote: any RemoteDataSourceContract,
        clock: any ClockContract, context: RepositoryContext, timeout: Milliseconds = 10_000,
        redact: @escaping @Sendable (String) -> String = { $0 }
    ) {
        self.timeout = timeout
        self.resource = resource
        self.key = key
        self.remote = remote
        self.context = context
        self.clock = clock
        isHydrated = resource.list?.isHydrated == true
        cache = context.cache
        freshness = FreshnessRule(rules: resource.cache, clock: clock)
        counters = ResourceCounters(onShared: context.onShared)
        engine = PolicyEngine(
            resource: resource.name, cache: cache, freshness: freshness, limit: context.limit,
            background: context.background, counters: counters,
            staleUse: resource.cache.staleWhileRevalidate ? .whileRevalidating : .ifError,
            declaration: resource.sync.flatMap { $0.elements.reportsDeletions ? $0.digest : nil })
        let reader = RemoteReader(
            resource, key: key, remote: remote, clock: clock, anomalies: AnomalyLog(warn: context.warn),
            redact: redact)
        self.reader = reader
        itemFetches = FetchCoordinator(cache: cache, counters: counters)
        pageFetches = FetchCoordinator(cache: cache, counters: counters)
        batch = BatchReader(engine: engine, reader: reader, fetches: itemFetches)
        explainer = Explainer(engine: engine, remote: remote)
        watch = EntryWatch(cache: cache, freshness: freshness, hydration: isHydrated ? batch : nil)
    }

    /// Creates the repository of one scope. All scopes of a resource share counters and fetches.
    private init(_ unscoped: ResourceRepository, _ scope: ResourceScope) {
        resource = unscoped.resource
        key = unscoped.key.scoped(scope)
        remote = unscoped.remote.scoped(scope)
        (context, cache, counters) = (unscoped.context, unscoped.cache, unscoped.counters)
        (clock, timeout) = (unscoped.clock, unscoped.timeout)
        (freshness, engine, watch) = (unscoped.freshness, unscoped.engine, unscoped.watch)
        (itemFetches, pageFetches) = (unscoped.itemFetches, unscoped.pageFetches)
        isHydrated = unscoped.isHydrated
        let reader = unscoped.reader.scoped(key, remote)
        self.reader = reader
        batch = BatchReader(engine: engine, reader: reader, fetches: itemFetches)
        explainer = Explainer(engine: engine, remote: remote)
    }

    /// Returns the repository of one scope, such as the issues of one project.
    public func scoped(_ scope: ResourceScope) -> any ResourceRepositoryContract {
        scopes.withLock { scopes in
            if let known = scopes[scope.text] { return known }
            if scopes.count >= Self.maxScopes { scopes.removeAll() }
            let repository = ResourceRepository(self, scope)
            scopes[scope.text] = repository
            return repository
        }
    }

    /// The hits and misses of the resource's cache.
    public var statistics: ResourceStatistics { counters.statistics }

    /// The hash of the resource's declaration and credentials, as 32 hexadecimal digits. Each cache key of the resource
    /// contains this hash.
    public var fingerprint: String { key.fingerprint.digits }

    /// Returns an item from memory. Nil if memory does not contain the item, or if the policy does not accept the
    /// cached item.
    // Most requests run only this function, so it copies little data.
    public func cachedItem(_ id: String, _ control: CacheControl) -> Answer<[UInt8]>? {
        guard control.policy.rule.isAnsweredByCache, let item = cache.glance(itemKey(id)),
            let isStale = engine.acceptAtOnce(
                item, control, acceptsStale: cache.syncs == nil || resource.list == nil || item.isInvalidated)
        else { return nil }
        return Answer(value: item.json, source: .memory, fetchedAt: item.fetchedAt, isStale: isStale, fallback: nil)
    }

    /// Whether `readShared` can start a read. False if there is no shared cache level, or if there is a cache file,
    /// which Larder would read first.
    public var readsSharedAtOnce: Bool { cache.readsSharedAtOnce }

    public func readShared(
        _ id: String, _ control: CacheControl, then: @escaping @Sendable (SharedRead<Answer<[UInt8]>>) -> Void
    ) -> Bool {
        guard cache.readsSharedAtOnce else { return false }
        return engine.readShared(itemKey(id), control) { read in
            switch read {
            case .found(let answer): then(.found(answer.map(\.json)))
            case .outdated: then(.outdated)
            case .missing: then(.missing)
            }
        }
    }

    /// Returns a page from memory. Nil if memory does not contain the page, or if the policy does not accept the cached
    /// page.
    public func cachedPage(_ request: PageRequest, _ control: CacheControl) -> Answer<Page>? {
        guard control.policy.rule.isAnsweredByCache, cache.isCurrent, !mayReadCopy(control),
            let stored = cache.peek(pageKey(request)), let isStale = engine.acceptAtOnce(stored, control)
        else { return nil }
        let page = Answer(stored, from: .memory, isStale: isStale).map(\.domain)
        guard isHydrated else { return page }
        return batch.answerAtOnce(page.value.ids.map(itemKey), control).map { page.with($0) }
    }

    /// Returns several items from memory. Nil if memory does not contain all items, or if the policy does not accept a
    /// cached item.
    public func cachedItems(_ ids: [String], _ control: CacheControl) -> BatchAnswer? {
        batch.answerAtOnce(ids.map(itemKey), control)
    }

    /// Returns an item from the cache or the API, according to the policy.
    public func item(
        _ id: String, _ control: CacheControl, skipsShared: Bool
    ) async throws(RepositoryError) -> Answer<[UInt8]> {
        if !cache.isCurrent { await cache.catchUp() }
        return try await engine.answer(itemKey(id), control, skipsShared: skipsShared, itemFetches, batch.fetchItems)
            .map(\.json)
    }

    /// Returns a page from the cache or the API, according to the policy.
    public func page(_ request: PageRequest, _ control: CacheControl) async throws(RepositoryError) -> Answer<Page> {
        if !cache.isCurrent { await cache.catchUp() }
        if let copied = try await copiedPage(request, control) { return copied }
        let page = try await storedPage(request, control).map(\.domain)
        return isHydrated ? page.with(try await completeItems(page.value, control)) : page
    }

    /// Returns the complete items of a page. Items whose fetch failed are listed as missing.
    private func completeItems(_ page: Page, _ control: CacheControl) async throws(RepositoryError) -> BatchAnswer {
        try await batch.answer(page.ids.map(itemKey), control, isPart: true) { _, _ in }
    }

    /// Returns several items from the cache or the API, according to the policy.
    public func items(
        _ ids: [String], _ control: CacheControl, onProgress: @Sendable (_ done: Int, _ total: Int) -> Void
    ) async throws(RepositoryError) -> BatchAnswer {
        if !cache.isCurrent { await cache.catchUp() }
        return try await batch.answer(ids.map(itemKey), control, onProgress: onProgress)
    }

    /// Reads a list page by page, so that the cache contains the whole list.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of pages; nil for all pages.
    ///   - control: the required freshness of the pages. The policy `localOnly` allows no fetches.
    ///   - onPage: called after each page with the number of pages so far, and the total number if it is known.
    public func prefetch(
        filters: [PageRequest.Filter], limit: Int?, _ control: CacheControl,
        onPage: @Sendable (_ done: Int, _ total: Int?) -> Void
    ) async throws(RepositoryError) -> PrefetchAnswer {
        if !cache.isCurrent { await cache.catchUp() }
        let first = resource.list?.firstPage ?? .first
        let isUnpaginated = resource.list?.pagination.style is SinglePage
        let walk = ListPrefetcher(first: first, filters: filters, limit: limit, knowsItsEnd: !isUnpaginated) {
            [self] (request) async throws(RepositoryError) in
            let found = try await storedPage(request, control, .never)
            guard isHydrated else {
                return ListPrefetcher.Step(answer: found, items: found.value.items.count, isWhole: true)
            }
            let complete = try await completeItems(found.value.domain, control)
            return ListPrefetcher.Step(answer: found, items: complete.items.count, isWhole: complete.isWhole)
        }
        return try await walk.run(onPage: onPage)
    }

    /// Searches the resource's cached items of any age. Makes no requests.
    public func search(
        _ text: String?, filters: [PageRequest.Filter], scope: ScopeNarrowing?, limit: Int, offset: Int
    ) async throws(LocalDataError) -> SearchHits {
        var hits = try await cache.search(
            query(in: scope, text: text, filters: filters, limit: limit, offset: offset))
        let wholeList = SyncSet(resource: key, list: PageRequest().canonicalList)
        hits.syncedAt = (try? await cache.syncs?.syncedAt(of: wholeList)) ?? nil
        return hits
    }

    /// Returns a query for the resource's cached items that are not older than `keepFor`.
    private func query(
        in scope: ScopeNarrowing?, text: String? = nil, filters: [PageRequest.Filter] = [], idPrefix: String? = nil,
        limit: Int, offset: Int = 0
    ) -> SearchQuery {
        SearchQuery(
            resource: key, scope: scope, text: text, filters: filters, idPrefix: idPrefix,
            fetchedAfter: freshness.fetchedAfter, declaration: engine.declaration, limit: limit, offset: offset)
    }

    public func ids(
        matching text: String, scope: ScopeNarrowing?, limit: Int
    ) async throws(LocalDataError) -> [String] {
        var keys = try await cache.search(
            query(in: scope, idPrefix: text, limit: limit)
        ).keys
        if keys.isEmpty, !text.isEmpty {
            keys = try await search(text, filters: [], scope: scope, limit: limit, offset: 0).keys
        }
        var ids: [String] = []
        // The same id may exist in several scopes.
        for key in keys where !ids.contains(key.id) { ids.append(key.id) }
        return Array(ids.prefix(limit))
    }

    public func scopeValues(
        of name: String, scope: ScopeNarrowing
    ) async throws(LocalDataError) -> [String] {
        // The limit keeps the search fast. The result omits scopes to which none of the first 1000 items belongs.
        let hits = try await cache.search(query(in: scope, limit: 1000))
        var values: [String] = []
        for key in hits.keys {
            let text = key.resource.name.dropFirst(key.resource.resourceName.count)
            guard let value = (try? JSONValue(parsing: String(text)))?[name]?.plainText, !values.contains(value) else {
                continue
            }
            values.append(value)
        }
        return values
    }

    /// Observes an item. Returns a function that stops the observation.
    public func observeItem(
        _ id: String, since known: LastSeen, tell: @escaping @Sendable (Observation) -> Void
    ) async -> @Sendable () -> Void {
        await watch.observe(itemKey(id), since: known, tell: tell)
    }

    /// Observes a page and its items. Returns a function that stops the observation.
    public func observePage(
        _ request: PageRequest, since known: LastSeen, tell: @escaping @Sendable (Observation) -> Void
    ) async -> @Sendable () -> Void {
        await watch.observe(pageKey(request), since: known, tell: tell)
    }

    /// Returns the steps and requests that a call of `item` would need. Does not make the call.
    public func explainItem(_ id: String, _ control: CacheControl) async -> Explanation {
        await explainer.explain(id, itemKey(id), control, itemFetches, .item(id))
    }

    /// Returns the steps and requests that a call of `page` would need. Does not make the call.
    public func explainPage(_ request: PageRequest, _ control: CacheControl) async -> Explanation {
        await explainer.explain(request.canonical, pageKey(request), control, pageFetches, .page(request))
    }

    /// Returns the steps and requests that a call of `items` would need. Does not make the call.
    public func explainItems(_ ids: [String], _ control: CacheControl) async -> Explanation {
        await explainer.explain(ids.map(itemKey), control, batch)
    }

    private func itemKey(_ id: String) -> ItemKey { ItemKey(resource: key, id: id) }

    private func pageKey(_ request: PageRequest) -> PageKey { PageKey(resource: key, request) }

    private var adjacentPages: AdjacentPages {
        AdjacentPages(cache: cache, key: key, style: resource.list?.pagination.style ?? SinglePage())
    }

    private func storedPage(
        _ request: PageRequest, _ control: CacheControl, _ staleUse: StaleUse? = nil
    ) async throws(RepositoryError) -> Answer<StoredPage> {
        // The policy `none` reads no cached pages, so there is no previous page for a comparison.
        let pages = control.policy == .none ? nil : adjacentPages
        return try await engine.answer(pageKey(request), control, staleUse, pageFetches) { [reader] wanted in
            await reader.fetch(request, wanted[0], beside: pages)
        }
    }
}

extension StoredPage {
    /// This stored page as a `Page`, the type that callers of the repository get.
    var domain: Page { Page(ids: page.ids, items: items.texts, info: page.info) }
}

extension ResourceRepositoryContract {
    /// Returns an item as one JSON object, from any level of the cache or from the API.
    public func item(_ id: String, _ control: CacheControl) async throws(RepositoryError) -> Answer<[UInt8]> {
        try await item(id, control, skipsShared: false)
    }
}
