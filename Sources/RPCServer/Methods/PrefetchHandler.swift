import DataSources
import JSON
import Protocol
import Repositories

/// `R/prefetch`: a whole list, so that it is there later, also offline.
struct PrefetchHandler: Handler {
    let context: ResourceContext
    let list: ListDefinition

    var readsCache: Bool { true }

    var description: MethodDescription {
        MethodDescription(
            tag: .resource(context.name), summary: "Fetches a whole list, so that it is there later, also offline.",
            narrowed: ["filter": list.filterSchema], result: PrefetchResult.schema, errors: RPCError.Code.own)
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
                        if let total { scope.progress?.report(done, of: total, "page \(done) of \(total)") }
                    }
                    return PrefetchResult(
                        pages: answer.pages, items: answer.items, fetched: answer.fetched, reused: answer.reused)
                } catch {
                    throw context.errors.map(error)
                }
            }))
    }
}
