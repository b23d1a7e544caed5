import Catalog
import DataSources
import JSON
import Model

extension RemoteReader {
    /// Fetches a page of a list or of its changes. The catalog's `sync` declares how to read the answer.
    ///
    /// - Parameter pages: finds the previous page, to compare it with the fetched page. If nil, no pages are compared.
    @_optimize(size)
    func changes(
        _ request: PageRequest, _ sync: SyncDefinition, beside pages: AdjacentPages?
    ) async -> Result<SyncSource.Part, RepositoryError> {
        let page = request.page
        let pageKey = PageKey(resource: key, request)
        do throws(APIError) {
            switch try await remote.page(request, since: nil) {
            case .pastTheEnd(let error):
                guard end.style.lacksEndSignal else { return .failure(.noPage(error)) }
                return .success(SyncSource.Part(emptyPage(pageKey, on: page, count: nil)))
            case .notModified: throw Self.unexpectedNotModified
            case .page(let dto, _):
                let (stored, elements) = try await mapping(dto.items.size, dto.url, dto.attempts) {
                    () throws(APIError) in try self.changes(in: dto, pageKey, sync)
                }
                var part = SyncSource.Part(stored)
                if let pages, !elements.omitsElements, end.isCompared(dto, on: page),
                    let before = await pages.before(request)
                {
                    switch try compared(stored, dto, on: page, with: before).outcomes[0] {
                    case .success(let page): part = SyncSource.Part(page)
                    case .failure(let error): return .failure(error)
                    }
                }
                part.lacksItems = part.lacksItems || elements.lacksItems
                part.removed = elements.removed.map { ItemKey(resource: key, id: $0) }
                (part.values, part.lacksValues) = (elements.values, elements.lacksValues)
                part.omitsElements = elements.omitsElements
                return .success(part)
            }
        } catch {
            return .failure(.remote(error))
        }
    }

    /// Divides the elements of an answer into items, deleted items and ignored elements. If an item occurs several
    /// times, only its last element is used.
    @_optimize(size)
    private func changes(
        in dto: PageDTO, _ key: PageKey, _ sync: SyncDefinition
    ) throws(APIError) -> (page: StoredPage, elements: ChangedElements) {
        var elements = ChangedElements()
        var items: [ItemDTO?] = []
        var deletedIDs: [String?] = []
        var places: [String: Int] = [:]
        for item in dto.items {
            if elements.skips(item, sync) { continue }
            let id = pageMapper.id(of: item)
            let isDeleted = elements.add(item, sync)
            if isDeleted, id == nil {
                guard pageMapper.skipsMismatches else {
                    throw APIError(
                        .decodingFailed, "'\(item.path)' is a deleted item without an id; check 'deleted' of \"sync\"",
                        path: item.path)
                }
                elements.lacksItems = true
                continue
            }
            if let id, let earlier = places.updateValue(items.count, forKey: id) {
                (items[earlier], deletedIDs[earlier]) = (nil, nil)
                elements.omitsElements = true
            }
            items.append(isDeleted ? nil : item)
            deletedIDs.append(isDeleted ? id : nil)
        }
        elements.removed = deletedIDs.compactMap { $0 }
        var info = dto.info
        // One answer contains the whole list.
        if end.style.slices != nil { (info.next, info.pages) = (nil, nil) }
        let kept = elements.omitsElements ? ItemDTOs(items.compactMap { $0 }) : dto.items
        return (try page(PageDTO(items: kept, info: info, url: dto.url, attempts: dto.attempts), key, nil), elements)
    }
}

/// The deleted items in an answer, and the update times or sequence numbers of all elements in the answer.
private struct ChangedElements {
    /// The ids of deleted items.
    var removed: [String] = []
    var values: [SinceValue] = []
    /// Whether an element has no update time or sequence number.
    var lacksValues = false
    /// Whether the API returned elements that are not items of the list, or the same item twice.
    var omitsElements = false
    /// Whether an item could not be read.
    var lacksItems = false

    /// Returns whether the catalog's `sync` excludes an element from the items.
    mutating func skips(_ item: ItemDTO, _ sync: SyncDefinition) -> Bool {
        guard let rule = sync.skipped, item.json.withView(rule.applies) else { return false }
        omitsElements = true
        return true
    }

    /// Records the update time or sequence number of an element. Returns whether the element reports a deleted item.
    mutating func add(_ item: ItemDTO, _ sync: SyncDefinition) -> Bool {
        if let value = item.json.withView(sync.since.value(in:)) { values.append(value) } else { lacksValues = true }
        guard let rule = sync.deleted, item.json.withView(rule.applies) else { return false }
        omitsElements = true
        return true
    }
}
