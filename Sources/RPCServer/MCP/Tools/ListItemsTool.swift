import Catalog
import DataSources
import JSON
import Protocol

/// `list_items`: a page of a list, or a part of one.
struct ListItemsTool: ToolContract {
    let table: ResourceTable
    let guide: ResourceGuide
    let answer: ToolAnswer

    var name: String { "list_items" }
    var title: String { "List items" }

    var description: String {
        "Lists items. For more, call again with the same arguments and `page` set to `page.next` of the answer; null is "
            + "the end. `page.count` is how many there are, where the API says so." + guide.filters(of: resources)
    }

    var arguments: [ToolArgument] {
        [
            ToolSchemas.resource(resources.map(\.name)),
            ToolArgument(
                name: "page",
                schema: JSONSchema.any(ofTypes: "string", "integer").described("`page.next` of an answer.")),
            ToolSchemas.filter,
        ] + (guide.hasScopes ? [ToolSchemas.scope] : []) + [
            ToolArgument(
                name: "limit",
                schema: JSONSchema.integer(atLeast: 1).described("Show no more; `page.next` goes on from there.")),
            ToolSchemas.fields, ToolSchemas.cachePolicy, ToolSchemas.maxAge,
        ]
    }

    var hints: ToolHints { ToolHints(isReadOnly: true, isOpenWorld: true) }

    private var resources: [ResourceDefinition] { table.resources.filter { $0.list != nil } }

    func begin(_ arguments: ToolArguments) throws(RPCError) -> ToolStep {
        let (context, list) = try arguments.resource(in: table, with: \.list)
        let limit = try arguments.limit() ?? .max
        let place = try ListPlace(arguments["page"])
        try arguments.checkScope(of: context)
        let handler = ListHandler(context: try arguments.scoped(context), list: list)
        let request = try handler.request(ListParams(arguments.params, page: place.page))
        if let hit = handler.cached(request) { return .answered(json(hit, from: place, atMost: limit)) }
        return .work { (_) async throws(RPCError) in
            json(try await handler.read(request), from: place, atMost: limit)
        }
    }

    /// The part of a page that was asked for, or as much of it as fits. The next call gets the rest.
    private func json(_ result: ListResult, from place: ListPlace, atMost limit: Int) -> [UInt8] {
        let items = result.items
        let shown = ToolAnswer.shown(of: items.count, from: place.offset, atMost: limit) { items.size(at: $0) }
        let rest = shown.upperBound < items.count ? ListPlace(page: place.page, offset: shown.upperBound) : nil
        var writer = JSONWriter(capacity: min(items.size + items.count, ToolAnswer.largest) + 256)
        writer.beginObject()
        writer.key("items")
        writer.splice(array: items, in: shown)
        writer.key("page")
        Self.write(page: result.page, next: rest, to: &writer)
        result.writeRest(to: &writer, now: answer.clock.now())
        writer.endObject()
        return writer.bytes
    }

    /// Writes where a page stands in its list.
    ///
    /// - Parameter next: the place of the next call; nil for the next page of the list.
    private static func write(page: [UInt8], next: ListPlace?, to writer: inout JSONWriter) {
        guard let document = try? JSONDocument(page) else { return writer.splice(page) }
        document.withRoot { root in
            writer.beginObject()
            for member in root.members {
                writer.key(member.key)
                if member.key.isString("next") {
                    writer.value((next ?? ListPlace(page: JSONValue(member.value))).token)
                } else {
                    writer.value(member.value)
                }
            }
            writer.endObject()
        }
    }
}

/// Where a model stands in a list: a page, and how many of its items it has seen.
///
/// Within a page it is a text with both, `larder:OFFSET:PAGE`, the page as JSON; else the page as the list names it.
struct ListPlace: Equatable, Sendable {
    /// As the list names it; `null` is the first.
    let page: JSONValue
    let offset: Int

    private static let prefix = "larder:"

    init(page: JSONValue, offset: Int = 0) {
        self.page = page
        self.offset = offset
    }

    /// The place that a call names; the beginning of the list where it names none.
    ///
    /// - Throws: `invalidParams` for a text that looks like one and is none.
    init(_ view: JSONView?) throws(RPCError) {
        guard let view, let text = view.string, text.hasPrefix(Self.prefix) else {
            self.init(page: view.map { JSONValue($0) } ?? .null)
            return
        }
        let rest = text.dropFirst(Self.prefix.count)
        guard let colon = rest.firstIndex(of: ":"), let offset = Int(rest[..<colon]), offset >= 0,
            let page = try? JSONValue(parsing: String(rest[rest.index(after: colon)...]))
        else {
            throw RPCError(.invalidParams, "'page' must be what came as 'page.next', unchanged")
        }
        self.init(page: page, offset: offset)
    }

    /// What names the place in a call. A list's own name that looks like such a text is put into one.
    var token: JSONValue {
        if offset == 0 {
            guard case .string(let text) = page, text.hasPrefix(Self.prefix) else { return page }
        }
        return .string("\(Self.prefix)\(offset):\(page.text)")
    }
}
