import DataSources
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
    }

    /// How many items one request may ask for.
    var maxIDs: Int { max(1, remote.maxIDs ?? 1) }

    /// An item's entity; it is kept under the id that was asked for. What is known is confirmed where it has not
    /// changed.
    func item(_ key: ItemKey, known: ItemEntity?) async throws(APIError) -> ItemEntity {
        switch try await remote.item(key.id, since: known?.validators) {
        case .changed(let dto, let validators):
            return try await mapping(dto.json.size, dto.url, dto.attempts) { () throws(APIError) in
                let item = try itemMapper.map(dto, isPartial: false, id: key.id)
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

    /// The entities of those of several items that the remote has, by one request.
    func items(_ keys: [ItemKey]) async throws(APIError) -> [ItemEntity] {
        let dtos = try await remote.items(keys.map(\.id))
        let now = clock.now()
        let wanted = Set(keys)
        let asked = Set(keys.map(\.id))
        let first = dtos.first
        return try await mapping(dtos.size, first?.url, first?.attempts ?? 1) { () throws(APIError) in
            var items: [ItemEntity] = []
            for dto in dtos {
                let item = try manyMapper.map(dto)
                if let other = try manyMapper.strangeID(of: dto, isAsked: { asked.contains($0) }) {
                    oddities.note(other, askedFor: nil, resource.name)
                }
                let key = ItemKey(resource: key, id: item.id)
                // An API may answer with all that it has.
                if wanted.contains(key) { items.append(ItemEntity(key: key, json: item.json, fetchedAt: now)) }
            }
            return items
        }
    }

    /// A page's entity with its items. What is known is confirmed where it has not changed.
    func page(
        _ request: PageRequest, _ key: PageKey, known: StoredPage?
    ) async throws(APIError) -> StoredPage {
        // An item that came another way since may differ from what the page showed: then there is nothing to confirm.
        let known = known.flatMap { page in
            page.items.allCame(at: page.page.fetchedAt) ? page : nil
        }
        switch try await remote.page(request, since: known?.page.validators) {
        case .changed(let dto, let validators):
            return try await mapping(dto.items.size, dto.url, dto.attempts) { () throws(APIError) in
                let page = try page(dto, key, validators)
                if !dto.unfound.isEmpty, request.page == .first || request.page == resource.list?.firstPage {
                    oddities.note(unfound: dto.unfound, resource.name)
                }
                return page
            }
        case .notModified(let validators):
            guard let known else { throw Self.unasked }
            return known.confirmed(at: clock.now(), validators)
        }
    }

    private func page(_ dto: PageDTO, _ key: PageKey, _ validators: Validators?) throws(APIError) -> StoredPage {
        let page = try pageMapper.map(dto)
        let isPartial = resource.list?.isComplete == false
        let now = clock.now()
        let items = PackedItems(
            texts: page.items, ids: page.ids, of: key.resource, isPartial: isPartial, fetchedAt: now)
        let entity = PageEntity(
            key: key, ids: page.ids, isPartial: isPartial, info: page.course, fetchedAt: now, count: dto.info.count,
            pages: dto.info.pages, next: dto.info.next, validators: validators)
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
            var error = error
            error.api = resource.api
            error.resource = resource.name
            error.url = url
            error.attempts = attempts
            throw error
        }
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
