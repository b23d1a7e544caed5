import DataSources
import JSON
import Protocol

/// `recents/list` and `recents/clear`.
struct RecentsScopeHandler: Handler {
    let errors: RPCErrorMapper
    let action: @Sendable (_ scope: String) async throws(LocalDataError) -> [String]

    func begin(_ params: ParamsReader, result: inout JSONWriter) throws(RPCError) -> Step {
        let params = try RecentsScopeParams(params)
        return .work(
            Work(isOrdered: true) { () async throws(RPCError) in
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
    let errors: RPCErrorMapper
    let action: @Sendable (_ text: String, _ scope: String) async throws(LocalDataError) -> [String]

    func begin(_ params: ParamsReader, result: inout JSONWriter) throws(RPCError) -> Step {
        let params = try RecentsTextParams(params)
        return .work(
            Work(isOrdered: true) { () async throws(RPCError) in
                do throws(LocalDataError) {
                    return RecentsResult(recents: try await action(params.text, params.scope))
                } catch {
                    throw errors.local(error)
                }
            })
    }
}
