import DataSources
import JSON
import Protocol

/// `recents/list` and `recents/clear`.
struct RecentsScopeHandler: Handler {
    /// What is done with a scope.
    enum Action {
        case list, clear
    }

    let action: Action
    let recents: any RecentSearchesDataSourceContract
    let errors: RPCErrorMapper

    var description: MethodDescription {
        let summary =
            switch action {
            case .list: "The newest searches of a scope."
            case .clear: "Forgets all searches of a scope."
            }
        return MethodDescription(tag: .recents, summary: summary, result: RecentsResult.schema)
    }

    func begin(
        _ params: RecentsScopeParams, in session: Session, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        .work(
            Work(in: .recents) { () async throws(RPCError) in
                try await errors.recents { () async throws(LocalDataError) in
                    switch action {
                    case .list: try await recents.list(scope: params.scope)
                    case .clear: try await recents.clear(scope: params.scope)
                    }
                }
            })
    }
}

/// `recents/add` and `recents/remove`.
struct RecentsTextHandler: Handler {
    /// What is done with a text.
    enum Action {
        case add, remove
    }

    let action: Action
    let recents: any RecentSearchesDataSourceContract
    let errors: RPCErrorMapper

    var description: MethodDescription {
        let summary =
            switch action {
            case .add: "Puts a search at the front."
            case .remove: "Takes a search out."
            }
        return MethodDescription(tag: .recents, summary: summary, result: RecentsResult.schema)
    }

    func begin(
        _ params: RecentsTextParams, in session: Session, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        .work(
            Work(in: .recents) { () async throws(RPCError) in
                try await errors.recents { () async throws(LocalDataError) in
                    switch action {
                    case .add: try await recents.add(params.text, scope: params.scope)
                    case .remove: try await recents.remove(params.text, scope: params.scope)
                    }
                }
            })
    }
}

extension RPCErrorMapper {
    /// The texts as a result, or why there are none.
    fileprivate func recents(
        _ texts: () async throws(LocalDataError) -> [String]
    ) async throws(RPCError) -> RecentsResult {
        do throws(LocalDataError) {
            return RecentsResult(recents: try await texts())
        } catch {
            throw local(error)
        }
    }
}
