import JSON
import Protocol
import RPCServer
import System

/// Updates the local copies of a statement's tables before the statement runs (`larder sql --sync`).
struct QuerySync {
    /// The outcome of updating the local copies.
    enum Ending {
        case done
        /// A signal has ended the command. The associated value is the exit code.
        case interrupted(Int32)
    }

    let client: InProcessClient
    let fetcher: ListFetcher
    let tables: SQLTables
    /// The maximum age of a copy in milliseconds. Only older copies are updated.
    let maxAge: Milliseconds
    /// Whether a signal ends the command. Otherwise the owner of the client handles signals.
    var endsOnSignals = true

    /// Updates the copies that are missing or too old. A resource with a scope must already have a copy.
    ///
    /// - Parameter params: the params of `cache/query` for the statement.
    /// - Throws: `SQLFailure` if a sync fails, or if a table has no copy and its scope is unknown.
    func run(_ statement: String, _ params: JSONObject) throws(SQLFailure) -> Ending {
        let calls = try calls(statement, params)
        if calls.isEmpty { return .done }
        if endsOnSignals { fetcher.interruptOnSignals() }
        for (index, call) in calls.enumerated() {
            let title = calls.count > 1 ? "\(index + 1) of \(calls.count): \(call.name)" : call.name
            var params = call.params
            params["maxAge"] = age
            let (result, error) = fetcher.ask(call.method, params, title: title)
            if result != nil { continue }
            if let code = fetcher.interruption() { return .interrupted(code) }
            throw SQLFailure("cannot sync \(call.name): \(error?["message"]?.string ?? "no reply")")
        }
        return .done
    }

    private struct Call {
        let method: String
        let params: JSONObject
        /// The resource and its scope, such as `issue owner=a`.
        let name: String
    }

    private var age: JSONValue { .number("\(Double(maxAge) / 1000)") }

    /// Returns the calls of `RESOURCE/sync` that update the missing and outdated copies of the statement's tables.
    ///
    /// - Throws: `SQLFailure` if a table has no copy and its scope is unknown.
    private func calls(_ statement: String, _ params: JSONObject) throws(SQLFailure) -> [Call] {
        var params = params
        // EXPLAIN compiles the statement without running it, so that the error names the statement's tables.
        params["sql"] = .string("EXPLAIN " + statement)
        params["maxRows"] = 1
        params["coverage"] = .string(QueryParams.Coverage.synced.rawValue)
        params["maxAge"] = age
        let error = client.ask("cache/query", .object(params)).error
        // The statement itself reports all other errors.
        guard error?["code"] == .integer(RPCError.Code.notSynced.rawValue) else { return [] }
        let missing = error?["data"]?["calls"]?.elements ?? []
        let copies = (client.ask("cache/syncs", .null).result?["syncs"]?.elements ?? []).filter { $0["filter"] == nil }
        var calls: [Call] = []
        var skipped: [String: String] = [:]
        for call in missing {
            guard let method = call["method"]?.string, case .object(let scope)? = call["params"],
                let resource = tables.resource(ofSync: method)
            else { continue }
            let isKnown = copies.contains { $0["resource"] == .string(resource.name) && $0["scope"] == call["params"] }
            if resource.scope.isEmpty || isKnown {
                let sync: JSONValue = ["resource": .string(resource.name), "scope": .object(scope)]
                calls.append(Call(method: method, params: scope, name: SyncText.name(of: sync)))
            } else {
                skipped[method] = resource.name
            }
        }
        for (method, name) in skipped.sorted(by: { $0.key < $1.key })
        where !calls.contains(where: { $0.method == method }) {
            let command = tables.sync(call: ["method": .string(method), "params": .object(JSONObject())]) ?? ""
            throw SQLFailure("no local copy of '\(name)' to sync", hint: "start with: \(command)")
        }
        return calls
    }
}
