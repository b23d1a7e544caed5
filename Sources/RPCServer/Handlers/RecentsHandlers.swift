import DataSources
import JSON
import Protocol

/// `recents/list` and `recents/clear`.
struct RecentsScopeHandler: Handler {
    /// What it does, in a sentence.
    let summary: String
    let errors: RPCErrorMapper
    let action: @Sendable (_ scope: String) async throws(LocalDataError) -> [String]

    var description: MethodDescription {
        MethodDescription(tag: .recents, summary: summary, result: RecentsResult.schema)
    }

    func begin(_ params: RecentsScopeParams, result: inout JSONWriter) throws(RPCError) -> Step {
        .work(
            Work(in: .recents) { () async throws(RPCError) in
                do throws(LocalDataError) {
                    return RecentsResult(recents: try await action(params.scope))
                } catch {
                    throw errors.local(error)
                }
            })
    }
}

/// `recents/add` and `recents/remove`.
struct RecentsTextHandler: Handler {
    /// What it does, in a sentence.
    let summary: String
    let errors: RPCErrorMapper
    let action: @Sendable (_ text: String, _ scope: String) async throws(LocalDataError) -> [String]

    var description: MethodDescription {
        MethodDescription(tag: .recents, summary: summary, result: RecentsResult.schema)
    }

    func begin(_ params: RecentsTextParams, result: inout JSONWriter) throws(RPCError) -> Step {
        .work(
            Work(in: .recents) { () async throws(RPCError) in
                do throws(LocalDataError) {
                    return RecentsResult(recents: try await action(params.text, params.scope))
                } catch {
                    throw errors.local(error)
                }
            })
    }
}
