import DataSources

/// The repository of one resource: it maps what the remote sends, once, and keeps it in memory and persistence by the
/// policies.
public final class ResourceRepository: ResourceRepositoryContract {
    /// The resource as the catalog declares it.
    public let resource: ResourceDefinition
    let key: ResourceKey
    let remote: any RemoteDataSourceContract
    let memory: any VolatileDataSourceContract
    let persistence: (any LocalDataSourceContract)?
    let clock: any ClockContract
    let engine: PolicyEngine
    let itemMapper: ItemMapper
    private let pageMapper: PageMapper
    private let pageInfoMapper = PageInfoMapper()
    private let api: String

    /// A repository over these data sources.
    ///
    /// - Parameters:
    ///   - persistence: nil runs from memory alone.
    ///   - admission: shared by all repositories of a process.
    public init(
        resource: ResourceDefinition, key: ResourceKey, remote: any RemoteDataSourceContract,
        memory: any VolatileDataSourceContract, persistence: (any LocalDataSourceContract)?, clock: any ClockContract,
        admission: Admission
    ) {
        self.resource = resource
        self.key = key
        self.remote = remote
        self.memory = memory
        self.persistence = persistence
        self.clock = clock
        api = resource.api
        engine = PolicyEngine(
            resource: resource.name, rule: FreshnessRule(rules: resource.cache, clock: clock), admission: admission,
            counters: ResourceCounters())
        itemMapper = ItemMapper(resource)
        pageMapper = PageMapper(resource)
    }

    /// How often the cache could answer.
    public var statistics: ResourceStatistics { engine.counters.statistics }

    /// An item, if the policy lets memory alone answer.
    public func cachedItem(_ id: String, _ freshness: Freshness) -> Answer<[UInt8]>? {
        let key = ItemKey(resource: key, id: id)
        return engine.cached(freshness) { memory.item(key) }?.map(\.json)
    }

    /// A page, if the policy lets memory alone answer.
    public func cachedPage(_ request: PageRequest, _ freshness: Freshness) -> Answer<PageBytes>? {
        let key = PageKey(resource: key, request)
        return engine.cached(freshness) { memory.page(key) }?.map(\.bytes)
    }

    /// An item by the policy.
    public func item(_ id: String, _ freshness: Freshness) async throws(RepositoryError) -> Answer<[UInt8]> {
        let key = ItemKey(resource: key, id: id)
        let lookup = CacheLookup<ItemEntity>(
            memory: { [self] in memory.item(key) },
            persistence: { [self] in try? await persistence?.item(key) },
            promote: { [self] in memory.save(LocalChange(items: [$0])) },
            fetch: { [self] () async throws(APIError) in try await fetchItem(key) },
            save: { [self] in save(LocalChange(items: [$0])) },
            forget: { [self] in forgetItem(key) })
        return try await engine.resolve(lookup, freshness).map(\.json)
    }

    /// A page by the policy.
    public func page(_ request: PageRequest, _ freshness: Freshness) async throws(RepositoryError) -> Answer<PageBytes>
    {
        let key = PageKey(resource: key, request)
        let lookup = CacheLookup<StoredPage>(
            memory: { [self] in memory.page(key) },
            persistence: { [self] in try? await persistence?.page(key) },
            promote: { [self] in memory.save(LocalChange(items: $0.items, page: $0.page)) },
            fetch: { [self] () async throws(APIError) in try await fetchPage(request, key) },
            save: { [self] in save(LocalChange(items: $0.items, page: $0.page)) },
            forget: { [self] in
                memory.removePage(key)
                persistence?.removePage(key)
            })
        return try await engine.resolve(lookup, freshness).map(\.bytes)
    }

    /// Memory first: whoever sees the answer finds it there.
    func save(_ change: LocalChange) {
        memory.save(change)
        persistence?.save(change)
    }

    func forgetItem(_ key: ItemKey) {
        memory.removeItem(key)
        persistence?.removeItem(key)
    }

    /// An item's entity; it is kept under the id that was asked for.
    func fetchItem(_ key: ItemKey) async throws(APIError) -> ItemEntity {
        guard case .changed(let dto, _) = try await remote.item(key.id, since: nil) else {
            throw APIError(.invalidResponse, "the API says that nothing has changed, and was not asked that")
        }
        return try mapping(dto.url, dto.attempts) { () throws(APIError) in
            let item = try itemMapper.map(dto, isPartial: false, id: key.id)
            return ItemEntity(key: key, json: item.json, fetchedAt: clock.now())
        }
    }

    private func fetchPage(_ request: PageRequest, _ key: PageKey) async throws(APIError) -> StoredPage {
        guard case .changed(let dto, _) = try await remote.page(request, since: nil) else {
            throw APIError(.invalidResponse, "the API says that nothing has changed, and was not asked that")
        }
        return try mapping(dto.url, dto.attempts) { () throws(APIError) in
            let page = try pageMapper.map(dto)
            let isPartial = resource.list?.isComplete == false
            let now = clock.now()
            let items = page.items.map {
                ItemEntity(
                    key: ItemKey(resource: key.resource, id: $0.id, isPartial: isPartial), json: $0.json, fetchedAt: now
                )
            }
            let entity = PageEntity(
                key: key, ids: page.items.map(\.id), isPartial: isPartial, info: pageInfoMapper.map(page.info),
                fetchedAt: now)
            return StoredPage(page: entity, items: items)
        }
    }

    /// Completes the error of a mapping with where the answer came from.
    func mapping<Value>(_ url: String?, _ attempts: Int, _ map: () throws(APIError) -> Value) throws(APIError) -> Value
    {
        do throws(APIError) {
            return try map()
        } catch {
            var error = error
            error.api = api
            error.resource = resource.name
            error.url = url
            error.attempts = attempts
            throw error
        }
    }
}

extension StoredPage {
    fileprivate var bytes: PageBytes { PageBytes(items: items.map(\.json), info: page.info) }
}
