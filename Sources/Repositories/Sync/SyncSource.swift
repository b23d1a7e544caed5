import Catalog
import DataSources
import Model
import System

/// Fetches pages and items of a list from the API for a sync.
// A class, because the copies of a large struct need much code.
final class SyncSource: Sendable {
    /// The data that the API returned for one page of a list.
    struct Part: Sendable {
        /// The pages to store in the cache: the requested page, and other pages that the response contains.
        var pages: [PageEntity]
        var items: [ItemEntity]
        /// The ids of the page's items, in the API's order.
        var ids: [String]
        /// The next page; nil at the end of the list.
        var next: PageToken?
        /// The number of items in the whole list; nil if unknown.
        let count: Int?
        /// Whether `items` lacks an item of the page.
        var lacksItems: Bool
        /// The reason why an item of the page could not be fetched by its id; nil if no such request failed.
        var failure: String?
        /// The number of requests that the page needed.
        var requests = 1
        /// The keys of the items that the API reports as deleted.
        var removed: [ItemKey] = []
        /// The update times or sequence numbers of the elements on the page.
        var values: [SinceValue] = []
        /// Whether at least one element of the page lacks an update time or sequence number.
        var lacksValues = false
        /// Whether the API returned an element that is not an item of the list, or returned an item twice.
        var omitsElements = false
        /// The token for the next request for changes; nil if the answer contains none.
        var token: PageToken?
        /// The time of the answer by the clock of the API; nil if unknown.
        var date: Timestamp?
        /// The state of the shared cache level at the start of the request. It is required to store the items in that
        /// level. Nil if the level cannot store them.
        var ticket: FetchTicket?

        init(_ page: StoredPage, others: [StoredPage] = []) {
            let pages = [page] + others
            self.pages = pages.map(\.page)
            items = pages.flatMap { Array($0.items) }
            lacksItems = pages.contains { $0.page.hasSkipped }
            ids = page.page.ids
            // One answer can contain all pages of the list.
            next = others.isEmpty ? page.page.next : nil
            count = page.page.count
        }
    }

    let reader: RemoteReader
    /// A reader of the list that uses the settings of the catalog's `list`, but ignores the settings of `sync`.
    private let plain: RemoteReader
    let cache: Cache
    /// The catalog's `sync`, which declares how to request only changes; nil if the sync must read the whole list.
    let sync: SyncDefinition?
    /// The token from which the sync requests changes. Nil if the sync requests the whole list, or the changes since an
    /// update time or sequence number.
    let token: PageToken?

    /// Creates the source of one list.
    ///
    /// - Parameters:
    ///   - reader: the reader of the list.
    ///   - filters: the filters of the list. The sync must read the whole list if one of them is not among the
    ///     `filters` of the catalog's `sync`.
    init(_ reader: RemoteReader, filters: [PageRequest.Filter], cache: Cache) {
        let sync = reader.resource.sync.flatMap { sync in
            filters.allSatisfy { sync.filters.contains($0.name) } ? sync : nil
        }
        (self.sync, self.cache, plain, token) = (sync, cache, reader, nil)
        self.reader = sync == nil ? reader : reader.syncing(.wholeList)
    }

    private init(_ other: SyncSource, since token: PageToken) {
        (sync, cache, plain, self.token) = (other.sync, other.cache, other.plain, token)
        reader = plain.syncing(.changes)
    }

    /// Returns a source that requests only the changes since a token.
    func changes(since token: PageToken) -> SyncSource { SyncSource(self, since: token) }

    var key: ResourceKey { reader.key }

    /// The pagination style of the list.
    private var style: any PaginationContract { reader.end.style }

    /// Whether the items of a page must be fetched by their ids.
    private var isHydrated: Bool { reader.resource.list?.isHydrated == true }

    private func neighbours(_ previous: AdjacentPage?) -> AdjacentPages {
        AdjacentPages(cache: cache, key: key, style: style, previous: previous)
    }

    /// The token of the first page of the list, or of its changes. If the catalog's `sync` declares no parameter for
    /// the sync token, the sync token is the URL of the first page of changes.
    var first: PageToken {
        if let token, sync?.token?.parameter == nil { return token }
        return reader.resource.list?.firstPage ?? .first
    }

    /// Whether the API reports the end of the list.
    var knowsItsEnd: Bool { !(style is SinglePage) || sync?.token?.beginsWithChanges == true }

    /// Whether items of the list may move to an earlier page while the list is read.
    var shifts: Bool { style.mayShift }

    /// Whether the next sync starts at the first token that this sync reads. If false, it starts at the last token.
    var keepsFirstToken: Bool { sync?.token?.keepsFirstToken(ofWholeList: token == nil, style) ?? false }

    /// Whether the API can return single items by id.
    var canConfirm: Bool { reader.resource.canGet }

    /// Fetches one page with its items.
    ///
    /// - Parameters:
    ///   - bound: the smallest update time or sequence number to request; nil for the whole list.
    ///   - previous: the page before the fetched page; nil if it is unknown. The cache might not contain this page.
    @_optimize(size)
    func part(
        _ page: PageToken, filters: [PageRequest.Filter], since bound: SinceValue?, after previous: AdjacentPage?
    ) async throws(RepositoryError) -> Part {
        let request = request(page, filters: filters, since: bound)
        let ticket = await cache.beginFetch(of: key)
        var part: Part
        if let sync {
            let sharesPages = bound == nil && token == nil && sync.sharesPages && style.slices == nil
            let rules = sync.elements(ofWholeList: token == nil)
            part = try await reader.changes(
                request, rules, since: sync.since, beside: sharesPages ? neighbours(previous) : nil
            ).get()
            // These pages may differ from the pages of the list, so they are not stored as such.
            if !sharesPages || part.omitsElements { part.pages = [] }
        } else {
            let fetched = await reader.fetch(
                request, Wanted(PageKey(resource: key, request)), beside: neighbours(previous))
            guard let outcome = fetched.outcomes.first else { throw .remote(.absent) }
            part = Part(try outcome.get(), others: fetched.others)
        }
        if let sync, sync.elements(ofWholeList: token == nil).areIDs {
            let named = await fetchItems(part.ids.map { ItemKey(resource: key, id: $0) }, isProof: true)
            part.items += named.found
            part.removed += named.missing
            part.lacksItems = part.lacksItems || named.hasFailed
            part.failure = named.failure
            part.requests += named.requests
        } else if isHydrated {
            let complete = await fetchItems(part.ids.map { ItemKey(resource: key, id: $0) })
            part.items = complete.found
            part.lacksItems = part.lacksItems || complete.hasFailed
            part.failure = complete.failure
            part.requests += complete.requests
        }
        part.ticket = ticket
        return part
    }

    /// Returns the request for a page. If there is a `bound`, the page contains only changes since this update time or
    /// sequence number.
    func request(_ page: PageToken, filters: [PageRequest.Filter], since bound: SinceValue?) -> PageRequest {
        let value = bound.flatMap { sync?.since?.sent($0) } ?? (sync?.token?.parameter == nil ? nil : token?.json)
        return PageRequest(
            page: page, filters: filters + (value.map { [PageRequest.Filter(SyncDefinition.filter, $0)] } ?? []))
    }

    /// The API's answers to requests for items by id.
    struct Items: Sendable {
        var found: [ItemEntity] = []
        /// The keys of the items that the API does not have.
        var missing: [ItemKey] = []
        /// Whether the result for some items is unknown, because a request failed or was not sent.
        var hasFailed = false
        /// The error message for the first item that could not be fetched; nil if there was no error.
        var failure: String?
        var requests = 0
    }

    /// Fetches items by their ids, with as few requests as the API allows.
    ///
    /// - Parameters:
    ///   - maxRequests: the maximum number of requests; nil for no limit.
    ///   - isProof: whether to fetch the items one by one if a request for several ids returns nothing. Some APIs
    ///     return nothing for several ids if one of the items does not exist.
    @_optimize(size)
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
                case .failure(let error):
                    items.hasFailed = true
                    let cause = error.cause.map { ": \($0.message)" } ?? ""
                    items.failure = items.failure ?? "the item '\(key.id)' could not be fetched\(cause)"
                }
            }
        }
        if !rest.isEmpty { items.hasFailed = true }
        return items
    }
}

extension Result<ItemEntity, RepositoryError> {
    /// Whether the API reported that the item does not exist.
    fileprivate var isMissing: Bool {
        if case .failure(let error) = self { error.cause?.kind == .notFound } else { false }
    }
}
