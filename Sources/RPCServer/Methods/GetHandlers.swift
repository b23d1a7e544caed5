import DataSources
import JSON
import Protocol
import Repositories

/// `R/get`: one item.
struct GetHandler: ResourceHandler {
    var context: ResourceContext

    var readsCache: Bool { true }
    var mayAskAPI: Bool { true }

    var description: MethodDescription {
        MethodDescription(
            tag: .resource(context.name), summary: "One item.",
            narrowed: ["id": context.idType.paramSchema, "fields": context.fieldsSchema],
            result: GetResult.schema(item: context.itemSchema))
    }

    func begin(
        _ params: GetParams, in session: Session, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        let id = try context.id(params.id)
        let fields = try context.fields(params.fields)
        let control = context.control(params.freshness)
        if let hit = context.repository.cachedItem(id, control) {
            if let fields {
                self.result(hit, fields).write(to: &result)
                return .answered
            }
            GetResult.writeHit(
                hit.value, fetchedAt: hit.fetchedAt.milliseconds, isStale: hit.isStale, to: &result)
            return .answered
        }
        return .work(ItemRead(handler: self, id: id, control: control, fields: fields).work)
    }

    fileprivate func result(_ answer: Answer<[UInt8]>, _ fields: FieldsParam?) -> GetResult {
        GetResult(item: fields?.pick(from: answer.value) ?? answer.value, provenance: context.provenance(answer))
    }
}

/// A read of one item that memory could not answer.
///
/// A class rather than a struct because several closures keep it, and copies of the handler are large.
private final class ItemRead: Sendable {
    let handler: GetHandler
    let id: String
    let control: CacheControl
    let fields: FieldsParam?

    init(handler: GetHandler, id: String, control: CacheControl, fields: FieldsParam?) {
        (self.handler, self.id, self.control, self.fields) = (handler, id, control, fields)
    }

    /// Reads the shared level at once if that comes next, and all levels otherwise.
    var work: Work {
        Work(shortcut: { [self] then in
            handler.context.repository.readShared(id, control) { [self] read in
                switch read {
                case .found(let answer): then(.result(handler.result(answer, fields)))
                case .outdated: then(.work(Work { [self] () async throws(RPCError) in try await item(false) }))
                case .missing: then(.work(Work { [self] () async throws(RPCError) in try await item(true) }))
                }
            }
        }) { [self] () async throws(RPCError) in try await item(false) }
    }

    private func item(_ skipsShared: Bool) async throws(RPCError) -> any RPCResult {
        do throws(RepositoryError) {
            let answer = try await handler.context.repository.item(id, control, skipsShared: skipsShared)
            return handler.result(answer, fields)
        } catch {
            throw handler.context.errors.map(error)
        }
    }
}

extension GetHandler: ExplainableHandler {
    func explain(_ params: GetParams) throws(RPCError) -> ExplainHandler.Question {
        let id = try context.id(params.id)
        _ = try context.fields(params.fields)
        let control = context.control(params.freshness)
        return ExplainHandler.Question(context: context, control: control) {
            await context.repository.explainItem(id, control)
        }
    }
}

/// `R/getMany`: several items in the order asked.
struct GetManyHandler: ResourceHandler {
    var context: ResourceContext

    var readsCache: Bool { true }
    var mayAskAPI: Bool { true }

    var description: MethodDescription {
        MethodDescription(
            tag: .resource(context.name),
            summary: "Several items, in the order asked, with as few requests as the API allows.",
            narrowed: ["ids": .array(of: context.idType.paramSchema), "fields": context.fieldsSchema],
            result: GetManyResult.schema(item: context.itemSchema, id: context.idType.schema))
    }

    func begin(
        _ params: GetManyParams, in session: Session, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        var ids: [String] = []
        ids.reserveCapacity(params.ids.count)
        for id in params.ids { ids.append(try context.id(id, named: "ids")) }
        let fields = try context.fields(params.fields)
        let control = context.control(params.freshness)
        // Who asked to hear of the progress hears of it, also where there is little to tell.
        if params.progressToken == nil, let answer = context.repository.cachedItems(ids, control) {
            self.result(answer, fields).write(to: &result)
            return .answered
        }
        return .work(
            Work(speaking: { [ids] (scope) async throws(RPCError) in
                do throws(RepositoryError) {
                    return self.result(
                        try await context.repository.items(ids, control) { done, total in
                            scope.progress?.report(done, of: total, "\(done) of \(total) items")
                        }, fields)
                } catch {
                    throw context.errors.map(error)
                }
            }))
    }

    private func result(_ answer: ManyAnswer, _ fields: FieldsParam?) -> GetManyResult {
        GetManyResult(
            items: fields?.pick(from: answer.items) ?? answer.items,
            missing: answer.missing.map(context.json),
            sources: context.counted(answer.sources),
            fallback: answer.fallback.map { context.errors.remote($0) }, oldest: answer.oldest?.milliseconds)
    }
}

extension GetManyHandler: ExplainableHandler {
    func explain(_ params: GetManyParams) throws(RPCError) -> ExplainHandler.Question {
        var ids: [String] = []
        for id in params.ids { ids.append(try context.id(id, named: "ids")) }
        _ = try context.fields(params.fields)
        let control = context.control(params.freshness)
        return ExplainHandler.Question(context: context, control: control) { [ids] in
            await context.repository.explainItems(ids, control)
        }
    }
}
