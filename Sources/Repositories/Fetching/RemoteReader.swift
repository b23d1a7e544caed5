import Catalog
import DataSources
import JSON
import Model
import System

/// Asks the remote of one resource, and makes entries of its words.
///
/// A class: each request holds it, and it is too large to be copied for that.
final class RemoteReader: Sendable {
    let resource: ResourceDefinition
    let key: ResourceKey
    let remote: any RemoteDataSourceContract
    let clock: any ClockContract
    let oddities: Oddities
    private let itemMapper: ItemMapper
    private let manyMapper: ItemMapper
    private let pageMapper: PageMapper
    private let end: ListEnd

    init(
        _ resource: ResourceDefinition, key: ResourceKey, remote: any RemoteDataSourceContract,
        clock: any ClockContract, oddities: Oddities, redact: @escaping @Sendable (String) -> String
    ) {
        self.resource = resource
        self.key = key
        self.remote = remote
        self.clock = clock
        self.oddities = oddities
        manyMapper = ItemMapper(resource, from: .getMany)
        itemMapper = resource.get == nil ? manyMapper : ItemMapper(resource)
        pageMapper = PageMapper(resource, redact: redact)
        end = ListEnd(style: resource.list?.pagination.style ?? SinglePage())
    }

    /// The same for one scope, which has a key and a remote of its own.
    func scoped(_ key: ResourceKey, _ remote: any RemoteDataSourceContract) -> RemoteReader {
        RemoteReader(self, key, remote)
    }

    private init(_ other: RemoteReader, _ key: ResourceKey, _ remote: any RemoteDataSourceContract) {
        (self.key, self.remote) = (key, remote)
        (resource, clock, oddities) = (other.resource, other.clock, other.oddities)
        (itemMapper, manyMapper, pageMapper) = (other.itemMapper, other.manyMapper, other.pageMapper)
        end = other.end
    }

    /// How many items one request may ask for.
    var maxIDs: Int { max(1, remote.maxIDs ?? 1) }

    /// An item's entity; it is kept under the id that was asked for. What is known is confirmed where it has not
    /// changed.
    func item(_ key: ItemKey, known: ItemEntity?) async throws(APIError) -> ItemEntity {
        switch try await remote.item(key.id, since: known?.validators) {
        case .changed(let dto, let validators):
            return try await mapping(dto.json.size, dto.url, dto.attempts) { () throws(APIError) in
                // Without a `get` it is one of several, though it be alone.
                if resource.get == nil, itemMapper.isNothing(dto) { throw APIError.absent }
                let item = try itemMapper.requesting(key.id, cached: known?.json).map(dto)
                if let other = try itemMapper.strangeID(of: dto, isAsked: { $0 == key.id }) {
                    oddities.note(other, askedFor: key.id, resource.name)
                }
                return ItemEntity(key: key, json: item.json, fetchedAt: clock.now(), validators: validators)
            }
        case .notModified(let validators):
            guard let known else { throw Self.unasked }
            return known.confirmed(at: clock.now(), validators)
        }
    }

    /// The entities of those of several items that the remote has, by one request. Where the catalog has items of
    /// another shape left out, these are told with what is wrong with them.
    func items(_ keys: [ItemKey]) async throws(APIError) -> [ItemKey: Result<ItemEntity, APIError>] {
        let dtos = try await remote.items(keys.map(\.id))
        let now = clock.now()
        let wanted = Set(keys)
        let asked = Set(keys.map(\.id))
        let first = dtos.first
        return try await mapping(dtos.size, first?.url, first?.attempts ?? 1) {
            () throws(APIError) -> [ItemKey: Result<ItemEntity, APIError>] in
            var items: [ItemKey: Result<ItemEntity, APIError>] = [:]
            for dto in dtos where !manyMapper.isNothing(dto) {
                let item: Item
                do throws(APIError) {
                    item = try manyMapper.map(dto)
                } catch {
                    guard resource.skipsMismatches else { throw error }
                    // What does not say its id is nobody's.
                    let id = manyMapper.id(of: dto).map { ItemKey(resource: self.key, id: $0) }
                    if let id, wanted.contains(id) { items[id] = .failure(complete(error, dto.url, dto.attempts)) }
                    continue
                }
                if let other = try manyMapper.strangeID(of: dto, isAsked: { asked.contains($0) }) {
                    oddities.note(other, askedFor: nil, resource.name)
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

    /// A page's entity with its items. What is known is confirmed where it has not changed.
    ///
    /// - Parameter before: the kept page that stands before it; it is asked for where the answer is to be compared.
    func page(
        _ request: PageRequest, _ key: PageKey, known: StoredPage?, before: () async -> Neighbour?
    ) async throws(APIError) -> Fetched<PageKey> {
        // An item that came another way since may differ from what the page showed: then there is nothing to confirm.
        let known = known.flatMap { page in
            page.items.allCame(at: page.page.fetchedAt) ? page : nil
        }
        let answer: RemoteAnswer<PageDTO>
        do throws(APIError) {
            answer = try await remote.page(request, since: known?.page.validators)
        } catch {
            guard end.isReached(by: error, on: request.page) else { throw error }
            return Fetched(entry: nothing(key, on: request.page, count: await before()?.page.count))
        }
        switch answer {
        case .changed(let dto, let validators):
            if let cut = end.style.slices { return try await slices(dto, request, cut, validators) }
            let page = try await mapping(dto.items.size, dto.url, dto.attempts) { () throws(APIError) -> StoredPage in
                try self.page(dto, key, validators)
            }
            let isFirst = request.page == .first || request.page == resource.list?.firstPage
            let unfound = dto.unfound + (isFirst ? pageMapper.unfound(in: dto) : [])
            if !unfound.isEmpty { oddities.note(unfound: unfound, resource.name) }
            guard end.isCompared(dto, on: request.page), let before = await before() else {
                return Fetched(entry: page)
            }
            return Fetched(entry: try compared(page, dto, on: request.page, with: before))
        case .notModified(let validators):
            guard let known else { throw Self.unasked }
            return Fetched(entry: known.confirmed(at: clock.now(), validators))
        }
    }

    /// What a page is beside the one before it: itself, the last of its list, or nothing where it comes again.
    private func compared(
        _ page: StoredPage, _ dto: PageDTO, on token: PageToken, with before: Neighbour
    ) throws(APIError) -> StoredPage {
        switch end.compare(page.page, of: dto.items.count, on: token, with: before) {
        case .another: return page
        case .last:
            var info = dto.info
            info.next = nil
            // It is mapped again, once a list: what a page's info has besides is the mapper's to know.
            return try self.page(
                PageDTO(items: dto.items, info: info), page.page.key, page.page.validators)
        case .repeated:
            guard end.style.endsSilently else { throw complete(ListEnd.repeated, dto.url, dto.attempts) }
            // Where the second page is the first again, nobody can tell whether the API knows pages at all: to a walk
            // it leads in a circle.
            let next = before.token == end.style.first ? token : nil
            return nothing(page.page.key, on: token, count: before.page.count, next: next)
        }
    }

    /// All pages that an answer with all items is cut into, the one that was asked for among them.
    private func slices(
        _ dto: PageDTO, _ request: PageRequest, _ cut: SlicePagination, _ validators: Validators?
    ) async throws(APIError) -> Fetched<PageKey> {
        let pages = try await mapping(dto.items.size, dto.url, dto.attempts) {
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
        guard let own = pages[PageKey(resource: key, request)] else { throw .absent }
        return Fetched(entry: own, others: pages)
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
