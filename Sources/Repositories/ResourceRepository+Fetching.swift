import DataSources
import System

/// From the remote's words to entries.
extension ResourceRepository {
    /// Fetches an item and keeps it; one that the remote has no longer is forgotten.
    func keepItem(
        _ key: ItemKey, known: ItemEntity?, epoch: Int
    ) async throws(APIError) -> Found<ItemEntity> {
        do throws(APIError) {
            let item = try await fetchItem(key, known: known)
            save(LocalChange(items: [item]), askedIn: epoch)
            return Found(entry: item, source: .remote)
        } catch {
            if error.kind == .notFound { forget(key) }
            throw error
        }
    }

    /// Fetches a page and keeps it; one that the remote has no longer is forgotten.
    func keepPage(
        _ request: PageRequest, _ key: PageKey, known: StoredPage?, epoch: Int
    ) async throws(APIError) -> Found<StoredPage> {
        do throws(APIError) {
            let page = try await fetchPage(request, key, known: known)
            save(LocalChange(items: page.items, page: page.page), askedIn: epoch)
            return Found(entry: page, source: .remote)
        } catch {
            if error.kind == .notFound { forget(key) }
            throw error
        }
    }

    /// An item's entity; it is kept under the id that was asked for. What is known is confirmed where it has not
    /// changed.
    func fetchItem(_ key: ItemKey, known: ItemEntity?) async throws(APIError) -> ItemEntity {
        switch try await remote.item(key.id, since: known?.validators) {
        case .changed(let dto, let validators):
            return try mapping(dto.url, dto.attempts) { () throws(APIError) in
                let item = try itemMapper.map(dto, isPartial: false, id: key.id)
                if let other = try itemMapper.strangeID(of: dto, isAsked: { $0 == key.id }) {
                    strangeIDs.note(other, askedFor: key.id, resource.name)
                }
                return ItemEntity(key: key, json: item.json, fetchedAt: clock.now(), validators: validators)
            }
        case .notModified(let validators):
            guard let known else { throw Self.unasked }
            return known.confirmed(at: clock.now(), validators)
        }
    }

    /// A page's entity with its items. What is known is confirmed where it has not changed.
    func fetchPage(_ request: PageRequest, _ key: PageKey, known: StoredPage?) async throws(APIError) -> StoredPage {
        // An item that came another way since may differ from what the page showed: then there is nothing to confirm.
        let known = known.flatMap { page in
            page.items.allCame(at: page.page.fetchedAt) ? page : nil
        }
        switch try await remote.page(request, since: known?.page.validators) {
        case .changed(let dto, let validators):
            return try mapping(dto.url, dto.attempts) { () throws(APIError) in try page(dto, key, validators) }
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
            texts: page.texts, ids: page.ids, of: key.resource, isPartial: isPartial, fetchedAt: now)
        let entity = PageEntity(
            key: key, ids: page.ids, isPartial: isPartial, info: pageInfoMapper.map(page.info),
            fetchedAt: now, count: page.info.count, validators: validators)
        return StoredPage(page: entity, items: items)
    }

    private static var unasked: APIError {
        APIError(.invalidResponse, "the API says that nothing has changed, and was not asked that")
    }

    /// Completes the error of a mapping with where the answer came from, and how many requests it took.
    func mapping<Value>(_ url: String?, _ attempts: Int, _ map: () throws(APIError) -> Value) throws(APIError) -> Value
    {
        do throws(APIError) {
            return try map()
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
                count: page.count, validators: newer ?? page.validators),
            items: items.confirmed(at: moment))
    }
}
