import Catalog
import DataSources
import JSON
import Protocol

/// `sync_list`: updates the local copy of a list, so that `search_cached` can search the whole list offline.
struct SyncListTool: ToolContract {
    /// The default of the `maxRequests` argument.
    private static let defaultMaxRequests = 20

    let table: ResourceTable
    let guide: ResourceGuide

    var name: String { "sync_list" }
    var title: String { "Update the copy of a list" }

    var description: String {
        "Updates the local copy of a whole list, for `search_cached`. After the first call, the API is asked only for "
            + "changes. Call it again as long as `complete` is false."
            + guide.subject(of: resources)
    }

    var arguments: [ToolArgument] {
        [ToolSchemas.resource(resources.map(\.name))]
            + guide.filterArguments(of: resources)
            + guide.scopeArguments(of: resources)
            + [
                ToolArgument(
                    name: "maxAge", form: .duration,
                    schema: JSONSchema.string.described("Makes no request if the copy is at most this old.")),
                ToolSchemas.count("maxRequests", byDefault: Self.defaultMaxRequests),
            ]
    }

    var outputSchema: JSONSchema { ToolAnswerSchemas.sync }

    var hints: ToolHints { ToolHints(isReadOnly: false, isOpenWorld: true) }

    private var resources: [ResourceDefinition] { table.resources.filter(\.hasSyncTool) }

    func begin(_ arguments: ToolArguments) throws(RPCError) -> ToolStep {
        let (context, list) = try arguments.resource(in: table) { $0.hasSyncTool ? $0.list : nil }
        let filter = try ListFilterValues(list.filters).filter(of: arguments)
        try arguments.checkScope(of: context)
        let handler = SyncHandler(context: try arguments.scoped(context), list: list)
        var params = try SyncParams(arguments.params)
        params.filter = filter
        params.maxRequests = params.maxRequests ?? Self.defaultMaxRequests
        let request = try handler.request(params)
        return .work { (scope) async throws(RPCError) in
            var writer = JSONWriter()
            try await handler.sync(request, scope.progress).write(to: &writer)
            return ToolAnswer(json: writer.bytes)
        }
    }
}

extension ResourceDefinition {
    /// Whether the tool for caching the resource's list is `sync_list`. If false, the tool is `prefetch_list`.
    var hasSyncTool: Bool { sync != nil }

    /// The name, without a prefix, of the tool that adds items of the resource to the cache.
    var fillingTool: String { list == nil ? "get_item" : hasSyncTool ? "sync_list" : "prefetch_list" }
}

extension [ResourceDefinition] {
    /// The names of the tools that cache whole lists of these resources, joined by "or". Empty if there are no lists.
    var fillingTools: String {
        ["prefetch_list", "sync_list"].filter { tool in contains { $0.list != nil && $0.fillingTool == tool } }
            .joined(separator: " or ")
    }
}
