import Catalog
import DataSources
import JSON
import Model
import System

/// The repository of one resource: what the cache answers, what the remote is asked for, and what is kept of that, by
/// the policy of each call.
public final class ResourceRepository: ResourceRepositoryContract {
    /// The resource as the catalog declares it.
    public let resource: ResourceDefinition
    private let key: ResourceKey
    private let cache: Cache
    private let rule: FreshnessRule
    /// Whether lists give the whole items.
    private let isHydrated: Bool
    private let counters: ResourceCounters
    private let engine: PolicyEngine
    private let reader: RemoteReader
    private let itemFetches: EntryFetches<ItemKey>
    private let pageFetches: EntryFetches<PageKey>
    private let many: ManyItems
    private let explainer: Explainer
    private let watch: EntryWatch
    private let neighbours: Neighbours
    private let remote: any RemoteDataSourceContract
    private let shared: Shared
    /// The repositories of scopes that were asked for lately, by the scope's text.
    private let scopes = Lock<[String: ResourceRepository]>([:])
    /// How many of them are kept: to make one anew costs some microseconds.
    private static let mostScopes = 1000

    /// What all repositories of a process share.
    public struct Shared: Sendable {
        public let cache: Cache
        /// Limits how many requests wait on upstreams.
        public let admission: Admission
        /// Refreshes that nobody waits for.
        public let background: BackgroundWork

        /// Called, where fetches under way are joined, with how many. Inside a lock: it should return soon.
        let onShared: @Sendable (Int) -> Void
        /// Tells a person of what is strange and no error.
        let warn: @Sendable (String) -> Void

        /// What is shared, with a limit of requests that wait on upstreams.
        public init(
            cache: Cache, limit: Int, background: BackgroundWork = BackgroundWork(),
            onShared: @escaping @Sendable (Int) -> Void = { _ in },
            warn: @escaping @Sendable (String) -> Void = { _ in }
        ) {
            self.cache = cache
            admission = Admission(limit: limit)
            self.background = background
            self.onShared = onShared
            self.warn = warn
        }
    }

    /// A repository of what this remote has.
    ///
    /// - Parameter redact: takes secrets out of a text.
    public init(
        resource: ResourceDefinition, key: ResourceKey, remote: any RemoteDataSourceContract,
        clock: any ClockContract, shared: Shared, redact: @escaping @Sendable (String) -> String = { $0 }
    ) {
        self.resource = resource
        self.key = key
        self.remote = remote
        self.shared = shared
        isHydrated = resource.list?.isHydrated == true
        cache = shared.cache
        rule = FreshnessRule(rules: resource.cache, clock: clock)
        counters = ResourceCounters(onShared: shared.onShared)
        engine = PolicyEngine(
            resource: resource.name, cache: cache, rule: rule, admission: shared.admission,
            background: shared.background, counters: counters,
            revalidatesBehind: resource.cache.staleWhileRevalidate)
        reader = RemoteReader(
            resource, key: key, remote: remote, clock: clock, oddities: Oddities(warn: shared.warn),
            redact: redact)
        itemFetches = EntryFetches(cache: cache, counters: counters)
        pageFetches = EntryFetches(cache: cache, counters: counters)
        many = ManyItems(engine: engine, reader: reader, fetches: itemFetches)
        explainer = Explainer(engine: engine, remote: remote)
        watch = EntryWatch(cache: cache, rule: rule, hydration: isHydrated ? many : nil)
        neighbours = Neighbours(cache: cache, key: key, style: resource.list?.pagination.style ?? SinglePage())
    }

    /// That of one scope of a resource. It counts and fetches together with all others of the resource.
    private init(_ whole: ResourceRepository, _ scope: ResourceScope) {
        resource = whole.resource
        key = whole.key.scoped(scope)
        remote = whole.remote.scoped(scope)
        (shared, cache, rule, counters) = (whole.shared, whole.cache, whole.rule, whole.counters)
        (engine, watch) = (whole.engine, whole.watch)
        (itemFetches, pageFetches) = (whole.itemFetches, whole.pageFetches)
        isHydrated = whole.isHydrated
        reader = whole.reader.scoped(key, remote)
        neighbours = Neighbours(cache: cache, key: key, style: resource.list?.pagination.style ?? SinglePage())
        many = ManyItems(engine: engine, reader: reader, fetches: itemFetches)
        explainer = Explainer(engine: engine, remote: remote)
    }

    /// The repository of one scope: of the items that have these parents.
    public func scoped(_ scope: ResourceScope) -> any ResourceRepositoryContract {
        scopes.withLock { scopes in
            if let known = scopes[scope.text] { return known }
            if scopes.count >= Self.mostScopes { scopes.removeAll() }
            let repository = ResourceRepository(self, scope)
            scopes[scope.text] = repository
            return repository
        }
    }

    /// How often the cache could answer.
    public var statistics: ResourceStatistics { counters.statistics }

    /// Under what the resource's entries are kept, besides their own names: 128 bits in hexadecimal digits.
    public var fingerprint: String { key.fingerprint.digits }

    /// An item, if the policy lets memory alone answer. It is the fast way: as little as can be is copied.
    public func cachedItem(_ id: String, _ control: CacheControl) -> Answer<[UInt8]>? {
        let row = control.policy.row
        guard row.isAnsweredByCache, let item = cache.glance(itemKey(id)) else { return nil }
        let isFresh = rule.judge(
            fetchedAt: item.fetchedAt, isInvalidated: item.isInvalidated, maxAge: control.maxAge)
        guard row.isEnough(isFresh) else { return nil }
        counters.hit()
        return Answer(
            value: item.json, source: .memory, fetchedAt: item.fetchedAt, isStale: isFresh != true, fallback: nil)
    }

    /// Starts to read an item from the shared level, if the policy reads it next and lets it alone answer.
    public func readShared(
        _ id: String, _ control: CacheControl, then: @escaping @Sendable (SharedRead<Answer<[UInt8]>>) -> Void
    ) -> Bool {
        let row = control.policy.row
        guard row.isAnsweredByCache, row.reach == .all else { return false }
        let isEnough: @Sendable (ItemEntity) -> Bool = { [rule] in
            row.isEnough(rule.judge($0, maxAge: control.maxAge))
        }
        return cache.readShared(itemKey(id), isEnough: isEnough) { [counters] read in
            switch read {
            case .found(let item):
                counters.hit()
                then(.found(Answer(item, from: .shared, isStale: false).map(\.json)))
            case .outdated: then(.outdated)
            case .missing: then(.missing)
            }
        }
    }

    /// A page, if the policy lets memory alone answer.
    public func cachedPage(_ request: PageRequest, _ control: CacheControl) -> Answer<Page>? {
        guard let page = engine.answerAtOnce(pageKey(request), control)?.map(\.domain) else { return nil }
        guard isHydrated else { return page }
        return many.answerAtOnce(page.value.ids.map(itemKey), control).map { page.with($0) }
    }

    /// Several items, if the policy lets memory alone answer.
    public func cachedItems(_ ids: [String], _ control: CacheControl) -> ManyAnswer? {
        many.answerAtOnce(ids.map(itemKey), control)
    }

    /// An item by the policy.
    public func item(
        _ id: String, _ control: CacheControl, skipsShared: Bool
    ) async throws(RepositoryError) -> Answer<[UInt8]> {
        await cache.catchUp()
        let key = itemKey(id)
        return try await engine.answer(key, control, skipsShared: skipsShared, itemFetches) {
            [reader] (known) async throws(APIError) in
            Fetched(entry: try await reader.item(key, known: known))
        }.map(\.json)
    }

    /// A page by the policy.
    public func page(_ request: PageRequest, _ control: CacheControl) async throws(RepositoryError) -> Answer<Page> {
        await cache.catchUp()
        let page = try await page(request, control, waits: false).map(\.domain)
        return isHydrated ? page.with(try await whole(page.value, control)) : page
    }

    /// The whole items of a page, as far as they can be had.
    private func whole(_ page: Page, _ control: CacheControl) async throws(RepositoryError) -> ManyAnswer {
        try await many.answer(page.ids.map(itemKey), control, isPart: true) { _, _ in }
    }

    /// Several items by the policy.
    public func items(
        _ ids: [String], _ control: CacheControl, onProgress: @Sendable (_ done: Int, _ total: Int) -> Void
    ) async throws(RepositoryError) -> ManyAnswer {
        await cache.catchUp()
        return try await many.answer(ids.map(itemKey), control, onProgress: onProgress)
    }

    /// Walks over a list, page by page, so that all of it is kept.
    ///
    /// - Parameters:
    ///   - limit: how many pages at most; nil is all.
    ///   - control: how fresh the pages must be; with `localOnly` it is only seen whether all is there.
    ///   - onPage: called after each page with how many there have been, and how many there will be if that is known.
    public func prefetch(
        filters: [PageRequest.Filter], limit: Int?, _ control: CacheControl,
        onPage: @Sendable (_ done: Int, _ total: Int?) -> Void
    ) async throws(RepositoryError) -> PrefetchAnswer {
        await cache.catchUp()
        let first = resource.list?.firstPage ?? .first
        let isUnpaginated = resource.list?.pagination.style is SinglePage
        let walk = ListWalk(first: first, filters: filters, limit: limit, knowsItsEnd: !isUnpaginated) {
            [self] (request) async throws(RepositoryError) in
            let found = try await page(request, control, waits: true)
            guard isHydrated else { return ListWalk.Step(answer: found, items: found.value.items.count, isWhole: true) }
            let whole = try await whole(found.value.domain, control)
            return ListWalk.Step(answer: found, items: whole.items.count, isWhole: whole.isWhole)
        }
        return try await walk.run(onPage: onPage)
    }

    /// What is cached of this resource, whatever its age, and the network never asked.
    public func search(
        _ text: String?, filters: [PageRequest.Filter], scope: ScopeNarrowing?, limit: Int, offset: Int
    ) async throws(LocalDataError) -> SearchHits {
        try await cache.search(
            SearchQuery(
                resource: key, scope: scope, text: text, filters: filters, keptSince: rule.keptSince, limit: limit,
                offset: offset))
    }

    public func ids(
        matching text: String, scope: ScopeNarrowing?, limit: Int
    ) async throws(LocalDataError) -> [String] {
        let named = try await cache.search(
            SearchQuery(resource: key, scope: scope, idPrefix: text, keptSince: rule.keptSince, limit: limit))
        var ids: [String] = []
        // Of all scopes one id may come several times.
        for key in named.keys where !ids.contains(key.id) { ids.append(key.id) }
        if ids.count < limit, !text.isEmpty {
            let found = try await search(text, filters: [], scope: scope, limit: limit, offset: 0)
            for key in found.keys where !ids.contains(key.id) { ids.append(key.id) }
        }
        return Array(ids.prefix(limit))
    }

    public func scopeValues(
        of name: String, scope: ScopeNarrowing
    ) async throws(LocalDataError) -> [String] {
        // Scopes of which nothing is among so many items are rarely those that somebody looks for.
        let hits = try await cache.search(
            SearchQuery(resource: key, scope: scope, keptSince: rule.keptSince, limit: 1000))
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

    /// Watches an item, whoever changes it: a refresh, another request, another process.
    public func observeItem(
        _ id: String, since known: KnownContents, tell: @escaping @Sendable (Observation) -> Void
    ) async -> @Sendable () -> Void {
        await watch.observe(itemKey(id), since: known, tell: tell)
    }

    /// Watches a page and the items that it shows.
    public func observePage(
        _ request: PageRequest, since known: KnownContents, tell: @escaping @Sendable (Observation) -> Void
    ) async -> @Sendable () -> Void {
        await watch.observe(pageKey(request), since: known, tell: tell)
    }

    /// What `item` would do.
    public func explainItem(_ id: String, _ control: CacheControl) async -> Explanation {
        await explainer.explain(id, itemKey(id), control, itemFetches, .item(id))
    }

    /// What `page` would do.
    public func explainPage(_ request: PageRequest, _ control: CacheControl) async -> Explanation {
        await explainer.explain(request.canonical, pageKey(request), control, pageFetches, .page(request))
    }

    /// What `items` would do.
    public func explainItems(_ ids: [String], _ control: CacheControl) async -> Explanation {
        await explainer.explain(ids.map(itemKey), control, many)
    }

    private func itemKey(_ id: String) -> ItemKey { ItemKey(resource: key, id: id) }

    private func pageKey(_ request: PageRequest) -> PageKey { PageKey(resource: key, request) }

    private func page(
        _ request: PageRequest, _ control: CacheControl, waits: Bool
    ) async throws(RepositoryError) -> Answer<StoredPage> {
        let key = pageKey(request)
        return try await engine.answer(key, control, waits: waits, pageFetches) {
            [reader, neighbours] (known) async throws(APIError) in
            // The policy `none` reads nothing.
            try await reader.page(request, key, known: known) {
                control.policy == .none ? nil : await neighbours.before(request)
            }
        }
    }
}

extension StoredPage {
    /// The page as it is answered.
    var domain: Page { Page(ids: page.ids, items: items.texts, info: page.info) }
}

extension ResourceRepositoryContract {
    /// An item as one JSON object, from any level of the cache or from the remote.
    public func item(_ id: String, _ control: CacheControl) async throws(RepositoryError) -> Answer<[UInt8]> {
        try await item(id, control, skipsShared: false)
    }
}
