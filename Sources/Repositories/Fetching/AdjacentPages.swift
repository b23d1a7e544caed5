import Catalog
import Model

/// A cached page whose next page is the page at hand.
struct AdjacentPage: Sendable {
    let page: PageEntity
    /// The token that names the page.
    let token: PageToken
}

/// The cached pages of a list that precede a page.
struct AdjacentPages: Sendable {
    let cache: Cache
    let key: ResourceKey
    let style: any PaginationContract

    /// Returns the cached page before the requested one, of any age; nil if there is none, or its token is unknown.
    func before(_ request: PageRequest) async -> AdjacentPage? {
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
