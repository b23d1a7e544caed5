import Catalog
import DataSources
import JSON
import Model
import System

/// Fetches items and pages of one resource from the API, and maps them to cache entries.
// A class, because every request keeps a reference to it.
final class RemoteReader: Sendable {
    let resource: ResourceDefinition
    let key: ResourceKey
    let remote: any RemoteDataSourceContract
    private let clock: any ClockContract
    private let anomalies: AnomalyLog
    /// Whether the resource declares the operation `get`. Otherwise `getMany` fetches single items.
    private let hasGet: Bool
    private let itemMapper: ItemMapper
    private let manyMapper: ItemMapper
    let pageMapper: PageMapper
    let end: ListEnd

    init(
        _ resource: ResourceDefinition, key: ResourceKey, remote: any RemoteDataSourceContract,
        clock: any ClockContract, anomalies: AnomalyLog, redact: @escaping @Sendable (String) -> String
    ) {
        self.resource = resource
        self.key = key
        self.remote = remote
        self.clock = clock
        self.anomalies = anomalies
        manyMapper = ItemMapper(resource, from: .getMany)
        hasGet = resource.get != nil
        itemMapper = hasGet ? ItemMapper(resource) : manyMapper
        pageMapper = PageMapper(resource, redact: redact)
        end = ListEnd(style: resource.list?.pagination.style ?? SinglePage())
    }

    /// Returns a reader for one scope, such as the issues of one project. The reader uses the scope's cache key and
    /// remote data source.
    func scoped(_ key: ResourceKey, _ remote: any RemoteDataSourceContract) -> RemoteReader {
        RemoteReader(self, key, remote)
    }

    private init(_ other: RemoteReader, _ key: ResourceKey, _ remote: any RemoteDataSourceContract) {
        (self.key, self.remote) = (key, remote)
        (resource, clock, anomalies) = (other.resource, other.clock, other.anomalies)
        (itemMapper, manyMapper, pageMapper) = (other.itemMapper, other.manyMapper, other.pageMapper)
        (end, hasGet) = (other.end, other.hasGet)
    }

    /// Returns a reader that requests the list as the catalog's `sync` declares it.
    func syncing(_ requests: SyncRequests) -> RemoteReader {
        RemoteReader(
            resource.syncing(requests), key: key, remote: remote.syncing(requests), clock: clock, anomalies: anomalies,
            redact: pageMapper.redact)
    }

    /// The maximum number of item ids in one request.
    var maxIDs: Int { max(1, remote.maxIDs ?? 1) }

    /// Fetches items with one request. A request for a single item contains the validators of the cached item.
    func fetch(_ wanted: [Wanted<ItemKey>]) async -> Fetched<ItemKey> {
        let start = clock.now()
        do throws(APIError) {
            if wanted.count == 1 {
                let item = try await item(wanted[0].key, known: wanted[0].known)
                return Fetched(outcomes: [.success(item)], askedAt: start)
            }
            let items = try await items(wanted.map(\.key))
            return Fetched(outcomes: wanted.map { items[$0.key] ?? .failure(.absent) }, askedAt: start)
        } catch {
            return Fetched(outcomes: wanted.map { _ in .failure(.remote(error)) })
        }
    }

    /// Fetches a page with its items.
    ///
    /// - Parameter pages: finds the previous page in the cache, to compare it with the fetched page. If nil, no pages
    ///   are compared.
    func fetch(
        _ request: PageRequest, _ wanted: Wanted<PageKey>, beside pages: AdjacentPages?
    ) async -> Fetched<PageKey> {
        let start = clock.now()
        do throws(APIError) {
            var fetched = try await page(request, wanted.key, known: wanted.known, beside: pages)
            fetched.askedAt = start
            return fetched
        } catch {
            return Fetched(outcomes: [.failure(.remote(error))])
        }
    }

    /// Fetches an item and returns a cache entry with the requested id. If the item is unchanged, the cached entry gets
    /// a new fetch time.
    private func item(_ key: ItemKey, known: ItemEntity?) async throws(APIError) -> ItemEntity {
        switch try await remote.item(key.id, since: known?.validators) {
        case .changed(let dto, let validators):
            return try await mapping(dto.json.size, dto.url, dto.attempts) { () throws(APIError) in
                // A resource without `get` uses `getMany` for a single item, and the answer to `getMany` may contain an
                // element that only reports a missing item.
                if !hasGet, itemMapper.isNothing(dto) { throw APIError.absent }
                let item = try itemMapper.requesting(key.id, cached: known?.json).map(dto)
                if let other = try itemMapper.strangeID(of: dto, isAsked: { $0 == key.id }) {
                    anomalies.note(other, askedFor: key.id, resource.name)
                }
                return ItemEntity(key: key, json: item.json, fetchedAt: clock.now(), validators: validators)
            }
        case .notModified(let validators):
            guard let known else { throw Self.unexpectedNotModified }
            return known.confirmed(at: clock.now(), validators)
        }
    }

    /// Fetches several items and returns a cache entry for each item that the API has. If the catalog skips invalid
    /// items, the result for an invalid item is an error. Otherwise, the function throws the error of the first invalid
    /// item.
    private func items(
        _ keys: [ItemKey]
    ) async throws(APIError) -> [ItemKey: Result<ItemEntity, RepositoryError>] {
        let dtos = try await remote.items(keys.map(\.id))
        let now = clock.now()
        let wanted = Set(keys)
        let asked = Set(keys.map(\.id))
        let first = dtos.first
        return try await mapping(dtos.size, first?.url, first?.attempts ?? 1) {
            () throws(APIError) -> [ItemKey: Result<ItemEntity, RepositoryError>] in
            var items: [ItemKey: Result<ItemEntity, RepositoryError>] = [:]
            for dto in dtos where !manyMapper.isNothing(dto) {
                let item: Item
                do throws(APIError) {
                    item = try manyMapper.map(dto)
                } catch {
                    guard resource.skipsMismatches else { throw error }
                    // An error can belong to a requested item only if the invalid item has an id.
                    let id = manyMapper.id(of: dto).map { ItemKey(resource: self.key, id: $0) }
                    if let id, wanted.contains(id) {
                        items[id] = .failure(.remote(complete(error, dto.url, dto.attempts)))
                    }
                    continue
                }
                if let other = try manyMapper.strangeID(of: dto, isAsked: { asked.contains($0) }) {
                    anomalies.note(other, askedFor: nil, resource.name)
                }
                let key = ItemKey(resource: key, id: item.id)
                // The API may also return items that were not requested.
                if wanted.contains(key) {
                    items[key] = .success(ItemEntity(key: key, json: item.json, fetchedAt: now))
                }
            }
            return items
        }
    }

    /// Fetches a page and returns a cache entry with the page's items. If the page is unchanged, the cached entry gets
    /// a new fetch time.
    private func page(
        _ request: PageRequest, _ key: PageKey, known: StoredPage?, beside pages: AdjacentPages?
    ) async throws(APIError) -> Fetched<PageKey> {
        // The answer "not modified" for the page does not cover an item that another request has fetched later. The
        // reader then fetches the complete page.
        let known = known.flatMap { page in
            page.items.areAllFetched(at: page.page.fetchedAt) ? page : nil
        }
        switch try await remote.page(request, since: known?.page.validators) {
        case .pastTheEnd(let error):
            guard end.style.lacksEndSignal else { return Fetched(outcomes: [.failure(.noPage(error))]) }
            return Fetched(emptyPage(key, on: request.page, count: await pages?.before(request)?.page.count))
        case .page(let dto, let validators):
            if let cut = end.style.slices { return try await slices(dto, request, cut, validators) }
            let page = try await mapping(dto.items.size, dto.url, dto.attempts) { () throws(APIError) -> StoredPage in
                try self.page(dto, key, validators)
            }
            let isFirst = request.page == .first || request.page == resource.list?.firstPage
            let unfound = dto.unfound + (isFirst ? pageMapper.unfound(in: dto) : [])
            if !unfound.isEmpty { anomalies.note(unfound: unfound, resource.name) }
            guard end.isCompared(dto, on: request.page), let before = await pages?.before(request) else {
                return Fetched(page)
            }
            return try compared(page, dto, on: request.page, with: before)
        case .notModified(let validators):
            guard let known else { throw Self.unexpectedNotModified }
            return Fetched(known.confirmed(at: clock.now(), validators))
        }
    }

    /// Compares a page with the page before it in the list, and marks the last page of the list.
    ///
    /// If the API reports which page is the last, a repeated page is an error. For any other API, a repeated page means
    /// that the list has ended, so the result is an empty page.
    func compared(
        _ page: StoredPage, _ dto: PageDTO, on token: PageToken, with before: AdjacentPage
    ) throws(APIError) -> Fetched<PageKey> {
        switch end.compare(page.page, of: dto.items.count, on: token, with: before) {
        case .another: return Fetched(page)
        case .last:
            var info = dto.info
            info.next = nil
            // The mapper must run again, because only the mapper can write the page info. This happens once for each
            // list.
            return Fetched(
                try self.page(PageDTO(items: dto.items, info: info), page.page.key, page.page.validators))
        case .repeated:
            guard end.style.lacksEndSignal else {
                return Fetched(outcomes: [.failure(.noPage(complete(ListEnd.repeated, dto.url, dto.attempts)))])
            }
            // If the second page repeats the first page, perhaps the API does not support pages. The page then links to
            // itself. A read of the list detects this cycle and ends.
            let next = before.token == end.style.first ? token : nil
            return Fetched(emptyPage(page.page.key, on: token, count: before.page.count, next: next))
        }
    }

    /// Divides an answer that contains a whole list into pages. The result contains the requested page, and the other
    /// pages in `others`.
    private func slices(
        _ dto: PageDTO, _ request: PageRequest, _ cut: SlicePagination, _ validators: Validators?
    ) async throws(APIError) -> Fetched<PageKey> {
        var pages = try await mapping(dto.items.size, dto.url, dto.attempts) {
            () throws(APIError) -> [PageKey: StoredPage] in
            let items = Array(dto.items)
            var pages: [PageKey: StoredPage] = [:]
            for start in stride(from: 0, to: max(1, items.count), by: cut.size) {
                let token = PageToken.number(start / cut.size + 1)
                let slice = PageDTO(
                    items: Array(items[start..<min(items.count, start + cut.size)]),
                    info: try cut.info(of: token, among: items.count))
                let own = PageKey(resource: key, PageRequest(page: token, filters: request.filters))
                pages[own] = try page(slice, own, validators)
            }
            return pages
        }
        // `remote.page` throws an error for a page after the end of the list, so the requested page exists.
        guard let own = pages.removeValue(forKey: PageKey(resource: key, request)) else { throw .absent }
        return Fetched(outcomes: [.success(own)], others: Array(pages.values))
    }

    /// Returns an empty page in place of a page that the API does not have.
    func emptyPage(_ key: PageKey, on page: PageToken, count: Int?, next: PageToken? = nil) -> StoredPage {
        StoredPage(
            page: PageEntity(
                key: key, ids: [], info: PageInfoMapper().map(PagePosition(PageInfoDTO(current: page, count: count))),
                fetchedAt: clock.now(), count: count, next: next),
            items: [])
    }

    func page(_ dto: PageDTO, _ key: PageKey, _ validators: Validators?) throws(APIError) -> StoredPage {
        let page = try pageMapper.map(dto)
        let isPartial = resource.list?.isComplete == false
        let now = clock.now()
        let items = PackedItems(
            texts: page.items, ids: page.ids, of: key.resource, isPartial: isPartial, fetchedAt: now)
        // If the end of the list is uncertain, the page links to itself. The token `.first` cannot be such a link,
        // because null in JSON means that there is no next page.
        let itself = dto.info.current == .first ? .unknown : dto.info.current
        let entity = PageEntity(
            key: key, ids: page.ids, isPartial: isPartial, info: page.position, fetchedAt: now, count: dto.info.count,
            pages: dto.info.pages, next: dto.info.isEndUncertain ? itself : dto.info.next, validators: validators)
        return StoredPage(page: entity, items: items)
    }

    static var unexpectedNotModified: APIError {
        APIError(
            .invalidResponse,
            "the API answered 304 (Not Modified) to an unconditional request; report this to the API's provider")
    }

    /// Maps an answer of the API. If the mapping fails, adds the resource, the URL and the number of attempts to the
    /// error.
    ///
    /// - Parameter size: the number of bytes to map. Large bodies are mapped on another thread.
    func mapping<Value>(
        _ size: Int, _ url: String?, _ attempts: Int, _ map: () throws(APIError) -> Value
    ) async throws(APIError) -> Value {
        do throws(APIError) {
            return try await LargeBodies.reading(size, map)
        } catch {
            throw complete(error, url, attempts)
        }
    }

    private func complete(_ error: APIError, _ url: String?, _ attempts: Int) -> APIError {
        var error = error
        error.api = resource.api
        error.resource = resource.name
        error.url = url
        error.attempts = attempts
        return error
    }
}

extension Fetched where Key == PageKey {
    fileprivate init(_ page: StoredPage) { self.init(outcomes: [.success(page)]) }
}

extension ItemEntity {
    /// Returns a copy of the item with the fetch time `moment`. At this time, the API confirmed that the item is
    /// unchanged (RFC 9111, section 4.3.4).
    func confirmed(at moment: Timestamp, _ newer: Validators?) -> ItemEntity {
        ItemEntity(key: key, json: json, fetchedAt: moment, validators: newer ?? validators)
    }
}

extension StoredPage {
    /// Returns a copy of the page and its items with the fetch time `moment`. At this time, the API confirmed that the
    /// page is unchanged.
    func confirmed(at moment: Timestamp, _ newer: Validators?) -> StoredPage {
        StoredPage(
            page: PageEntity(
                key: page.key, ids: page.ids, isPartial: page.isPartial, info: page.info, fetchedAt: moment,
                count: page.count, pages: page.pages, next: page.next, validators: newer ?? page.validators),
            items: items.confirmed(at: moment))
    }
}
