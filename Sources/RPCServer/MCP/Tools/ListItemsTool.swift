import Catalog
import DataSources
import JSON
import Protocol

/// `list_items`: returns a page of a list. A long page is returned in several answers.
struct ListItemsTool: ToolContract {
    /// The default of the `limit` argument. It is small, because a page of 100 items would fill a model's context.
    private static let defaultLimit = 20

    let table: ResourceTable
    let guide: ResourceGuide
    let answer: ToolOutput

    var name: String { "list_items" }
    var title: String { "List items" }

    var description: String {
        "Lists items. For more, call again with the same arguments and `page` set to `page.next` of the answer; null "
            + "means the end. `page.count` is the total, if the API reports it."
            + guide.subject(of: resources)
    }

    var arguments: [ToolArgument] {
        [
            ToolSchemas.resource(resources.map(\.name)),
            ToolArgument(
                name: "page", form: .page,
                schema: JSONSchema.string.described("`page.next` of the previous answer.")),
        ] + guide.filterArguments(of: resources) + guide.scopeArguments(of: resources) + [
            ToolArgument(
                name: "limit", form: .integer,
                schema: JSONSchema.integer(atLeast: 1).byDefault(.integer(Self.defaultLimit)).described(
                    "`page.next` continues after these items.")),
            ToolSchemas.fields, ToolSchemas.cachePolicy, ToolSchemas.maxAge,
        ]
    }

    var outputSchema: JSONSchema { ToolAnswerSchemas.page }

    var hints: ToolHints { ToolHints(isReadOnly: true, isOpenWorld: true) }

    private var resources: [ResourceDefinition] { table.resources.filter { $0.list != nil } }

    @_optimize(size)
    func begin(_ arguments: ToolArguments) throws(RPCError) -> ToolStep {
        let (context, list) = try arguments.resource(in: table, with: \.list)
        let filter = try ListFilterValues(list.filters).filter(of: arguments)
        let limit = try arguments.limit() ?? Self.defaultLimit
        let position = try ListPosition(arguments["page"], of: list.pageForm)
        try arguments.checkScope(of: context)
        let handler = ListHandler(context: try arguments.scoped(context), list: list)
        var params = try ListParams(arguments.params, page: position.page)
        params.filter = filter
        let request = try handler.request(params)
        if let hit = handler.cached(request) {
            return .answered(json(hit, from: position, atMost: limit, list.pageForm))
        }
        return .work { (_) async throws(RPCError) in
            json(try await handler.read(request), from: position, atMost: limit, list.pageForm)
        }
    }

    /// Creates an answer with as many items as `limit` and the maximum size of an answer allow. The answer also
    /// contains the position of the next item.
    private func json(
        _ result: ListResult, from position: ListPosition, atMost limit: Int, _ form: PageForm
    ) -> ToolAnswer {
        let items = result.items
        let shown = ToolOutput.shown(of: items.count, from: position.offset, atMost: limit) { items.size(at: $0) }
        let rest = shown.upperBound < items.count ? ListPosition(page: position.page, offset: shown.upperBound) : nil
        var writer = JSONWriter(capacity: min(items.size + items.count, ToolOutput.largest) + 256)
        writer.beginObject()
        writer.key("items")
        writer.splice(array: items, in: shown)
        writer.key("page")
        Self.write(page: result.page, form, next: rest, to: &writer)
        result.writeRest(to: &writer, now: answer.clock.now())
        writer.endObject()
        return ToolAnswer(json: writer.bytes)
    }

    /// Writes the page info. The member `next` contains the position for the next call.
    ///
    /// - Parameters:
    ///   - form: the kind of the list's page tokens.
    ///   - next: the position of the next item on the same page; nil if no items are left on this page.
    private static func write(page: [UInt8], _ form: PageForm, next: ListPosition?, to writer: inout JSONWriter) {
        guard let document = try? JSONDocument(page) else { return writer.splice(page) }
        document.withRoot { root in
            writer.beginObject()
            for member in root.members {
                writer.key(member.key)
                if member.key.isString("next") {
                    writer.value((next ?? ListPosition(page: JSONValue(member.value))).token(of: form))
                } else if member.key.isString("previous") {
                    writer.value(ListPosition(page: JSONValue(member.value)).token(of: form))
                } else {
                    writer.value(member.value)
                }
            }
            writer.endObject()
        }
    }
}
