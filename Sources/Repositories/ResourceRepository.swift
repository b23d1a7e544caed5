import DataSources
import System

/// The repository of one resource: it maps what the remote sends, once, and keeps it in memory and persistence by the
/// policies.
public final class ResourceRepository: ResourceRepositoryContract {
    /// The resource as the catalog declares it.
    public let resource: ResourceDefinition
    let key: ResourceKey
    let remote: any RemoteDataSourceContract
    let memory: any VolatileDataSourceContract
    let persistence: (any PersistentDataSourceContract)?
    let clock: any ClockContract
    let engine: PolicyEngine
    let hub: ChangeHub
    private let search: Shared.Search
    let epoch: CacheEpoch
    let sharedItems = SharedFetches<Epoched<ItemKey>, Found<ItemEntity>>()
    let sharedPages = SharedFetches<Epoched<PageKey>, Found<StoredPage>>()
    let itemMapper: ItemMapper
    let pageMapper: PageMapper
    let pageInfoMapper = PageInfoMapper()
    let strangeIDs: StrangeIDs

    /// What all repositories of a process share.
    public struct Shared: Sendable {
        /// Limits how many requests wait on upstreams.
        public let admission: Admission
        /// Refreshes that nobody waits for.
        public let background: BackgroundWork
        /// Who is to hear of changes.
        public let hub: ChangeHub
        /// Tells what was asked for before entries were removed from what is asked for after that.
        public let epoch = CacheEpoch()

        /// Called, where fetches under way are joined, with how many. Inside a lock: it should return soon.
        let onShared: @Sendable (Int) -> Void
        /// Looks among what is cached.
        public let search: Search

        /// Tells a person of what is strange and no error.
        public let warn: @Sendable (String) -> Void

        /// A search of the cache.
        public typealias Search = @Sendable (SearchQuery) async throws(LocalDataError) -> SearchHits

        /// What is shared, with a limit of requests that wait on upstreams.
        public init(
            limit: Int, background: BackgroundWork = BackgroundWork(), hub: ChangeHub = ChangeHub(),
            onShared: @escaping @Sendable (Int) -> Void = { _ in },
            warn: @escaping @Sendable (String) -> Void = { _ in }, search: @escaping Search
        ) {
            self.warn = warn
            self.search = search
            self.onShared = onShared
            admission = Admission(limit: limit)
            self.background = background
            self.hub = hub
        }
    }

    /// A repository over these data sources.
    ///
    /// - Parameter persistence: nil runs from memory alone.
    public init(
        resource: ResourceDefinition, key: ResourceKey, remote: any RemoteDataSourceContract,
        memory: any VolatileDataSourceContract, persistence: (any PersistentDataSourceContract)?,
        clock: any ClockContract, shared: Shared
    ) {
        self.resource = resource
        self.key = key
        self.remote = remote
        self.memory = memory
        self.persistence = persistence
        self.clock = clock
        hub = shared.hub
        strangeIDs = StrangeIDs(warn: shared.warn)
        epoch = shared.epoch
        search = shared.search
        engine = PolicyEngine(
            resource: resource.name, rule: FreshnessRule(rules: resource.cache, clock: clock),
            admission: shared.admission, counters: ResourceCounters(onShared: shared.onShared),
            revalidatesBehind: resource.cache.staleWhileRevalidate, background: shared.background)
        itemMapper = ItemMapper(resource)
        pageMapper = PageMapper(resource)
    }

    /// How often the cache could answer.
    public var statistics: ResourceStatistics { engine.counters.statistics }

    /// An item, if the policy lets memory alone answer.
    public func cachedItem(_ id: String, _ freshness: Freshness) -> MemoryHit? {
        guard freshness.policy == .localFirst || freshness.policy == .localOnly, isCurrent else { return nil }
        guard let item = memory.glance(ItemKey(resource: key, id: id)),
            let isFresh = engine.rule.judge(item, maxAge: freshness.maxAge),
            isFresh || freshness.policy == .localOnly
        else { return nil }
        engine.counters.hit()
        return MemoryHit(json: item.json, fetchedAt: item.fetchedAt, isStale: !isFresh)
    }

    /// A page, if the policy lets memory alone answer.
    public func cachedPage(_ request: PageRequest, _ freshness: Freshness) -> Answer<PageBytes>? {
        guard isCurrent else { return nil }
        let key = PageKey(resource: key, request)
        return engine.cached(freshness) { memory.peek(key) }?.map(\.bytes)
    }

    /// An item by the policy.
    public func item(_ id: String, _ freshness: Freshness) async throws(RepositoryError) -> Answer<[UInt8]> {
        await catchUp()
        return try await engine.resolve(lookup(ItemKey(resource: key, id: id)), freshness).map(\.json)
    }

    /// A page by the policy.
    public func page(_ request: PageRequest, _ freshness: Freshness) async throws(RepositoryError) -> Answer<PageBytes>
    {
        await catchUp()
        return try await engine.resolve(lookup(request), freshness).map(\.bytes)
    }

    /// What is cached of this resource, whatever its age, and the network never asked.
    public func search(
        _ text: String?, filters: [PageRequest.Filter], limit: Int, offset: Int
    ) async throws(LocalDataError) -> SearchHits {
        let now = clock.now().milliseconds
        let keptSince = resource.cache.keepFor.map { keepFor in
            let (since, overflow) = now.subtractingReportingOverflow(Int64(keepFor))
            return Timestamp(milliseconds: overflow ? .min : since)
        }
        return try await search(
            SearchQuery(
                resource: key, text: text, filters: filters, keptSince: keptSince, limit: limit, offset: offset))
    }

    private func lookup(_ key: ItemKey) -> CacheLookup<ItemEntity> {
        CacheLookup(
            subject: .item(key), memory: { [self] in memory.item(key) },
            persistence: { [self] in try? await persistence?.item(key) },
            mark: { [self] in memory.removals },
            promote: { [self] in memory.promote(LocalChange(items: [$0]), since: $1) },
            fetch: { [self] () async throws(APIError) in try await fetchItem(key, known: nil) },
            share: { [self] (sharing) async throws(APIError) in
                let epoch = epoch.current
                return try await sharedItems.value(
                    of: Epoched(epoch: epoch, key: key), onShared: engine.counters.share,
                    known: { accepted(memory.peek($0.key), sharing) }
                ) { [self] () async throws(APIError) in
                    try await keepItem(key, known: sharing.known, epoch: epoch)
                }
            })
    }

    func lookup(_ request: PageRequest) -> CacheLookup<StoredPage> {
        let key = PageKey(resource: key, request)
        return CacheLookup(
            subject: .page(key), memory: { [self] in memory.page(key) },
            persistence: { [self] in try? await persistence?.page(key) },
            mark: { [self] in memory.removals },
            promote: { [self] in memory.promote(LocalChange(items: $0.items, page: $0.page), since: $1) },
            fetch: { [self] () async throws(APIError) in try await fetchPage(request, key, known: nil) },
            share: { [self] (sharing) async throws(APIError) in
                let epoch = epoch.current
                return try await sharedPages.value(
                    of: Epoched(epoch: epoch, key: key), onShared: engine.counters.share,
                    known: { accepted(memory.peek($0.key), sharing) }
                ) { [self] () async throws(APIError) in
                    try await keepPage(request, key, known: sharing.known, epoch: epoch)
                }
            })
    }

    private func accepted<Entry>(_ entry: Entry?, _ sharing: Sharing<Entry>) -> Found<Entry>? {
        entry.flatMap { sharing.accepts?($0) == true ? Found(entry: $0, source: .memory) : nil }
    }
}

/// The levels of the cache as one.
extension ResourceRepository {
    /// Whether memory knows all that other processes have changed.
    var isCurrent: Bool { persistence?.isCurrent ?? true }

    /// Learns what other processes have changed.
    func catchUp() async {
        if let persistence, !persistence.isCurrent { await persistence.catchUp() }
    }

    /// Keeps what was asked for in an epoch. Memory first: whoever sees the answer finds it there.
    func save(_ change: LocalChange, askedIn epoch: Int) {
        self.epoch.keep(askedIn: epoch) {
            memory.save(change)
            persistence?.save(change)
        }
        hub.changed(items: change.items.keys, page: change.page?.key)
    }

    func forget(_ key: ItemKey) {
        memory.removeItem(key)
        persistence?.removeItem(key)
        hub.changed(items: [key])
    }

    func forget(_ key: PageKey) {
        memory.removePage(key)
        persistence?.removePage(key)
        hub.changed(items: [], page: key)
    }
}

extension StoredPage {
    var bytes: PageBytes { PageBytes(items: items.texts, info: page.info) }
}
