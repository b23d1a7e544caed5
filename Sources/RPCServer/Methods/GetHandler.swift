import JSON
import Protocol
import Repositories

/// `R/get`: one item.
struct GetHandler: Handler {
    let context: ResourceContext

    var readsCache: Bool { true }

    var description: MethodDescription {
        MethodDescription(
            tag: .resource(context.name), summary: "One item.", narrowed: ["id": context.idType.paramSchema],
            result: GetResult.schema(item: context.itemSchema), errors: RPCError.Code.own)
    }

    func begin(
        _ params: GetParams, in session: Session, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        let id = try context.id(params.id)
        let control = context.control(params.freshness)
        if let hit = context.repository.cachedItem(id, control) {
            GetResult.writeHit(
                hit.value, fetchedAt: hit.fetchedAt.milliseconds, isStale: hit.isStale, to: &result)
            return .answered
        }
        return .work(
            Work { () async throws(RPCError) in
                do throws(RepositoryError) {
                    return self.result(try await context.repository.item(id, control))
                } catch {
                    throw context.errors.map(error)
                }
            })
    }

    private func result(_ answer: Answer<[UInt8]>) -> GetResult {
        GetResult(item: answer.value, provenance: context.provenance(answer))
    }
}

extension GetHandler: ExplainableHandler {
    func explain(_ params: GetParams) throws(RPCError) -> ExplainHandler.Question {
        let id = try context.id(params.id)
        let control = context.control(params.freshness)
        return ExplainHandler.Question(context: context, control: control) {
            await context.repository.explainItem(id, control)
        }
    }
}
