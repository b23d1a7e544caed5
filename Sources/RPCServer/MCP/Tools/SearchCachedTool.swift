import DataSources
import JSON
import Protocol

/// `search_cached`: searches the cached items.
struct SearchCachedTool: ToolContract {
    /// The default of `limit`.
    private static let defaultLimit = 10

    let table: ResourceTable
    let guide: ResourceGuide
    let answer: ToolOutput

    var name: String { "search_cached" }
    var title: String { "Search cached items" }

    var description: String {
        "Searches the cached items, without network. Each word of `text` must begin a word of the item. "
            + "`filter` takes fields of the item with their values. For more, set `offset` to `nextOffset`. "
            + "Items that were never fetched are not found: cache a list with `prefetch_list`."
    }

    var arguments: [ToolArgument] {
        [
            ToolSchemas.resource(table.resources.map(\.name)),
            ToolArgument(name: "text", schema: JSONSchema.string.described("If absent, all items match.")),
            ToolArgument(
                name: "filter",
                schema: JSONSchema.object.described("Such as {\"status\":\"open\",\"owner.name\":\"a\"}.")),
        ] + (guide.hasScopes ? [ToolSchemas.scope] : []) + [
            ToolArgument(name: "limit", schema: JSONSchema.integer(atLeast: 1).byDefault(.integer(Self.defaultLimit))),
            ToolArgument(name: "offset", schema: .integer(atLeast: 0)), ToolSchemas.fields,
        ]
    }

    var hints: ToolHints { ToolHints(isReadOnly: true, isOpenWorld: false) }

    func begin(_ arguments: ToolArguments) throws(RPCError) -> ToolStep {
        let (context, _) = try arguments.resource(in: table) { _ in true }
        try arguments.checkScope(of: context, isOptional: true)
        let limit = try arguments.limit() ?? Self.defaultLimit
        let handler = SearchHandler(context: try arguments.scoped(context, isOptional: true))
        let params = try SearchParams(arguments.params, limit: limit)
        let request = try handler.request(params)
        return .work { (_) async throws(RPCError) in json(try await handler.search(request), from: params.offset) }
    }

    private func json(_ result: SearchResult, from offset: Int) -> [UInt8] {
        let size = result.items.reduce(0) { $0 + $1.count + 1 }
        var writer = JSONWriter(capacity: min(size, ToolOutput.largest) + 64)
        writer.beginObject()
        let shown = ToolOutput.write(result.items, to: &writer)
        writer.key("count")
        writer.integer(result.count)
        answer.writeAge(since: result.oldest, to: &writer)
        let (next, overflows) = offset.addingReportingOverflow(shown)
        if shown > 0, !overflows, next < result.count {
            writer.key("nextOffset")
            writer.integer(next)
        }
        writer.endObject()
        return writer.bytes
    }
}
