import Catalog
import DataSources
import JSON
import Protocol

/// `list_items`: returns a page of a list, or a part of a page.
struct ListItemsTool: ToolContract {
    let table: ResourceTable
    let guide: ResourceGuide
    let answer: ToolOutput

    var name: String { "list_items" }
    var title: String { "List items" }

    var description: String {
        "Lists items. For more, call again with the same arguments and `page` set to `page.next` of the answer; null "
            + "means the end. `page.count` is the total, if the API reports it." + guide.filters(of: resources)
    }

    var arguments: [ToolArgument] {
        [
            ToolSchemas.resource(resources.map(\.name)),
            ToolArgument(
                name: "page",
                schema: JSONSchema.any(ofTypes: "string", "integer").described("`page.next` of the previous answer.")),
            ToolSchemas.filter,
        ] + (guide.hasScopes ? [ToolSchemas.scope] : []) + [
            ToolArgument(
                name: "limit",
                schema: JSONSchema.integer(atLeast: 1).described(
                    "Maximum number of items; `page.next` continues after them.")),
            ToolSchemas.fields, ToolSchemas.cachePolicy, ToolSchemas.maxAge,
        ]
    }

    var hints: ToolHints { ToolHints(isReadOnly: true, isOpenWorld: true) }

    private var resources: [ResourceDefinition] { table.resources.filter { $0.list != nil } }

    func begin(_ arguments: ToolArguments) throws(RPCError) -> ToolStep {
        let (context, list) = try arguments.resource(in: table, with: \.list)
        let limit = try arguments.limit() ?? .max
        let position = try ListPosition(arguments["page"])
        try arguments.checkScope(of: context)
        let handler = ListHandler(context: try arguments.scoped(context), list: list)
        let request = try handler.request(ListParams(arguments.params, page: position.page))
        if let hit = handler.cached(request) { return .answered(json(hit, from: position, atMost: limit)) }
        return .work { (_) async throws(RPCError) in
            json(try await handler.read(request), from: position, atMost: limit)
        }
    }

    /// Returns the requested part of a page, or as much of it as fits. The next call returns the rest.
    private func json(_ result: ListResult, from position: ListPosition, atMost limit: Int) -> [UInt8] {
        let items = result.items
        let shown = ToolOutput.shown(of: items.count, from: position.offset, atMost: limit) { items.size(at: $0) }
        let rest = shown.upperBound < items.count ? ListPosition(page: position.page, offset: shown.upperBound) : nil
        var writer = JSONWriter(capacity: min(items.size + items.count, ToolOutput.largest) + 256)
        writer.beginObject()
        writer.key("items")
        writer.splice(array: items, in: shown)
        writer.key("page")
        Self.write(page: result.page, next: rest, to: &writer)
        result.writeRest(to: &writer, now: answer.clock.now())
        writer.endObject()
        return writer.bytes
    }

    /// Writes the page info, with the position of the next call as `next`.
    ///
    /// - Parameter next: the position within this page; nil for the next page of the list.
    private static func write(page: [UInt8], next: ListPosition?, to writer: inout JSONWriter) {
        guard let document = try? JSONDocument(page) else { return writer.splice(page) }
        document.withRoot { root in
            writer.beginObject()
            for member in root.members {
                writer.key(member.key)
                if member.key.isString("next") {
                    writer.value((next ?? ListPosition(page: JSONValue(member.value))).token)
                } else {
                    writer.value(member.value)
                }
            }
            writer.endObject()
        }
    }
}

/// A model's position in a list: a page, and the number of its items that the model has seen.
///
/// A position within a page is written as `larder:OFFSET:PAGE`, with the page as JSON. The start of a page is written
/// as the list's own name for the page.
struct ListPosition: Equatable, Sendable {
    /// The list's own name for the page; `null` is the first page.
    let page: JSONValue
    let offset: Int

    private static let prefix = "larder:"

    init(page: JSONValue, offset: Int = 0) {
        self.page = page
        self.offset = offset
    }

    /// Reads the position of a call; the start of the list if the call has none.
    ///
    /// - Throws: `invalidParams` for a text that starts with `larder:` but is not a valid position.
    init(_ view: JSONView?) throws(RPCError) {
        guard let view, let text = view.string, text.hasPrefix(Self.prefix) else {
            self.init(page: view.map { JSONValue($0) } ?? .null)
            return
        }
        let rest = text.dropFirst(Self.prefix.count)
        guard let colon = rest.firstIndex(of: ":"), let offset = Int(rest[..<colon]), offset >= 0,
            let page = try? JSONValue(parsing: String(rest[rest.index(after: colon)...]))
        else {
            throw RPCError(.invalidParams, "'page' must be an unchanged 'page.next' of an earlier answer")
        }
        self.init(page: page, offset: offset)
    }

    /// The position as a call names it. A page name that starts with `larder:` is wrapped, so that it is not ambiguous.
    var token: JSONValue {
        if offset == 0 {
            guard case .string(let text) = page, text.hasPrefix(Self.prefix) else { return page }
        }
        return .string("\(Self.prefix)\(offset):\(page.text)")
    }
}
