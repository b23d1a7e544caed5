import Catalog
import DataSources
import JSON
import Protocol
import System

/// `get_item`: returns one item by its id, or several items by their ids.
struct GetItemTool: ToolContract {
    /// The maximum number of ids in one call. More items would not fit into one answer.
    static let maxIDs = 50

    let table: ResourceTable
    let guide: ResourceGuide
    let output: ToolOutput

    var name: String { "get_item" }
    var title: String { "Get an item" }

    var description: String {
        "Gets one item by `id`, or up to \(Self.maxIDs) by `ids`, from the cache if fresh, else from the API. "
            + "`source` is the origin, `age` is in seconds. If `stale` is true, the answer may be out of date. "
            + "Ids in `missing` do not exist, unless there is a `hint`. Request ids in `omitted` again."
            + (guide.needsScope(resources) ? " Some resources need `scope`." : "")
            + guide.subject(of: resources)
    }

    var arguments: [ToolArgument] {
        [
            ToolSchemas.resource(resources.map(\.name)),
            ToolArgument(name: "id", form: .id, schema: ToolSchemas.id(of: resources)),
            ToolArgument(
                name: "ids", form: .ids, schema: .array(of: ToolSchemas.id(of: resources), atMost: Self.maxIDs)),
        ] + guide.scopeArguments(of: resources)
            + [ToolSchemas.fields, ToolSchemas.cachePolicy, ToolSchemas.maxAge]
    }

    var outputSchema: JSONSchema { ToolAnswerSchemas.items }

    var hints: ToolHints { ToolHints(isReadOnly: true, isOpenWorld: true) }

    private var resources: [ResourceDefinition] { table.resources.filter(\.canGet) }

    func begin(_ arguments: ToolArguments) throws(RPCError) -> ToolStep {
        let (context, _) = try arguments.resource(in: table) { $0.canGet ? true : nil }
        try arguments.checkScope(of: context)
        if arguments["ids"] != nil { return try several(arguments, context) }
        guard arguments["id"] != nil else {
            throw RPCError(.invalidParams, "no id: pass 'id' for one item, or 'ids' for several")
        }
        return try one(arguments, context)
    }

    private func one(_ arguments: ToolArguments, _ context: ResourceContext) throws(RPCError) -> ToolStep {
        let context = try arguments.scoped(context)
        let handler = GetHandler(context: context)
        let client = arguments.client
        let request = try handler.request(GetParams(arguments.params))
        if let hit = handler.cached(request) { return .answered(answer(hit, request.id, context, client)) }
        return .work { (_) async throws(RPCError) in
            answer(try await handler.read(request), request.id, context, client)
        }
    }

    private func several(_ arguments: ToolArguments, _ context: ResourceContext) throws(RPCError) -> ToolStep {
        var params = try GetManyParams(arguments.params)
        if arguments["id"] != nil {
            // Some hosts fill in all arguments, and then pass both `id` and `ids`.
            let id = try GetParams(arguments.params).id
            params.ids = [id] + params.ids.filter { $0 != id }
        }
        let asked = params.ids
        guard asked.count <= Self.maxIDs else {
            throw RPCError(
                .invalidParams, "'ids' has \(asked.count) ids; pass at most \(Self.maxIDs) in one call")
        }
        let context = try arguments.scoped(context)
        let handler = GetManyHandler(context: context)
        let client = arguments.client
        let request = try handler.request(params)
        // A client that requested progress notifications receives them even if all items are in memory.
        if !client.wantsProgress, let hit = handler.cached(request) {
            return .answered(answer(hit, asked, context, client))
        }
        let isLocal = arguments["cachePolicy"]?.isString("localOnly") == true
        return .work { (scope) async throws(RPCError) in
            let result = try await handler.read(request, scope.progress)
            return answer(result, asked, context, client, hint: Self.hint(result, context, isLocal: isLocal))
        }
    }

    private func answer(
        _ result: GetResult, _ id: String, _ context: ResourceContext, _ client: ToolClient
    ) -> ToolAnswer {
        var writer = JSONWriter(capacity: result.item.count + 128)
        writer.beginObject()
        result.writeMembers(to: &writer, now: output.clock.now())
        writer.endObject()
        let links = client.wantsLinks ? [link(to: id, context, result.provenance.fetchedAt)] : []
        return ToolAnswer(json: writer.bytes, links: links)
    }

    /// Returns advice about missing items that the API may have. Returns nil if no items are missing, or if the API has
    /// reported that they do not exist.
    private static func hint(_ result: GetManyResult, _ context: ResourceContext, isLocal: Bool) -> String? {
        if result.missing.isEmpty { return nil }
        if context.isOffline {
            return "the ids in 'missing' are not cached: start this server without --offline to fetch them"
        }
        if isLocal { return "the ids in 'missing' are not cached: leave out cachePolicy to ask the API" }
        return result.fallback.map { _ in "the API failed, so the ids in 'missing' may exist: try again later" }
    }

    /// Creates an answer with the requested items, up to the maximum size of an answer. The answer also lists the ids
    /// of the omitted items.
    private func answer(
        _ result: GetManyResult, _ asked: [String], _ context: ResourceContext, _ client: ToolClient,
        hint: String? = nil
    ) -> ToolAnswer {
        let size = result.items.reduce(0) { $0 + $1.count + 1 }
        var writer = JSONWriter(capacity: min(size, ToolOutput.largest) + 256)
        writer.beginObject()
        let shown = ToolOutput.write(result.items, to: &writer)
        let found = asked.filter { !result.missing.contains(context.json($0)) }
        if shown < result.items.count {
            writer.key("omitted")
            writer.beginArray()
            for id in found.dropFirst(shown) { writer.splice(context.json(id)) }
            writer.endArray()
        }
        result.writeRest(to: &writer)
        if let hint {
            writer.key("hint")
            writer.string(hint)
        }
        output.writeAge(since: result.oldest, to: &writer)
        writer.endObject()
        let linked = client.wantsLinks ? min(shown, ItemLink.limit) : 0
        let links = found.prefix(linked).map { link(to: $0, context, nil) }
        return ToolAnswer(json: writer.bytes, links: links)
    }

    private func link(to id: String, _ context: ResourceContext, _ fetchedAt: Timestamp?) -> ItemLink {
        ItemLink(
            uri: ItemURI.uri(of: id, in: context.scope, of: context.repository.resource),
            name: "\(context.name) \(id)", fetchedAt: fetchedAt)
    }
}
