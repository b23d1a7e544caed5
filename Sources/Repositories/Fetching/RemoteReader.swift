import Catalog
import DataSources
import JSON
import Model
import System

/// Fetches from one resource's remote and maps the answers to cache entries.
///
/// A class rather than a struct because every request keeps a reference to it.
final class RemoteReader: Sendable {
    let resource: ResourceDefinition
    private let key: ResourceKey
    private let remote: any RemoteDataSourceContract
    private let clock: any ClockContract
    private let anomalies: AnomalyLog
    /// Whether items are requested one by one. Without that, one item is requested as one of several.
    private let hasGet: Bool
    private let itemMapper: ItemMapper
    private let manyMapper: ItemMapper
    private let pageMapper: PageMapper
    private let end: ListEnd

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

    /// Returns the reader of one scope, which has a key and a remote of its own.
    func scoped(_ key: ResourceKey, _ remote: any RemoteDataSourceContract) -> RemoteReader {
        RemoteReader(self, key, remote)
    }

    private init(_ other: RemoteReader, _ key: ResourceKey, _ remote: any RemoteDataSourceContract) {
        (self.key, self.remote) = (key, remote)
        (resource, clock, anomalies) = (other.resource, other.clock, other.anomalies)
        (itemMapper, manyMapper, pageMapper) = (other.itemMapper, other.manyMapper, other.pageMapper)
        (end, hasGet) = (other.end, other.hasGet)
    }

    /// The largest number of items in one request.
    var maxIDs: Int { max(1, remote.maxIDs ?? 1) }

    /// Fetches items by one request: an item alone by its id, and if it has changed since it was cached.
    func fetch(_ wanted: [Wanted<ItemKey>]) async -> Fetched<ItemKey> {
        do throws(APIError) {
            if wanted.count == 1 {
                return Fetched(outcomes: [.success(try await item(wanted[0].key, known: wanted[0].known))])
            }
            let items = try await items(wanted.map(\.key))
            return Fetched(outcomes: wanted.map { items[$0.key] ?? .failure(.absent) })
        } catch {
            return Fetched(outcomes: wanted.map { _ in .failure(.remote(error)) })
        }
    }

    /// Fetches a page with its items.
    ///
    /// - Parameter pages: where to find the page before it, which the answer is compared with; nil to compare nothing.
    func fetch(
        _ request: PageRequest, _ wanted: Wanted<PageKey>, beside pages: AdjacentPages?
    ) async -> Fetched<PageKey> {
        do throws(APIError) {
            return try await page(request, wanted.key, known: wanted.known, beside: pages)
        } catch {
            return Fetched(outcomes: [.failure(.remote(error))])
        }
    }

    /// Returns an item's entity, which is stored under the id that was asked for. If the item has not changed, the
    /// cached one is confirmed.
    private func item(_ key: ItemKey, known: ItemEntity?) async throws(APIError) -> ItemEntity {
        switch try await remote.item(key.id, since: known?.validators) {
        case .changed(let dto, let validators):
            return try await mapping(dto.json.size, dto.url, dto.attempts) { () throws(APIError) in
                // Without a `get` it is one of several, though it be alone.
                if !hasGet, itemMapper.isNothing(dto) { throw APIError.absent }
                let item = try itemMapper.requesting(key.id, cached: known?.json).map(dto)
                if let other = try itemMapper.strangeID(of: dto, isAsked: { $0 == key.id }) {
                    anomalies.note(other, askedFor: key.id, resource.name)
                }
                return ItemEntity(key: key, json: item.json, fetchedAt: clock.now(), validators: validators)
            }
        case .notModified(let validators):
            guard let known else { throw Self.unasked }
            return known.confirmed(at: clock.now(), validators)
        }
    }

    /// Returns the entities of the items that the remote has. If the catalog skips items of another shape, each of
    /// these has its error.
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
                    // What does not say its id is nobody's.
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
                // An API may answer with all that it has.
                if wanted.contains(key) {
                    items[key] = .success(ItemEntity(key: key, json: item.json, fetchedAt: now))
                }
            }
            return items
        }
    }

    /// Returns a page's entity with its items. If the page has not changed, the cached one is confirmed.
    private func page(
        _ request: PageRequest, _ key: PageKey, known: StoredPage?, beside pages: AdjacentPages?
    ) async throws(APIError) -> Fetched<PageKey> {
        // An item that was fetched otherwise since may differ from what the page showed: then nothing is confirmed.
        let known = known.flatMap { page in
            page.items.allCame(at: page.page.fetchedAt) ? page : nil
        }
        switch try await remote.page(request, since: known?.page.validators) {
        case .pastTheEnd(let error):
            guard end.style.endsSilently else { return Fetched(outcomes: [.failure(.noPage(error))]) }
            return Fetched(nothing(key, on: request.page, count: await pages?.before(request)?.page.count))
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
            guard let known else { throw Self.unasked }
            return Fetched(known.confirmed(at: clock.now(), validators))
        }
    }

    /// Returns a page after it was compared with the one before it: itself, or the last of its list. A page that comes
    /// again is empty, or there is none if the API could have stated the list's end.
    private func compared(
        _ page: StoredPage, _ dto: PageDTO, on token: PageToken, with before: AdjacentPage
    ) throws(APIError) -> Fetched<PageKey> {
        switch end.compare(page.page, of: dto.items.count, on: token, with: before) {
        case .another: return Fetched(page)
        case .last:
            var info = dto.info
            info.next = nil
            // It is mapped again, once a list: only the mapper knows what else a page's info has.
            return Fetched(
                try self.page(PageDTO(items: dto.items, info: info), page.page.key, page.page.validators))
        case .repeated:
            guard end.style.endsSilently else {
                return Fetched(outcomes: [.failure(.noPage(complete(ListEnd.repeated, dto.url, dto.attempts)))])
            }
            // If the second page is the first again, the API may know no pages at all: a walk finds a circle there.
            let next = before.token == end.style.first ? token : nil
            return Fetched(nothing(page.page.key, on: token, count: before.page.count, next: next))
        }
    }

    /// Cuts an answer with all items into pages, the one that was asked for among them.
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
        // The remote has refused a page past the end.
        guard let own = pages.removeValue(forKey: PageKey(resource: key, request)) else { throw .absent }
        return Fetched(outcomes: [.success(own)], others: Array(pages.values))
    }

    /// The page after a list's last, which the API does not have.
    private func nothing(_ key: PageKey, on page: PageToken, count: Int?, next: PageToken? = nil) -> StoredPage {
        StoredPage(
            page: PageEntity(
                key: key, ids: [], info: PageInfoMapper().map(PagePosition(PageInfoDTO(current: page, count: count))),
                fetchedAt: clock.now(), count: count, next: next),
            items: [])
    }

    private func page(_ dto: PageDTO, _ key: PageKey, _ validators: Validators?) throws(APIError) -> StoredPage {
        let page = try pageMapper.map(dto)
        let isPartial = resource.list?.isComplete == false
        let now = clock.now()
        let items = PackedItems(
            texts: page.items, ids: page.ids, of: key.resource, isPartial: isPartial, fetchedAt: now)
        // Where the end is uncertain the page leads to itself. A first page without a name would be taken for none.
        let itself = dto.info.current == .first ? .unknown : dto.info.current
        let entity = PageEntity(
            key: key, ids: page.ids, isPartial: isPartial, info: page.course, fetchedAt: now, count: dto.info.count,
            pages: dto.info.pages, next: dto.info.isEndUncertain ? itself : dto.info.next, validators: validators)
        return StoredPage(page: entity, items: items)
    }

    private static var unasked: APIError {
        APIError(.invalidResponse, "the API says that nothing has changed, and was not asked that")
    }

    /// Completes the error of a mapping with where the answer came from, and how many requests it took.
    ///
    /// - Parameter size: how many bytes are mapped.
    private func mapping<Value>(
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
    /// The same, as good as new (RFC 9111, section 4.3.4).
    func confirmed(at moment: Timestamp, _ newer: Validators?) -> ItemEntity {
        ItemEntity(key: key, json: json, fetchedAt: moment, validators: newer ?? validators)
    }
}

extension StoredPage {
    /// The same, with its items, as good as new.
    func confirmed(at moment: Timestamp, _ newer: Validators?) -> StoredPage {
        StoredPage(
            page: PageEntity(
                key: page.key, ids: page.ids, isPartial: page.isPartial, info: page.info, fetchedAt: moment,
                count: page.count, pages: page.pages, next: page.next, validators: newer ?? page.validators),
            items: items.confirmed(at: moment))
    }
}
