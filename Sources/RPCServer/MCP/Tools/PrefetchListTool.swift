import Catalog
import DataSources
import JSON
import Protocol

/// `prefetch_list`: fetches a list into the cache, so that `search_cached` can search the list offline.
struct PrefetchListTool: ToolContract {
    /// The default of the `maxPages` argument, in pages.
    private static let defaultMaxPages = 20

    let table: ResourceTable
    let guide: ResourceGuide

    var name: String { "prefetch_list" }
    var title: String { "Prefetch a list" }

    var description: String {
        "Fetches up to `maxPages` pages of a list into the cache, for `search_cached`. If `complete` is true, the "
            + "whole list is cached." + guide.subject(of: resources)
    }

    var arguments: [ToolArgument] {
        [ToolSchemas.resource(resources.map(\.name))]
            + guide.filterArguments(of: resources)
            + guide.scopeArguments(of: resources)
            + [ToolSchemas.count("maxPages", byDefault: Self.defaultMaxPages)]
    }

    var outputSchema: JSONSchema { ToolAnswerSchemas.prefetch }

    var hints: ToolHints { ToolHints(isReadOnly: true, isOpenWorld: true) }

    private var resources: [ResourceDefinition] { table.resources.filter { $0.list != nil && !$0.hasSyncTool } }

    func begin(_ arguments: ToolArguments) throws(RPCError) -> ToolStep {
        let (context, list) = try arguments.resource(in: table) { $0.hasSyncTool ? nil : $0.list }
        let filter = try ListFilterValues(list.filters).filter(of: arguments)
        try arguments.checkScope(of: context)
        let handler = PrefetchHandler(context: try arguments.scoped(context), list: list)
        var params = try PrefetchParams(arguments.params)
        params.filter = filter
        params.maxPages = params.maxPages ?? Self.defaultMaxPages
        let request = try handler.request(params)
        return .work { (scope) async throws(RPCError) in
            var writer = JSONWriter()
            try await handler.fetch(request, scope.progress).write(to: &writer)
            return ToolAnswer(json: writer.bytes)
        }
    }
}
