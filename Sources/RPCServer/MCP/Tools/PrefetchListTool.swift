import Catalog
import DataSources
import JSON
import Protocol

/// `prefetch_list`: fetches a list, so that it can be searched, also offline.
struct PrefetchListTool: ToolContract {
    /// How many pages are fetched where a call says nothing: a model that forgets to say must not fetch the world.
    private static let usual = 20

    let methods: ResourceMethods
    let guide: ResourceGuide

    var name: String { "prefetch_list" }
    var title: String { "Prefetch a list" }

    var description: String {
        "Fetches up to `maxPages` pages of a list into the cache, for `search_cached`. `complete`: true says that this "
            + "was all of it. `filter` and `scope` as in `list_items`."
    }

    var arguments: [ToolArgument] {
        [ToolSchemas.resource(resources.map(\.name)), ToolSchemas.filter]
            + (guide.hasScopes ? [ToolSchemas.scope] : [])
            + [ToolArgument(name: "maxPages", schema: JSONSchema.integer(atLeast: 1).byDefault(.integer(Self.usual)))]
    }

    var hints: ToolHints { ToolHints(isReadOnly: false, isOpenWorld: true) }

    private var resources: [ResourceDefinition] { methods.resources.filter { $0.list != nil } }

    func begin(_ arguments: ToolArguments, in session: Session) throws(RPCError) -> ToolStep {
        let resource = try methods.resource(arguments) { $0.list != nil }
        var params = JSONWriter()
        params.beginObject()
        try methods.copyScope(of: resource, arguments, to: &params)
        arguments.copy(["filter", "maxPages"], to: &params)
        if arguments["maxPages"] == nil {
            params.key("maxPages")
            params.integer(Self.usual)
        }
        params.endObject()
        return try methods.call("\(resource.name)/prefetch", params, in: session) { result, _ in
            var writer = JSONWriter()
            writer.value(result)
            return writer.bytes
        }
    }
}
