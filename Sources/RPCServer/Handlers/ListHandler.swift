import DataSources
import JSON
import Protocol
import Repositories

/// `R/list`: one page of the list.
struct ListHandler: Handler {
    let context: ResourceContext
    /// What the list can do.
    let list: ListDefinition

    var description: MethodDescription {
        MethodDescription(
            tag: .resource(context.name), summary: "One page of the list.",
            details: "To walk over the list, ask for `next` until it is null.",
            narrowed: ["page": pageSchema, "filter": filterSchema],
            result: ListResult.schema(item: context.listItemSchema, page: pageSchema), errors: RPCError.Code.own)
    }

    func begin(_ params: ListParams, result: inout JSONWriter) throws(RPCError) -> Step {
        let request = try request(params)
        let freshness = context.freshness(params.freshness)
        if let answer = context.repository.cachedPage(request, freshness) {
            self.result(answer).write(to: &result)
            return .answered
        }
        return .work(
            Work { () async throws(RPCError) in
                do throws(RepositoryError) {
                    return self.result(try await context.repository.page(request, freshness))
                } catch {
                    throw context.errors.map(error)
                }
            })
    }

    private func request(_ params: ListParams) throws(RPCError) -> PageRequest {
        let filters = params.filter?.members ?? []
        for filter in filters where !list.filters.contains(where: { $0.name == filter.name }) {
            let known = list.filters.map { "'\($0.name)'" }.joined(separator: ", ")
            throw RPCError(
                .invalidParams,
                "'filter' has no '\(filter.name.prefix(100))': "
                    + (known.isEmpty ? "this list has no filters" : "this list is filtered by \(known)"))
        }
        return PageRequest(
            page: try page(params.page), filters: filters.map { PageRequest.Filter($0.name, $0.value) })
    }

    private var filterSchema: JSONSchema {
        .object(list.filters.map { .optional($0.name, FilterParam.valueSchema) })
    }

    private var pageSchema: JSONSchema { .integer(from: 1) }

    private func page(_ param: PageParam?) throws(RPCError) -> PageToken {
        switch param {
        case nil: return .number(1)
        case .number(let number): return .number(number)
        case .token: throw RPCError(.invalidParams, "'page' must be a page number from 1")
        }
    }

    private func result(_ answer: Answer<PageBytes>) -> ListResult {
        ListResult(items: answer.value.items, page: answer.value.info, provenance: context.provenance(answer))
    }
}
