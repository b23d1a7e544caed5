import DataSources
import JSON
import Protocol
import Repositories

/// `RESOURCE/get`: returns one item of a resource.
struct GetHandler: Handler {
    let context: ResourceContext

    /// The validated parameters of a `get` request.
    struct Request: Sendable {
        let id: String
        let fields: FieldsParam?
        let control: CacheControl
    }

    var readsCache: Bool { true }
    var mayAskAPI: Bool { true }

    var description: MethodDescription {
        MethodDescription(
            tag: .resource(context.name), summary: "Returns one item.",
            narrowed: ["id": context.idType.paramSchema, "fields": context.fieldsSchema],
            result: GetResult.schema(item: context.itemSchema))
    }

    var explain: Explain? {
        { (params) throws(RPCError) in
            let request = try request(GetParams(params))
            return ExplainQuestion(context: context, control: request.control) {
                await context.repository.explainItem(request.id, request.control)
            }
        }
    }

    func begin(
        _ params: GetParams, in session: Session, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        let request = try request(params)
        if let hit = context.repository.cachedItem(request.id, request.control) {
            if request.fields != nil {
                self.result(hit, request).write(to: &result)
                return .answered
            }
            GetResult.writeHit(
                hit.value, fetchedAt: hit.fetchedAt.milliseconds, isStale: hit.isStale, to: &result)
            return .answered
        }
        if context.repository.readsSharedAtOnce { return .work(SharedItemRead(handler: self, request: request).work) }
        return .work(Work(speaking: { (_) async throws(RPCError) in try await read(request) }))
    }

    /// Validates the parameters of a `get` request.
    ///
    /// - Throws: `invalidParams` for an id that is invalid for the resource, and for an unknown field.
    @inline(__always)
    func request(_ params: GetParams) throws(RPCError) -> Request {
        Request(
            id: try context.id(params.id), fields: try context.fields(params.fields),
            control: context.control(params.freshness))
    }

    /// Returns the item from memory. Returns nil if memory alone cannot answer the request. Never blocks.
    func cached(_ request: Request) -> GetResult? {
        context.repository.cachedItem(request.id, request.control).map { result($0, request) }
    }

    /// Reads the item from the cache or the API, according to the request's cache policy.
    ///
    /// - Parameter skipsShared: whether to skip the shared cache (Redis). True if an earlier read found no entry there.
    func read(_ request: Request, skipsShared: Bool = false) async throws(RPCError) -> GetResult {
        let answer = try await context.errors.mapping { () async throws(RepositoryError) in
            try await context.repository.item(request.id, request.control, skipsShared: skipsShared)
        }
        return result(answer, request)
    }

    fileprivate func result(_ answer: Answer<[UInt8]>, _ request: Request) -> GetResult {
        let fields = context.checked(request.fields, in: CollectionOfOne(answer.value))
        return GetResult(
            item: fields?.pick(from: answer.value) ?? answer.value, provenance: context.provenance(answer))
    }
}

/// A read of one item, which tries the shared cache (Redis) first.
///
/// A class rather than a struct, because several closures refer to it.
private final class SharedItemRead: Sendable {
    let handler: GetHandler
    let request: GetHandler.Request

    init(handler: GetHandler, request: GetHandler.Request) { (self.handler, self.request) = (handler, request) }

    /// The asynchronous work of the request. It first reads the item from the shared cache, without a Swift task. If
    /// the shared cache has no usable item, a task reads the cache file or calls the API.
    var work: Work {
        Work(shortcut: { [self] then in
            handler.context.repository.readShared(request.id, request.control) { [self] read in
                switch read {
                case .found(let answer): then(.result(handler.result(answer, request)))
                case .outdated: then(.work(Work { [self] () async throws(RPCError) in try await item(false) }))
                case .missing: then(.work(Work { [self] () async throws(RPCError) in try await item(true) }))
                }
            }
        }) { [self] () async throws(RPCError) in try await item(false) }
    }

    private func item(_ skipsShared: Bool) async throws(RPCError) -> any RPCResult {
        try await handler.read(request, skipsShared: skipsShared)
    }
}

/// `RESOURCE/getMany`: returns several items of a resource in the requested order.
struct GetManyHandler: Handler {
    let context: ResourceContext

    /// The validated parameters of a `getMany` request.
    struct Request: Sendable {
        let ids: [String]
        let fields: FieldsParam?
        let control: CacheControl
    }

    var readsCache: Bool { true }
    var mayAskAPI: Bool { true }

    var description: MethodDescription {
        MethodDescription(
            tag: .resource(context.name),
            summary: "Returns several items in the requested order, with as few API requests as possible.",
            narrowed: ["ids": .array(of: context.idType.paramSchema), "fields": context.fieldsSchema],
            result: GetManyResult.schema(item: context.itemSchema, id: context.idType.schema))
    }

    var explain: Explain? {
        { (params) throws(RPCError) in
            let request = try request(GetManyParams(params))
            return ExplainQuestion(context: context, control: request.control) {
                await context.repository.explainItems(request.ids, request.control)
            }
        }
    }

    func begin(
        _ params: GetManyParams, in session: Session, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        let request = try request(params)
        // A client that requested progress notifications receives them even if all items are in the memory cache.
        if params.progressToken == nil, let hit = cached(request) {
            hit.write(to: &result)
            return .answered
        }
        return .work(
            Work(speaking: { (scope) async throws(RPCError) in try await read(request, scope.progress) }))
    }

    /// Validates the parameters of a `getMany` request.
    ///
    /// - Throws: `invalidParams` for an id that is invalid for the resource, and for an unknown field.
    func request(_ params: GetManyParams) throws(RPCError) -> Request {
        var ids: [String] = []
        ids.reserveCapacity(params.ids.count)
        for id in params.ids { ids.append(try context.id(id, named: "ids")) }
        return Request(
            ids: ids, fields: try context.fields(params.fields), control: context.control(params.freshness))
    }

    /// Returns the items from memory. Returns nil if memory alone cannot answer the request. Never blocks.
    func cached(_ request: Request) -> GetManyResult? {
        context.repository.cachedItems(request.ids, request.control).map { result($0, request) }
    }

    /// Reads the items from the cache or the API, according to the request's cache policy.
    func read(_ request: Request, _ progress: Progress?) async throws(RPCError) -> GetManyResult {
        let answer = try await context.errors.mapping { () async throws(RepositoryError) in
            try await context.repository.items(request.ids, request.control) { done, total in
                progress?.report(done, of: total, "\(done) of \(total) items")
            }
        }
        return result(answer, request)
    }

    private func result(_ answer: BatchAnswer, _ request: Request) -> GetManyResult {
        let fields = context.checked(request.fields, in: answer.items)
        return GetManyResult(
            items: fields?.pick(from: answer.items) ?? answer.items,
            missing: answer.missing.map(context.json),
            sources: context.counted(answer.sources),
            fallback: answer.fallback.map { context.errors.remote($0) }, oldest: answer.oldest)
    }
}
