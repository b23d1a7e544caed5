import DataSources
import JSON
import Protocol

/// A method that reads or changes one list of recent searches, and returns the updated list.
struct RecentsHandler<Params: MethodParams & Sendable>: Handler {
    /// The purpose of the method, in one sentence.
    let summary: String
    let errors: RPCErrorMapper
    /// Reads or changes one list of recent searches. Returns the searches in the list after the change.
    let action: @Sendable (Params) async throws(LocalDataError) -> [String]

    var description: MethodDescription {
        MethodDescription(tag: .recents, summary: summary, result: RecentsResult.schema)
    }

    func begin(_ params: Params, in session: Session, result: inout JSONWriter) throws(RPCError) -> Step {
        .work(
            Work(in: .recents) { () async throws(RPCError) in
                do throws(LocalDataError) {
                    return RecentsResult(recents: try await action(params))
                } catch {
                    throw errors.local(error)
                }
            })
    }
}

/// The methods with the prefix `recents/`.
enum RecentsMethods {
    /// Returns the handlers of the `recents/` methods by method name.
    static func handlers(
        _ recents: any RecentSearchesDataSourceContract, _ errors: RPCErrorMapper
    ) -> [String: any Handler] {
        [
            "recents/list": RecentsHandler(summary: "Returns the newest searches of a scope.", errors: errors) {
                (params: RecentsScopeParams) async throws(LocalDataError) in try await recents.list(scope: params.scope)
            },
            "recents/clear": RecentsHandler(summary: "Removes all searches of a scope.", errors: errors) {
                (params: RecentsScopeParams) async throws(LocalDataError) in
                try await recents.clear(scope: params.scope)
            },
            "recents/add": RecentsHandler(summary: "Adds a search, or moves it to the front.", errors: errors) {
                (params: RecentsTextParams) async throws(LocalDataError) in
                try await recents.add(params.text, scope: params.scope)
            },
            "recents/remove": RecentsHandler(summary: "Removes a search.", errors: errors) {
                (params: RecentsTextParams) async throws(LocalDataError) in
                try await recents.remove(params.text, scope: params.scope)
            },
        ]
    }
}
