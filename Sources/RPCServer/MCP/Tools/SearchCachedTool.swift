import DataSources
import JSON
import Protocol

/// `search_cached`: looks among what is cached.
struct SearchCachedTool: ToolContract {
    /// How many items are shown where a call says nothing.
    private static let usual = 10

    let table: ResourceTable
    let guide: ResourceGuide
    let answer: ToolAnswer

    var name: String { "search_cached" }
    var title: String { "Search cached items" }

    var description: String {
        "Searches the items that are cached here, without network: all words of `text`, each as the beginning of a word. "
            + "`filter` has fields of the item with their values. For more, set `offset` to `nextOffset`. "
            + "What was never fetched is not found: `prefetch_list` fetches a list."
    }

    var arguments: [ToolArgument] {
        [
            ToolSchemas.resource(table.resources.map(\.name)),
            ToolArgument(name: "text", schema: JSONSchema.string.described("Without it, every item.")),
            ToolArgument(
                name: "filter",
                schema: JSONSchema.object.described("Such as {\"status\":\"open\",\"owner.name\":\"a\"}.")),
        ] + (guide.hasScopes ? [ToolSchemas.scope] : []) + [
            ToolArgument(name: "limit", schema: JSONSchema.integer(atLeast: 1).byDefault(.integer(Self.usual))),
            ToolArgument(name: "offset", schema: .integer(atLeast: 0)), ToolSchemas.fields,
        ]
    }

    var hints: ToolHints { ToolHints(isReadOnly: true, isOpenWorld: false) }

    func begin(_ arguments: ToolArguments) throws(RPCError) -> ToolStep {
        let (context, _) = try arguments.resource(in: table) { _ in true }
        try arguments.checkScope(of: context, isOptional: true)
        let limit = try arguments.limit() ?? Self.usual
        let handler = SearchHandler(context: try arguments.scoped(context, isOptional: true))
        let params = try SearchParams(arguments.params, limit: limit)
        let request = try handler.request(params)
        return .work { (_) async throws(RPCError) in json(try await handler.search(request), from: params.offset) }
    }

    private func json(_ result: SearchResult, from offset: Int) -> [UInt8] {
        let size = result.items.reduce(0) { $0 + $1.count + 1 }
        var writer = JSONWriter(capacity: min(size, ToolAnswer.largest) + 64)
        writer.beginObject()
        let shown = ToolAnswer.write(result.items, to: &writer)
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
