import DataSources
import JSON
import Protocol

/// `search_cached`: looks among what is cached.
struct SearchCachedTool: ToolContract {
    /// How many items are shown where a call says nothing.
    private static let usual = 10

    let methods: ResourceMethods
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
            ToolSchemas.resource(methods.resources.map(\.name)),
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

    func begin(_ arguments: ToolArguments, in session: Session) throws(RPCError) -> ToolStep {
        let resource = try methods.resource(arguments)
        var params = JSONWriter()
        params.beginObject()
        try methods.copyScope(of: resource, arguments, isOptional: true, to: &params)
        arguments.copy(["text", "filter", "offset", "fields"], to: &params)
        params.key("limit")
        // As many as the method takes at most; what does not fit is cut off.
        params.integer(min(try arguments.limit() ?? Self.usual, 1000))
        params.endObject()
        let offset = arguments["offset"]?.integer ?? 0
        return try methods.call("\(resource.name)/search", params, in: session) { [answer] result, oldest in
            let items = result["items" as StaticString]
            let shown = ToolAnswer.shown(of: items, from: 0, atMost: .max)
            var writer = JSONWriter(capacity: min(result.token.count, ToolAnswer.largest) + 64)
            writer.beginObject()
            ToolAnswer.write(items, shown, to: &writer)
            answer.copy(result, without: ["items"], to: &writer)
            answer.writeAge(since: oldest, to: &writer)
            let (next, overflows) = offset.addingReportingOverflow(shown.count)
            if !shown.isEmpty, !overflows, let count = result["count" as StaticString]?.integer, next < count {
                writer.key("nextOffset")
                writer.integer(next)
            }
            writer.endObject()
            return writer.bytes
        }
    }
}

extension ToolArguments {
    /// How many items are to be shown at most; nil where the call does not say.
    func limit() throws(RPCError) -> Int? {
        guard let value = self["limit"] else { return nil }
        // `1.0` is an integer too (JSON Schema).
        guard let limit = value.integer ?? value.number.flatMap({ Int(exactly: Double($0) ?? 0) }), limit >= 1 else {
            throw RPCError(.invalidParams, "'limit' must be an integer from 1")
        }
        return limit
    }
}
