import DataSources
import JSON
import Protocol

/// `cache/remove` and `cache/invalidate`.
struct CacheSelectionHandler: Handler {
    /// What the result counts: `removed` or `invalidated`.
    let counted: String
    let resources: [ResourceDefinition]
    let clock: any ClockContract
    /// Carries it out and returns how many entries it met.
    let action: @Sendable (CacheSelection) async -> Int

    func begin(_ params: ParamsReader, result: inout JSONWriter) throws(RPCError) -> Step {
        let selection = try selection(CacheSelectionParams(params))
        return .work(Work(isOrdered: true) { CountResult(counted, await action(selection)) })
    }

    private func selection(_ params: CacheSelectionParams) throws(RPCError) -> CacheSelection {
        var selection = CacheSelection(resource: params.resource)
        if let name = params.resource {
            guard let resource = resources.first(where: { $0.name == name }) else {
                let known = resources.map { "'\($0.name)'" }.joined(separator: ", ")
                throw RPCError(.invalidParams, "'resource' must be one of \(known)")
            }
            if let ids = params.ids {
                let texts = ids.compactMap { resource.id.canonical($0.text) }
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
