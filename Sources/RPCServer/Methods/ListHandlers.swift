import Catalog
import DataSources
import JSON
import Model
import Protocol
import Repositories

/// `RESOURCE/list`: returns one page of the resource's list.
struct ListHandler: Handler {
    let context: ResourceContext
    let list: ListDefinition

    /// The validated parameters of a `list` request.
    struct Request: Sendable {
        let page: PageRequest
        let fields: FieldsParam?
        let control: CacheControl
    }

    var readsCache: Bool { true }
    var mayAskAPI: Bool { true }

    var description: MethodDescription {
        MethodDescription(
            tag: .resource(context.name), summary: "Returns one page of the list.",
            details: "To read the whole list, request `next` until it is null.",
            narrowed: ["page": list.pageSchema, "filter": list.filterSchema, "fields": context.fieldsSchema],
            result: ListResult.schema(item: context.listItemSchema, page: list.pageSchema))
    }

    var explain: Explain? {
        { (params) throws(RPCError) in
            let request = try request(ListParams(params))
            return ExplainQuestion(context: context, control: request.control) {
                await context.repository.explainPage(request.page, request.control)
            }
        }
    }

    func begin(
        _ params: ListParams, in session: Session, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        let request = try request(params)
        if let hit = cached(request) {
            hit.write(to: &result)
            return .answered
        }
        return .work(Work { () async throws(RPCError) in try await read(request) })
    }

    /// Validates the parameters of a `list` request.
    ///
    /// - Throws: `invalidParams` for a page or a filter that is invalid for the list, and for an unknown field.
    func request(_ params: ListParams) throws(RPCError) -> Request {
        Request(
            page: try list.request(page: params.page, filter: params.filter), fields: try context.fields(params.fields),
            control: context.control(params.freshness))
    }

    /// Returns the page from memory. Returns nil if memory alone cannot answer the request. Never blocks.
    func cached(_ request: Request) -> ListResult? {
        context.repository.cachedPage(request.page, request.control).map { result($0, request) }
    }

    /// Reads the page from the cache or the API, according to the request's cache policy.
    func read(_ request: Request) async throws(RPCError) -> ListResult {
        let answer = try await context.errors.mapping { () async throws(RepositoryError) in
            try await context.repository.page(request.page, request.control)
        }
        return result(answer, request)
    }

    private func result(_ answer: Answer<Page>, _ request: Request) -> ListResult {
        let fields = context.checked(request.fields, in: answer.value.items)
        return ListResult(
            items: fields?.pick(from: answer.value.items) ?? answer.value.items, page: answer.value.info,
            skipped: answer.value.skipped, missing: answer.value.missing.map { $0.map(context.json) },
            provenance: context.provenance(answer))
    }
}

/// `RESOURCE/prefetch`: fetches a whole list into the cache for offline use.
struct PrefetchHandler: Handler {
    let context: ResourceContext
    let list: ListDefinition

    /// The validated parameters of a `prefetch` request.
    struct Request: Sendable {
        let filters: [PageRequest.Filter]
        /// The maximum number of pages to fetch; nil for all pages.
        let maxPages: Int?
        let control: CacheControl
    }

    var readsCache: Bool { true }
    var mayAskAPI: Bool { true }

    var description: MethodDescription {
        MethodDescription(
            tag: .resource(context.name),
            summary: "Fetches a whole list into the cache, so that it can be read offline.",
            narrowed: ["filter": list.filterSchema], result: PrefetchResult.schema)
    }

    func begin(
        _ params: PrefetchParams, in session: Session, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        let request = try request(params)
        return .work(
            Work(speaking: { (scope) async throws(RPCError) in try await fetch(request, scope.progress) }))
    }

    /// Validates the parameters of a `prefetch` request.
    ///
    /// - Throws: `invalidParams` for a filter that is invalid for the list.
    func request(_ params: PrefetchParams) throws(RPCError) -> Request {
        Request(
            filters: try list.filters(params.filter), maxPages: params.maxPages, control: context.control(.standard))
    }

    /// Fetches the pages of the list that are not cached or no longer fresh.
    func fetch(_ request: Request, _ progress: Progress?) async throws(RPCError) -> PrefetchResult {
        let answer = try await context.errors.mapping { () async throws(RepositoryError) in
            try await context.repository.prefetch(
                filters: request.filters, limit: request.maxPages, request.control
            ) { done, total in
                let pages = total.map { "page \(done) of \($0)" } ?? "page \(done)"
                progress?.report(done, of: total, pages)
            }
        }
        return PrefetchResult(
            pages: answer.pages, items: answer.items, fetched: answer.fetched, reused: answer.reused,
            complete: answer.isComplete)
    }
}
