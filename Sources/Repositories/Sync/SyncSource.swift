import Catalog
import DataSources
import Model

/// Fetches the parts of a list from the API, for a sync.
struct SyncSource: Sendable {
    /// The answer to the requests for one page of a list.
    struct Part: Sendable {
        /// The pages to store.
        let pages: [PageEntity]
        let items: [ItemEntity]
        /// The ids on the page, in order.
        let ids: [String]
        /// The page that follows; nil at the end of the list.
        let next: PageToken?
        /// The number of items in the whole list; nil if unknown.
        let count: Int?
        /// Whether an item of the page is missing in `items`.
        let lacksItems: Bool
        /// The number of requests for the part.
        let requests: Int
    }

    let reader: RemoteReader
    let key: ResourceKey
    let neighbours: AdjacentPages
    /// Whether the items of a page must be fetched by their ids.
    let isHydrated: Bool

    /// The pagination style of the list.
    private var style: any PaginationContract { neighbours.style }

    /// The first page of the list.
    var first: PageToken { reader.resource.list?.firstPage ?? .first }

    /// Whether the API reports the end of the list.
    var knowsItsEnd: Bool { !(style is SinglePage) }

    /// Whether items of the list may move to an earlier page while the list is read. A cursor keeps its place in the
    /// list; the pages of a link or a URL may be numbered.
    var shifts: Bool {
        !(style is CursorPagination || style is RelayPagination || style is SlicePagination || style is SinglePage)
    }

    /// Whether the API can be asked for single items.
    var canConfirm: Bool { reader.resource.canGet }

    /// Fetches one page with its items.
    func part(_ request: PageRequest) async throws(RepositoryError) -> Part {
        let wanted = Wanted(PageKey(resource: key, request))
        let fetched = await reader.fetch(request, wanted, beside: neighbours)
        guard let outcome = fetched.outcomes.first else { throw .remote(.absent) }
        let stored = try outcome.get()
        // One answer can contain all pages of the list.
        let isWholeList = !fetched.others.isEmpty
        let pages = [stored] + fetched.others
        var items = pages.flatMap { Array($0.items) }
        var lacksItems = pages.contains { $0.page.hasSkipped }
        var requests = 1
        if isHydrated {
            let complete = await fetchItems(stored.page.itemKeys.map { ItemKey(resource: key, id: $0.id) })
            items = complete.found
            lacksItems = lacksItems || complete.hasFailed
            requests += complete.requests
        }
        return Part(
            pages: pages.map(\.page), items: items, ids: stored.page.ids, next: isWholeList ? nil : stored.page.next,
            count: stored.page.count, lacksItems: lacksItems, requests: requests)
    }

    /// The answers of the API to requests for single items.
    struct Items: Sendable {
        var found: [ItemEntity] = []
        /// The items that the API does not have.
        var missing: [ItemKey] = []
        /// Whether a request failed or was not made.
        var hasFailed = false
        var requests = 0
    }

    /// Fetches items by their ids, with as few requests as the API allows.
    ///
    /// - Parameters:
    ///   - maxRequests: the maximum number of requests; nil for no limit.
    ///   - isProof: whether a missing item must certainly be missing. Some APIs return nothing for several ids if one
    ///     of them does not exist. The items of such an answer are then fetched one by one.
    func fetchItems(_ keys: [ItemKey], maxRequests: Int? = nil, isProof: Bool = false) async -> Items {
        var items = Items()
        var rest = keys[...]
        var isSingle = false
        while !rest.isEmpty, !Task.isCancelled, items.requests < maxRequests ?? .max {
            let some = Array(rest.prefix(isSingle ? 1 : reader.maxIDs))
            items.requests += 1
            let fetched = await reader.fetch(some.map { Wanted($0) })
            if isProof, some.count > 1, fetched.outcomes.allSatisfy(\.isMissing) {
                isSingle = true
                continue
            }
            rest = rest.dropFirst(some.count)
            for (key, outcome) in zip(some, fetched.outcomes) {
                switch outcome {
                case .success(let item): items.found.append(item)
                case .failure(let error) where error.cause?.kind == .notFound: items.missing.append(key)
                case .failure: items.hasFailed = true
                }
            }
        }
        if !rest.isEmpty { items.hasFailed = true }
        return items
    }
}

extension Result<ItemEntity, RepositoryError> {
    /// Whether the API does not have the item.
    fileprivate var isMissing: Bool {
        if case .failure(let error) = self { error.cause?.kind == .notFound } else { false }
    }
}
