import Catalog
import DataSources
import JSON
import Model
import Protocol
import Repositories
import System

/// `cache/remove` and `cache/invalidate`: remove or invalidate the selected cache entries.
struct CacheSelectionHandler: Handler {
    /// The name of the result's member that contains the number of affected entries: `removed` or `invalidated`.
    let counted: String
    /// The purpose of the method, in one sentence.
    let summary: String
    let resources: [ResourceDefinition]
    let clock: any ClockContract
    /// Removes or invalidates the selected cache entries. Returns the number of affected entries.
    let action: @Sendable (CacheSelection) async -> Int

    var description: MethodDescription {
        let types = [IDType.integer, .string].filter { type in resources.contains { $0.id == type } }
        let ids = JSONSchema.any(of: types.map(\.paramSchema))
        return MethodDescription(
            tag: .cache, summary: summary,
            details: """
                `id` and `ids` select items of `resource`. `pages` selects only pages: `true` selects the pages of \
                all lists, `{"filter": {...}}` selects the pages of one list of `resource`. `scope` selects the \
                entries below the given parents. `olderThan` selects the entries that were fetched longer ago than \
                this duration. `resource` alone selects all its items and pages. Without params, all entries are selected.
                """,
            narrowed: [
                "resource": .one(of: resources.map(\.name)), "id": ids, "ids": .array(of: ids), "scope": scopeSchema,
            ],
            result: CountResult.schema(counted))
    }

    /// The JSON Schema of the `scope` parameter, with the scope names of all resources.
    private var scopeSchema: JSONSchema {
        var members: [JSONSchema.Member] = []
        for part in resources.flatMap(\.scope) where !members.contains(where: { $0.name == part.name }) {
            members.append(.optional(part.name, FilterParam.valueSchema))
        }
        return .object(members)
    }

    func begin(
        _ params: CacheSelectionParams, in session: Session, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        let selection = try selection(params)
        return .work(Work(in: .cache, changesCache: true) { CountResult(counted, await action(selection)) })
    }

    private func narrowing(_ given: FilterParam, of resource: ResourceDefinition) throws(RPCError) -> ScopeNarrowing {
        for member in given.members where !resource.scope.contains(where: { $0.name == member.name }) {
            let known = resource.scope.map { "'\($0.name)'" }.joined(separator: ", ")
            throw RPCError(
                .invalidParams,
                "'scope' has no '\(member.name.prefix(100))': "
                    + (known.isEmpty
                        ? "'\(resource.name)' has no scope; remove 'scope'"
                        : "'\(resource.name)' has the scope \(known)"))
        }
        return ScopeNarrowing(
            try resource.scope.values(isOptional: true) { name in given.members.first { $0.name == name }?.value })
    }

    private func selection(_ params: CacheSelectionParams) throws(RPCError) -> CacheSelection {
        var selection = CacheSelection(resource: params.resource)
        if let name = params.resource {
            guard let resource = resources.first(where: { $0.name == name }) else {
                let known = resources.map { "'\($0.name)'" }.joined(separator: ", ")
                let near = Suggestion.nearest(to: name, in: resources.map(\.name))
                let hint = near.map { "; did you mean '\($0)'?" } ?? ""
                throw RPCError(.invalidParams, "'resource' must be one of \(known)\(hint)")
            }
            if let scope = params.scope { selection.scope = try narrowing(scope, of: resource) }
            if let ids = params.ids {
                let texts = ids.compactMap { resource.id.canonical($0) }
                guard texts.count == ids.count else {
                    throw RPCError(.invalidParams, "the ids of '\(name)' must be of type \(resource.id.rawValue)")
                }
                selection.ids = texts
            }
            if case .list(let filter) = params.pages {
                guard let list = resource.list else {
                    throw RPCError(.invalidParams, "'\(name)' has no list; remove 'pages'")
                }
                let request = PageRequest(page: list.firstPage, filters: try list.filters(filter))
                selection.pages = .list(request.canonicalList)
            }
        }
        if params.pages == .all { selection.pages = .all }
        selection.fetchedBefore = params.olderThan.map {
            Timestamp(milliseconds: clock.now().milliseconds - Int64($0))
        }
        return selection
    }
}

/// `cache/stats`: returns the sizes and the hit counts of the cache.
struct CacheStatsHandler: Handler {
    /// Returns the sizes and hit counts of each cache level.
    let levels: @Sendable () async -> [Source: LocalStatistics]
    let remote: RemoteCounters
    let repositories: [any ResourceRepositoryContract]

    var description: MethodDescription {
        MethodDescription(
            tag: .cache, summary: "Returns the sizes and the hit counts of the cache.",
            result: CacheStatistics.table.schema)
    }

    func begin(
        _ params: NoParams, in session: Session, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        .work(
            Work(in: .cache) {
                let statistics = CacheStatistics(
                    levels: await levels(), remote: remote.statistics,
                    resources: repositories.map { ($0.resource.name, $0.statistics) })
                return ValueResult(CacheStatistics.table.json(statistics))
            })
    }
}
