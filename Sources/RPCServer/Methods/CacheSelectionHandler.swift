import DataSources
import JSON
import Protocol
import System

/// `cache/remove` and `cache/invalidate`.
struct CacheSelectionHandler: Handler {
    /// What the result counts: `removed` or `invalidated`.
    let counted: String
    /// What it does, in a sentence.
    let summary: String
    let resources: [ResourceDefinition]
    let clock: any ClockContract
    /// Carries it out and returns how many entries it met.
    let action: @Sendable (CacheSelection) async -> Int

    var description: MethodDescription {
        let types = [IDType.integer, .string].filter { type in resources.contains { $0.id == type } }
        let ids = JSONSchema.any(of: types.map(\.paramSchema))
        return MethodDescription(
            tag: .cache, summary: summary,
            details: """
                `id` and `ids` go with `resource` and name items. `resource` alone names its items and pages, \
                `olderThan` those that were fetched longer ago. Without params, everything is meant.
                """,
            narrowed: [
                "resource": .one(of: resources.map(\.name)), "id": ids, "ids": .array(of: ids),
            ],
            result: CountResult.schema(counted))
    }

    func begin(
        _ params: CacheSelectionParams, in session: Session, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        let selection = try selection(params)
        return .work(Work(in: .cache, changesCache: true) { CountResult(counted, await action(selection)) })
    }

    private func selection(_ params: CacheSelectionParams) throws(RPCError) -> CacheSelection {
        var selection = CacheSelection(resource: params.resource)
        if let name = params.resource {
            guard let resource = resources.first(where: { $0.name == name }) else {
                let known = resources.map { "'\($0.name)'" }.joined(separator: ", ")
                throw RPCError(.invalidParams, "'resource' must be one of \(known)")
            }
            if let ids = params.ids {
                let texts = ids.compactMap { resource.id.canonical($0) }
                guard texts.count == ids.count else {
                    throw RPCError(.invalidParams, "the ids of '\(name)' must be of type \(resource.id.rawValue)")
                }
                selection.ids = texts
            }
        }
        selection.fetchedBefore = params.olderThan.map {
            Timestamp(milliseconds: clock.now().milliseconds - Int64($0))
        }
        return selection
    }
}
