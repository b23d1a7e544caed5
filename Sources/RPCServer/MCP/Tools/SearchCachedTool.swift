import Catalog
import DataSources
import JSON
import Model
import Protocol

/// `search_cached`: searches the cached items, without a request to the API.
struct SearchCachedTool: ToolContract {
    /// The default of the `limit` argument, in items.
    private static let defaultLimit = 10

    let table: ResourceTable
    let guide: ResourceGuide
    let answer: ToolOutput
    let names: ToolNames

    var name: String { "search_cached" }
    var title: String { "Search cached items" }

    var description: String {
        let filling = table.resources.fillingTools
        return "Searches the cached items, without network. Each word of `text` must be the start of a word in the "
            + "item. `filter` takes fields with their values. For more items, set `offset` to `nextOffset`. "
            + "`cached` is the number of cached items: cache more with `\(filling.isEmpty ? "get_item" : filling)`."
            + guide.subject(of: table.resources)
    }

    var arguments: [ToolArgument] {
        [
            ToolSchemas.resource(table.resources.map(\.name)),
            ToolArgument(
                name: "text", form: .text, schema: JSONSchema.string.described("If absent, all items match.")),
            ToolSchemas.filter(
                "Fields of the item, such as \(guide.fieldExample(of: table.resources)).", takesArrays: false),
        ] + guide.scopeArguments(of: table.resources, isRequired: false) + [
            ToolSchemas.count("limit", byDefault: Self.defaultLimit),
            ToolArgument(name: "offset", form: .integer, schema: .integer(atLeast: 0)), ToolSchemas.fields,
        ]
    }

    var outputSchema: JSONSchema { ToolAnswerSchemas.search }

    var hints: ToolHints { ToolHints(isReadOnly: true, isOpenWorld: false) }

    @_optimize(size)
    func begin(_ arguments: ToolArguments) throws(RPCError) -> ToolStep {
        let (context, _) = try arguments.resource(in: table) { _ in true }
        let filter = try SearchFilterValues(context.repository.resource).filter(of: arguments)
        try arguments.checkScope(of: context, isOptional: true)
        let limit = try arguments.limit() ?? Self.defaultLimit
        let handler = SearchHandler(context: try arguments.scoped(context, isOptional: true))
        let params = try SearchParams(arguments.params, filter: filter, limit: limit)
        let request = try handler.request(params)
        return .work { (_) async throws(RPCError) in
            let result = try await handler.search(request)
            let cached = try await cachedCount(request, result, handler.context)
            return json(result, from: params.offset, cached: cached, handler.context)
        }
    }

    /// Returns the number of cached items in the scope of the call.
    private func cachedCount(
        _ request: SearchHandler.Request, _ result: SearchResult, _ context: ResourceContext
    ) async throws(RPCError) -> Int {
        if request.filters.isEmpty, (request.params.text ?? "").isEmpty { return result.count }
        do throws(LocalDataError) {
            return try await context.repository.search(
                nil, filters: [], scope: context.narrowing, limit: 0, offset: 0
            ).count
        } catch {
            throw context.errors.local(error)
        }
    }

    /// Returns a hint about the next step if no items of a resource are cached.
    private func hint(_ context: ResourceContext) -> String {
        let name = context.name
        if context.isOffline {
            return
                "nothing is cached for '\(name)': start this server without --offline to fetch items"
        }
        let tool = names.name(context.repository.resource.fillingTool)
        return "nothing is cached for '\(name)': fetch items with \(tool)"
    }

    private func json(
        _ result: SearchResult, from offset: Int, cached: Int, _ context: ResourceContext
    ) -> ToolAnswer {
        let size = result.items.reduce(0) { $0 + $1.count + 1 }
        var writer = JSONWriter(capacity: min(size, ToolOutput.largest) + 64)
        writer.beginObject()
        let shown = ToolOutput.write(result.items, to: &writer)
        writer.key("count")
        writer.integer(result.count)
        writer.key("cached")
        writer.integer(cached)
        if cached == 0 {
            writer.key("hint")
            writer.string(hint(context))
        }
        answer.writeAge(since: result.oldest, to: &writer)
        let (next, overflows) = offset.addingReportingOverflow(shown)
        if shown > 0, !overflows, next < result.count {
            writer.key("nextOffset")
            writer.integer(next)
        }
        writer.endObject()
        return ToolAnswer(json: writer.bytes)
    }
}
