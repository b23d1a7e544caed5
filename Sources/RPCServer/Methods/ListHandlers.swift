import Catalog
import DataSources
import JSON
import Protocol
import Repositories

/// `R/list`: one page of the list.
struct ListHandler: ResourceHandler {
    var context: ResourceContext
    let list: ListDefinition

    var readsCache: Bool { true }
    var mayAskAPI: Bool { true }

    var description: MethodDescription {
        MethodDescription(
            tag: .resource(context.name), summary: "One page of the list.",
            details: "To walk over the list, ask for `next` until it is null.",
            narrowed: ["page": list.pageSchema, "filter": list.filterSchema, "fields": context.fieldsSchema],
            result: ListResult.schema(item: context.listItemSchema, page: list.pageSchema))
    }

    func begin(
        _ params: ListParams, in session: Session, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        let request = try list.request(page: params.page, filter: params.filter)
        let fields = try context.fields(params.fields)
        let control = context.control(params.freshness)
        if let answer = context.repository.cachedPage(request, control) {
            self.result(answer, fields).write(to: &result)
            return .answered
        }
        return .work(
            Work { () async throws(RPCError) in
                do throws(RepositoryError) {
                    return self.result(try await context.repository.page(request, control), fields)
                } catch {
                    throw context.errors.map(error)
                }
            })
    }

    private func result(_ answer: Answer<Page>, _ fields: FieldsParam?) -> ListResult {
        ListResult(
            items: fields?.pick(from: answer.value.items) ?? answer.value.items, page: answer.value.info,
            skipped: answer.value.skipped, missing: answer.value.missing.map { $0.map(context.json) },
            provenance: context.provenance(answer))
    }
}

extension ListHandler: ExplainableHandler {
    func explain(_ params: ListParams) throws(RPCError) -> ExplainHandler.Question {
        let request = try list.request(page: params.page, filter: params.filter)
        _ = try context.fields(params.fields)
        let control = context.control(params.freshness)
        return ExplainHandler.Question(context: context, control: control) {
            await context.repository.explainPage(request, control)
        }
    }
}

/// `R/prefetch`: a whole list, so that it is there later, also offline.
struct PrefetchHandler: ResourceHandler {
    var context: ResourceContext
    let list: ListDefinition

    var readsCache: Bool { true }
    var mayAskAPI: Bool { true }

    var description: MethodDescription {
        MethodDescription(
            tag: .resource(context.name), summary: "Fetches a whole list, so that it is there later, also offline.",
            narrowed: ["filter": list.filterSchema], result: PrefetchResult.schema)
    }

    func begin(
        _ params: PrefetchParams, in session: Session, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        let filters = try list.filters(params.filter)
        let control = context.control(.standard)
        return .work(
            Work(speaking: { scope async throws(RPCError) in
                do throws(RepositoryError) {
                    let answer = try await context.repository.prefetch(
                        filters: filters, limit: params.maxPages, control
                    ) {
                        done, total in
                        let pages = total.map { "page \(done) of \($0)" } ?? "page \(done)"
                        scope.progress?.report(done, of: total, pages)
                    }
                    return PrefetchResult(
                        pages: answer.pages, items: answer.items, fetched: answer.fetched, reused: answer.reused,
                        complete: answer.isComplete)
                } catch {
                    throw context.errors.map(error)
                }
            }))
    }
}
