import Catalog
import DataSources
import JSON
import Protocol

/// `get_item`: returns one item, or several by their ids.
struct GetItemTool: ToolContract {
    /// The maximum number of ids in one call. More items would not fit into an answer.
    static let maxIDs = 50

    let table: ResourceTable
    let guide: ResourceGuide
    let answer: ToolOutput

    var name: String { "get_item" }
    var title: String { "Get an item" }

    var description: String {
        "Gets one item by `id`, or up to \(Self.maxIDs) by `ids`, from the cache if fresh, else from the API. "
            + "`source` and `age` (seconds) tell the origin. If `stale` is true, the answer may be out of date. "
            + "Ids in `missing` do not exist. Request ids in `omitted` again." + guide.scopes(of: resources)
    }

    var arguments: [ToolArgument] {
        [
            ToolSchemas.resource(resources.map(\.name)),
            ToolArgument(name: "id", schema: .any(ofTypes: "string", "integer")),
            ToolArgument(
                name: "ids", schema: .array(of: .any(ofTypes: "string", "integer"), atMost: Self.maxIDs)),
        ] + (guide.hasScopes ? [ToolSchemas.scope] : [])
            + [ToolSchemas.fields, ToolSchemas.cachePolicy, ToolSchemas.maxAge]
    }

    var hints: ToolHints { ToolHints(isReadOnly: true, isOpenWorld: true) }

    private var resources: [ResourceDefinition] { table.resources.filter(\.canGet) }

    func begin(_ arguments: ToolArguments) throws(RPCError) -> ToolStep {
        let (context, _) = try arguments.resource(in: table) { $0.canGet ? true : nil }
        try arguments.checkScope(of: context)
        switch (arguments["id"], arguments["ids"]) {
        case (_?, nil): return try one(arguments, context)
        case (nil, let ids?): return try several(arguments, ids, context)
        default: throw RPCError(.invalidParams, "pass either 'id' or 'ids', not both")
        }
    }

    private func one(_ arguments: ToolArguments, _ context: ResourceContext) throws(RPCError) -> ToolStep {
        let handler = GetHandler(context: try arguments.scoped(context))
        let request = try handler.request(GetParams(arguments.params))
        if let hit = handler.cached(request) { return .answered(json(hit)) }
        return .work { (_) async throws(RPCError) in json(try await handler.read(request)) }
    }

    private func several(
        _ arguments: ToolArguments, _ ids: JSONView, _ context: ResourceContext
    ) throws(RPCError) -> ToolStep {
        let asked = ids.elements.map { JSONValue($0) }
        guard asked.count <= Self.maxIDs else {
            throw RPCError(
                .invalidParams, "'ids' has \(asked.count) ids: at most \(Self.maxIDs) are allowed in one call")
        }
        let handler = GetManyHandler(context: try arguments.scoped(context))
        let request = try handler.request(GetManyParams(arguments.params))
        // A client that asked for progress gets it, even if all items are in memory.
        if !arguments.wantsProgress, let hit = handler.cached(request) {
            return .answered(json(hit, asked, context))
        }
        return .work { (scope) async throws(RPCError) in
            json(try await handler.read(request, scope.progress), asked, context)
        }
    }

    private func json(_ result: GetResult) -> [UInt8] {
        var writer = JSONWriter(capacity: result.item.count + 128)
        writer.beginObject()
        result.writeMembers(to: &writer, now: answer.clock.now())
        writer.endObject()
        return writer.bytes
    }

    /// Returns as many of several items as fit, and the ids of the others.
    private func json(_ result: GetManyResult, _ asked: [JSONValue], _ context: ResourceContext) -> [UInt8] {
        let size = result.items.reduce(0) { $0 + $1.count + 1 }
        var writer = JSONWriter(capacity: min(size, ToolOutput.largest) + 256)
        writer.beginObject()
        let shown = ToolOutput.write(result.items, to: &writer)
        if shown < result.items.count {
            writer.key("omitted")
            let found = asked.filter { !result.missing.contains(context.json($0.plainText)) }
            writer.value(.array(Array(found.dropFirst(shown))))
        }
        result.writeRest(to: &writer)
        answer.writeAge(since: result.oldest, to: &writer)
        writer.endObject()
        return writer.bytes
    }
}
