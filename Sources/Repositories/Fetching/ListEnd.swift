import Catalog
import DataSources
import JSON
import Model

/// How a list ends whose API does not say that a page was the last: it refuses the page after it, or gives one again.
struct ListEnd: Sendable {
    let style: any PaginationContract

    /// What a page is to the one before it.
    enum Finding: Equatable {
        /// Another page of the list.
        case another
        /// Its last one.
        case last
        /// The same page again.
        case repeated
    }

    /// Whether an error is the API's way to say that the list has no such page.
    func isReached(by error: APIError, on page: PageToken) -> Bool {
        style.endsSilently && page != style.first && error.isOfPagePastTheEnd
    }

    /// Whether an answer is to be compared with the page before it.
    func isCompared(_ dto: PageDTO, on page: PageToken) -> Bool {
        page != style.first && !dto.items.isEmpty && style.before(page, firstHas: 1) != nil
    }

    /// Compares a page, of which so many items came, with the one before it.
    func compare(_ page: PageEntity, of count: Int, on token: PageToken, with before: Neighbour) -> Finding {
        if !page.ids.isEmpty, page.ids == before.page.ids { return .repeated }
        // Items that were left out of a page have come all the same, so it is the offsets that tell its length.
        guard style.endsWithFewerItems, case .number(let start) = token, case .number(let other) = before.token else {
            return .another
        }
        return count < start - other ? .last : .another
    }

    /// The error for a page that comes again, where the API could say that the list has ended.
    static var repeated: APIError {
        var error = APIError(
            .invalidResponse, "the page has the items of the one before it: does the API know the page's parameter?")
        error.isRepeatedPage = true
        return error
    }
}

extension APIError {
    /// Whether an API may answer with it where a list has no such page.
    var isOfPagePastTheEnd: Bool { kind == .notFound || (status == 400 && kind == .invalidRequest) }
}

/// A kept page that leads to another, and what names it.
struct Neighbour: Sendable {
    let page: PageEntity
    let token: PageToken
}

/// The pages that are kept beside one.
struct Neighbours: Sendable {
    let cache: Cache
    let key: ResourceKey
    let style: any PaginationContract

    /// The page that leads to another, whatever its age; nil where none is kept, or none can be found.
    func before(_ request: PageRequest) async -> Neighbour? {
        if let page = await kept(style.before(request.page, firstHas: nil), request) { return page }
        let first = await cache.page(key(of: style.first, request))
        return await kept(style.before(request.page, firstHas: first?.ids.count), request)
    }

    private func kept(_ token: PageToken?, _ request: PageRequest) async -> Neighbour? {
        guard let token, let page = await cache.page(key(of: token, request)), page.next == request.page else {
            return nil
        }
        return Neighbour(page: page, token: token)
    }

    private func key(of token: PageToken, _ request: PageRequest) -> PageKey {
        PageKey(resource: key, PageRequest(page: token, filters: request.filters))
    }
}
