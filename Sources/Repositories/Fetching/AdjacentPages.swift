import Catalog
import Model

/// The cached page directly before a page that is being fetched.
struct AdjacentPage: Sendable {
    let page: PageEntity
    /// The page token with which a client can request the cached page.
    let token: PageToken
}

/// Finds the cached page that comes directly before a requested page of the same list.
struct AdjacentPages: Sendable {
    let cache: Cache
    let key: ResourceKey
    let style: any PaginationContract
    /// The page that the caller has just read; nil if there is none. The cache might not contain this page yet.
    var previous: AdjacentPage?

    /// Returns the cached page, of any age, that comes before the requested page; nil if there is none.
    func before(_ request: PageRequest) async -> AdjacentPage? {
        if let previous, previous.page.next == request.page { return previous }
        if let page = await cached(style.before(request.page, firstPageCount: nil), request) { return page }
        let first = await cache.page(key(of: style.first, request))
        return await cached(style.before(request.page, firstPageCount: first?.ids.count), request)
    }

    private func cached(_ token: PageToken?, _ request: PageRequest) async -> AdjacentPage? {
        guard let token, let page = await cache.page(key(of: token, request)), page.next == request.page else {
            return nil
        }
        return AdjacentPage(page: page, token: token)
    }

    private func key(of token: PageToken, _ request: PageRequest) -> PageKey {
        PageKey(resource: key, PageRequest(page: token, filters: request.filters))
    }
}
