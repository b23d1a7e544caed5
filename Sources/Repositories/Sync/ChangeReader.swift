import Catalog
import DataSources
import JSON
import Model

extension RemoteReader {
    /// Fetches a page of a list or of its changes. The catalog's `sync` declares how to read the answer.
    ///
    /// - Parameters:
    ///   - rules: the rules for the elements of the page.
    ///   - since: the settings of `sync` if its style is `since`; nil for the style `token`.
    ///   - pages: finds the page that comes before the fetched page, to compare both pages. If nil, no pages are
    ///     compared.
    @_optimize(size)
    func changes(
        _ request: PageRequest, _ rules: ElementRules, since: SinceDefinition?, beside pages: AdjacentPages?
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
                    () throws(APIError) in try self.changes(in: dto, pageKey, rules, since)
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
                (part.token, part.date) = (dto.token, dto.date)
                if rules.areIDs { part.ids = elements.ids }
                return .success(part)
            }
        } catch {
            return .failure(.remote(error))
        }
    }

    /// Divides the elements of an answer into items, ids of items, deleted items and ignored elements. If an item
    /// occurs several times, only its last element is used.
    @_optimize(size)
    private func changes(
        in dto: PageDTO, _ key: PageKey, _ rules: ElementRules, _ since: SinceDefinition?
    ) throws(APIError) -> (page: StoredPage, elements: ChangedElements) {
        var elements = ChangedElements()
        var changes: [ElementKind?] = []
        var places: [String: Int] = [:]
        for element in dto.items {
            if elements.skips(element, rules) { continue }
            let item = rules.item(in: element)
            let id = rules.id(in: element, as: resource.id) ?? pageMapper.id(of: item ?? element)
            let change: ElementKind?
            if elements.add(element, rules, since) {
                change = id.map { .deletion($0) }
            } else if rules.areIDs {
                change = id.map { .id($0) }
            } else {
                change = item.map { .item($0) }
            }
            guard let change else {
                guard pageMapper.skipsMismatches else { throw rules.mismatch(element) }
                elements.lacksItems = true
                continue
            }
            if let id, let earlier = places.updateValue(changes.count, forKey: id) {
                changes[earlier] = nil
                elements.omitsElements = true
            }
            changes.append(change)
        }
        for case .deletion(let id)? in changes { elements.removed.append(id) }
        for case .id(let id)? in changes { elements.ids.append(id) }
        var info = dto.info
        // One answer contains the whole list.
        if end.style.slices != nil { (info.next, info.pages) = (nil, nil) }
        let areOthers = elements.omitsElements || rules.item != nil || rules.areIDs
        let kept =
            areOthers ? ItemDTOs(changes.compactMap { if case .item(let item)? = $0 { item } else { nil } }) : dto.items
        return (try page(PageDTO(items: kept, info: info, url: dto.url, attempts: dto.attempts), key, nil), elements)
    }
}

/// The content of a list element: an item, or the id of a changed or deleted item.
private enum ElementKind {
    case item(ItemDTO)
    /// The id of an item that was changed.
    case id(String)
    /// The id of an item that was deleted.
    case deletion(String)
}

extension ElementRules {
    /// Returns the item in an element; nil if the element contains no item.
    fileprivate func item(in element: ItemDTO) -> ItemDTO? {
        guard let item else { return element }
        return element.json.withView { view in
            item.select(in: view).flatMap { found in
                found.isNull
                    ? nil
                    : ItemDTO(
                        json: element.json.part(found), path: "\(element.path).\(item.path)", url: element.url,
                        attempts: element.attempts)
            }
        }
    }

    /// Returns the id in an element; nil if no selector of the id is declared, or if the selector finds no valid id.
    fileprivate func id(in element: ItemDTO, as type: IDType) -> String? {
        guard let id else { return nil }
        return element.json.withView { view in
            id.select(in: view).flatMap { found in
                (found.string ?? found.number).flatMap { type.canonical($0) }
            }
        }
    }

    /// Returns the error for a list element from which Larder can read neither an item nor an id.
    fileprivate func mismatch(_ element: ItemDTO) -> APIError {
        let isDeleted = deleted.map { element.json.withView($0.applies) } ?? false
        let text =
            isDeleted
            ? "is a deleted item without an id; check 'deleted' of \"sync\""
            : areIDs
                ? "has no id of an item; check 'id' of \"sync\""
                : "has no item at '\(item?.path ?? "")'; check 'item' of \"sync\""
        return APIError(.decodingFailed, "'\(element.path)' \(text)", path: element.path)
    }
}

/// The deleted items in an answer, and the update times or sequence numbers of all elements in the answer.
private struct ChangedElements {
    /// The ids of deleted items.
    var removed: [String] = []
    /// The ids of changed items. Empty if the answer contains the items themselves.
    var ids: [String] = []
    var values: [SinceValue] = []
    /// Whether at least one element lacks an update time or sequence number.
    var lacksValues = false
    /// Whether the API returned elements that are not items of the list, or the same item twice.
    var omitsElements = false
    /// Whether an item could not be read.
    var lacksItems = false

    /// Returns whether a list element must be ignored, as declared in the catalog's `sync`. If so, sets
    /// `omitsElements`.
    mutating func skips(_ item: ItemDTO, _ rules: ElementRules) -> Bool {
        guard let rule = rules.skipped, item.json.withView(rule.applies) else { return false }
        omitsElements = true
        return true
    }

    /// Records the update time or sequence number of a list element. Returns whether the element stands for a deleted
    /// item.
    mutating func add(_ item: ItemDTO, _ rules: ElementRules, _ since: SinceDefinition?) -> Bool {
        if let since {
            if let value = item.json.withView(since.value(in:)) { values.append(value) } else { lacksValues = true }
        }
        guard let rule = rules.deleted, item.json.withView(rule.applies) else { return false }
        omitsElements = true
        return true
    }
}
