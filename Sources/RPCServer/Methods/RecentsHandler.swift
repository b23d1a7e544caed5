import DataSources
import JSON
import Protocol

/// A method of `recents/`: it does something with the texts of a scope, and answers with those that there are then.
struct RecentsHandler<Params: MethodParams & Sendable>: Handler {
    /// What it does, in a sentence.
    let summary: String
    let errors: RPCErrorMapper
    /// Does it.
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

/// The methods of `recents/`.
enum RecentsMethods {
    /// A handler of each, by the method's name.
    static func handlers(
        _ recents: any RecentSearchesDataSourceContract, _ errors: RPCErrorMapper
    ) -> [String: any Handler] {
        [
            "recents/list": RecentsHandler(summary: "The newest searches of a scope.", errors: errors) {
                (params: RecentsScopeParams) async throws(LocalDataError) in try await recents.list(scope: params.scope)
            },
            "recents/clear": RecentsHandler(summary: "Forgets all searches of a scope.", errors: errors) {
                (params: RecentsScopeParams) async throws(LocalDataError) in
                try await recents.clear(scope: params.scope)
            },
            "recents/add": RecentsHandler(summary: "Puts a search at the front.", errors: errors) {
                (params: RecentsTextParams) async throws(LocalDataError) in
                try await recents.add(params.text, scope: params.scope)
            },
            "recents/remove": RecentsHandler(summary: "Takes a search out.", errors: errors) {
                (params: RecentsTextParams) async throws(LocalDataError) in
                try await recents.remove(params.text, scope: params.scope)
            },
        ]
    }
}
