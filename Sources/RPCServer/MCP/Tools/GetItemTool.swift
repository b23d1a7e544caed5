import Catalog
import DataSources
import JSON
import Protocol

/// `get_item`: one item, or several by their ids.
struct GetItemTool: ToolContract {
    /// More would not fit an answer.
    static let mostIDs = 50

    let methods: ResourceMethods
    let guide: ResourceGuide
    let answer: ToolAnswer

    var name: String { "get_item" }
    var title: String { "Get an item" }

    var description: String {
        "Gets one item by `id`, or up to \(Self.mostIDs) by `ids`: from the cache where it is fresh, else from the API. "
            + "`source` and `age` (seconds) say where it is from; `stale`: true, that it may be out of date. "
            + "Ids in `missing` do not exist; ask again for those in `omitted`." + guide.scopes(of: resources)
    }

    var arguments: [ToolArgument] {
        [
            ToolSchemas.resource(resources.map(\.name)),
            ToolArgument(name: "id", schema: .any(ofTypes: "string", "integer")),
            ToolArgument(
                name: "ids", schema: .array(of: .any(ofTypes: "string", "integer"), atMost: Self.mostIDs)),
        ] + (guide.hasScopes ? [ToolSchemas.scope] : [])
            + [ToolSchemas.fields, ToolSchemas.cachePolicy, ToolSchemas.maxAge]
    }

    var hints: ToolHints { ToolHints(isReadOnly: true, isOpenWorld: true) }

    private var resources: [ResourceDefinition] { methods.resources.filter(\.canGet) }

    func begin(_ arguments: ToolArguments, in session: Session) throws(RPCError) -> ToolStep {
        let resource = try methods.resource(arguments, where: \.canGet)
        var params = JSONWriter()
        params.beginObject()
        try methods.copyScope(of: resource, arguments, to: &params)
        switch (arguments["id"], arguments["ids"]) {
        case (_?, nil): arguments.copy(["id", "fields", "cachePolicy", "maxAge"], to: &params)
        case (nil, let ids?):
            let count = ids.elements.reduce(0) { count, _ in count + 1 }
            guard count <= Self.mostIDs else {
                throw RPCError(.invalidParams, "'ids' has \(count) ids, \(Self.mostIDs) are allowed in a call")
            }
            arguments.copy(["ids", "fields", "cachePolicy", "maxAge"], to: &params)
        default: throw RPCError(.invalidParams, "either 'id' or 'ids' must be there, and not both")
        }
        if arguments["ids"] != nil {
            // Who asks to hear of the progress is not answered at once, in bytes that do not say how old the items are.
            params.key("workDoneToken")
            params.integer(0)
        }
        params.endObject()
        if arguments["ids"] == nil {
            return try methods.call("\(resource.name)/get", params, in: session) { [answer] result, _ in
                var writer = JSONWriter(capacity: result.token.count + 32)
                writer.beginObject()
                answer.copy(result, to: &writer)
                writer.endObject()
                return writer.bytes
            }
        }
        let asked = arguments["ids"].map { JSONValue($0) } ?? []
        return try methods.call("\(resource.name)/getMany", params, in: session) { [answer] result, oldest in
            several(result, asked, oldest, answer)
        }
    }
}

/// Several items, as many as fit; the ids of the others are named.
private func several(
    _ result: JSONView, _ asked: JSONValue, _ oldest: Int64?, _ answer: ToolAnswer
) -> [UInt8] {
    let items = result["items" as StaticString]
    let all = items?.elements.reduce(0) { count, _ in count + 1 } ?? 0
    let shown = ToolAnswer.shown(of: items, from: 0, atMost: .max)
    var writer = JSONWriter(capacity: min(result.token.count, ToolAnswer.largest) + 64)
    writer.beginObject()
    ToolAnswer.write(items, shown, to: &writer)
    if shown.count < all {
        writer.key("omitted")
        writer.value(.array(left(of: asked, after: shown.count, missing: result["missing" as StaticString])))
    }
    answer.copy(result, without: ["items"], to: &writer)
    answer.writeAge(since: oldest, to: &writer)
    writer.endObject()
    return writer.bytes
}

/// The ids that were asked for, without those that there are none of and the first ones.
private func left(of asked: JSONValue, after count: Int, missing: JSONView?) -> [JSONValue] {
    guard case .array(let ids) = asked else { return [] }
    let missing = missing.map { $0.elements.map { JSONValue($0).plainText } } ?? []
    return Array(ids.filter { !missing.contains($0.plainText) }.dropFirst(count))
}
