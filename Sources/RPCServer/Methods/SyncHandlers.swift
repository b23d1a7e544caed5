import Catalog
import DataSources
import JSON
import Model
import Protocol
import Repositories
import System

/// `RESOURCE/sync`: updates the local copy of a list.
struct SyncHandler: Handler {
    let context: ResourceContext
    let list: ListDefinition

    var readsCache: Bool { true }
    var mayAskAPI: Bool { true }

    var description: MethodDescription {
        MethodDescription(
            tag: .resource(context.name), summary: "Updates the local copy of a list.",
            details: """
                Reads the whole list, or only its changes if the catalog declares `sync`. Stores new and changed items, \
                and removes the items that the list no longer has. A call that was interrupted is continued by the \
                next call.
                """,
            narrowed: ["filter": list.filterSchema], result: SyncResult.schema)
    }

    var explain: Explain? {
        { (params) throws(RPCError) in
            let request = try request(SyncParams(params))
            // A sync asks the API first.
            return ExplainQuestion(context: context, control: CacheControl(.remoteFirst)) {
                await context.repository.explainSync(request)
            }
        }
    }

    func begin(_ params: SyncParams, in session: Session, result: inout JSONWriter) throws(RPCError) -> Step {
        let request = try request(params)
        return .work(
            Work(speaking: { (scope) async throws(RPCError) in try await sync(request, scope.progress) }))
    }

    /// Validates the parameters of a `sync` request.
    ///
    /// - Throws: `invalidParams` for a filter that is invalid for the list, and `notCached` if the server runs offline.
    func request(_ params: SyncParams) throws(RPCError) -> SyncRequest {
        var request = SyncRequest()
        request.filters = try list.filters(params.filter)
        if context.isOffline { throw context.errors.map(.notCached(resource: context.name)) }
        request.maxAge = params.isWhole ? nil : params.maxAge
        request.startsOver = params.isWhole
        request.maxRequests = params.maxRequests
        request.acceptsRemovals = params.acceptsRemovals
        request.maxChanges = params.namesChanges ? SyncResult.maxChanges : 0
        return request
    }

    /// Runs the sync, and returns its result.
    func sync(_ request: SyncRequest, _ progress: Progress?) async throws(RPCError) -> SyncResult {
        let answer: SyncAnswer
        do throws(SyncError) {
            answer = try await context.repository.sync(request) { done, total in
                progress?.report(done, of: total, total.map { "item \(done) of \($0)" } ?? "item \(done)")
            }
        } catch {
            switch error {
            case .repository(let error): throw context.errors.map(error)
            case .local(let error): throw context.errors.local(error)
            case .taken:
                throw RPCError(
                    .busy,
                    "another sync of this list is running, or the copy was removed during the sync; try again later",
                    data: JSONObject([("kind", "busy"), ("resource", .string(context.name))]))
            }
        }
        return SyncResult(members(answer, namesChanges: request.maxChanges > 0))
    }

    private func members(_ answer: SyncAnswer, namesChanges: Bool) -> JSONObject {
        var members = JSONObject([
            ("mode", .string(answer.mode.rawValue)), ("requests", .integer(answer.requests)),
            ("added", .integer(answer.added)), ("changed", .integer(answer.changed)),
            ("removed", .integer(answer.removed)), ("items", .integer(answer.state.items)),
            ("syncedAt", .moment(answer.state.syncedAt)), ("wholeAt", .moment(answer.state.wholeAt)),
            ("deletions", .string(answer.deletions.rawValue)),
            ("complete", answer.isComplete.map { .bool($0) } ?? .null),
        ])
        members["held"] = answer.held.map { JSONValue.integer($0) }
        guard namesChanges else { return members }
        let changes = answer.changes.map { change in
            let id = context.idType == .integer ? JSONValue.number(change.id) : .string(change.id)
            return JSONValue.object(JSONObject([("change", .string(change.kind.rawValue)), ("id", id)]))
        }
        members["changes"] = .array(changes)
        members["changesOmitted"] = .integer(answer.omittedChanges)
        return members
    }
}

/// `cache/syncs`: returns the lists that have a local copy in the cache.
struct SyncsHandler: Handler {
    let contexts: [ResourceContext]
    let errors: RPCErrorMapper
    /// Returns the state of each local copy of a list in the cache file.
    let states: @Sendable () async throws(LocalDataError) -> [SyncState]

    var description: MethodDescription {
        MethodDescription(
            tag: .cache, summary: "Returns the lists of which the cache keeps a local copy.",
            details: "`RESOURCE/sync` with the same scope and filter updates a copy.",
            result: SyncsResult.schema)
    }

    func begin(_ params: NoParams, in session: Session, result: inout JSONWriter) throws(RPCError) -> Step {
        .work(
            Work(in: .cache) { () async throws(RPCError) in
                do throws(LocalDataError) {
                    return describe(try await states())
                } catch {
                    throw errors.local(error)
                }
            })
    }

    private func describe(_ states: [SyncState]) -> SyncsResult {
        let copies = states.compactMap { state in member(state).map { (copy: $0, list: Self.list(of: state)) } }
        let known = Set(copies.filter(\.copy.isUsable).map(\.list))
        let others = copies.filter { !$0.copy.isUsable && !known.contains($0.list) }
        return SyncsResult(
            copies.filter(\.copy.isUsable).map(\.copy.members),
            others: others.map { other in
                var members = other.copy.members
                (members["wholeAt"], members["complete"]) = (nil, nil)
                return members
            })
    }

    /// Returns a string that identifies the list of a local copy. Copies of one list that were made with different
    /// credentials have equal strings.
    private static func list(of state: SyncState) -> String { "\(state.set.resource.name)\n\(state.set.list)" }

    /// Returns the members of the result that describe a local copy, and whether a sync with the current catalog and
    /// credentials would update this copy (`isUsable`). Returns nil if the catalog does not contain the resource of the
    /// copy.
    private func member(_ state: SyncState) -> (members: JSONObject, isUsable: Bool)? {
        let key = state.set.resource
        guard let context = contexts.first(where: { $0.name == key.resourceName }) else { return nil }
        var repository = context.repository
        var scope: JSONObject?
        if case .object(let values)? = try? JSONValue(parsing: String(key.name.dropFirst(context.name.count))) {
            scope = values
            repository = repository.scoped(ResourceScope(values.members.map { ($0.key, $0.value) }))
        }
        var member = JSONObject([("resource", .string(context.name))])
        member["scope"] = scope.map { .object($0) }
        if case .object(let filter)? = try? JSONValue(parsing: state.set.list), !filter.members.isEmpty {
            member["filter"] = .object(filter)
        }
        member["items"] = .integer(state.items)
        member["syncedAt"] = .moment(state.syncedAt)
        member["wholeAt"] = .moment(state.wholeAt)
        member["complete"] = .bool(state.isWhole)
        return (member, repository.fingerprint == key.fingerprint.digits)
    }
}

extension JSONValue {
    fileprivate static func moment(_ moment: Timestamp?) -> JSONValue { moment.map { .string($0.rfc3339) } ?? .null }
}
