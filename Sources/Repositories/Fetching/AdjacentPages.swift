import Catalog
import Model

/// A cached page that leads to another one.
struct AdjacentPage: Sendable {
    let page: PageEntity
    /// The page's name.
    let token: PageToken
}

/// Finds the cached pages beside one of the same list.
struct AdjacentPages: Sendable {
    let cache: Cache
    let key: ResourceKey
    let style: any PaginationContract

    /// Returns the cached page that leads to another, whatever its age; nil if there is none, or it cannot be found.
    func before(_ request: PageRequest) async -> AdjacentPage? {
        if let page = await cached(style.before(request.page, firstHas: nil), request) { return page }
        let first = await cache.page(key(of: style.first, request))
        return await cached(style.before(request.page, firstHas: first?.ids.count), request)
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
