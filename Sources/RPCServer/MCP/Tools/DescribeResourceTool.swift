import Catalog
import DataSources
import JSON
import Protocol

/// `describe_resource`: returns the fields, scope and filters of a resource.
struct DescribeResourceTool: ToolContract {
    let table: ResourceTable
    let guide: ResourceGuide
    let names: ToolNames
    /// The tables that SQL statements can read; nil if there is no tool `query_cached`.
    var queries: CatalogQueries?

    var name: String { "describe_resource" }
    var title: String { "Describe a resource" }

    var description: String {
        "Returns a resource's fields, scope and filters with all their values, as TypeScript, without network. Call it "
            + "instead of guessing names." + guide.subject(of: table.resources)
    }

    var arguments: [ToolArgument] { [ToolSchemas.resource(table.resources.map(\.name))] }

    var outputSchema: JSONSchema { ToolAnswerSchemas.description }

    var hints: ToolHints { ToolHints(isReadOnly: true, isOpenWorld: false) }

    func begin(_ arguments: ToolArguments) throws(RPCError) -> ToolStep {
        let (_, resource) = try arguments.resource(in: table) { $0 }
        var writer = JSONWriter()
        Self.write(resource, names, table: queries?.schema.definition(of: resource.name), to: &writer)
        return .answered(ToolAnswer(json: writer.bytes))
    }

    /// Writes the description of a resource as a JSON object.
    ///
    /// - Parameter table: the SQL table of the resource with its columns; nil to omit the table.
    static func write(
        _ resource: ResourceDefinition, _ names: ToolNames, table: String? = nil, to writer: inout JSONWriter
    ) {
        writer.beginObject()
        writer.key("resource")
        writer.string(resource.name)
        writer.key("types")
        writer.string(TypeScriptTypes.text(of: resource))
        writer.key("tools")
        writer.beginArray()
        if resource.canGet { writer.string(names.name("get_item")) }
        if resource.list != nil {
            writer.string(names.name("list_items"))
            writer.string(names.name(resource.fillingTool))
        }
        writer.string(names.name("search_cached"))
        if table != nil { writer.string(names.name("query_cached")) }
        writer.endArray()
        if let list = resource.list, list.isOfIDs, !list.isHydrated {
            writer.key("lists")
            writer.string(resource.canGet ? names.text("ids only: get the items with get_item") : "ids only")
        } else if let list = resource.list, !list.isComplete, !list.isHydrated, resource.canGet {
            writer.key("lists")
            writer.string(names.text("items in lists may lack fields that get_item returns"))
        }
        if let table {
            writer.key("table")
            writer.string(table)
        }
        if resource.canGet {
            writer.key("uriTemplate")
            writer.string(ItemURI.template(of: resource))
        }
        writer.endObject()
    }
}
