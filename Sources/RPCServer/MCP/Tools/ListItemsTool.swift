import Catalog
import DataSources
import JSON
import Protocol

/// `list_items`: a page of a list, or a part of one.
struct ListItemsTool: ToolContract {
    let methods: ResourceMethods
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

    private var resources: [ResourceDefinition] { methods.resources.filter { $0.list != nil } }

    func begin(_ arguments: ToolArguments, in session: Session) throws(RPCError) -> ToolStep {
        let resource = try methods.resource(arguments) { $0.list != nil }
        let limit = try arguments.limit() ?? .max
        let place = try ListPlace(arguments["page"])
        var params = JSONWriter()
        params.beginObject()
        try methods.copyScope(of: resource, arguments, to: &params)
        if place.page != .null {
            params.key("page")
            params.value(place.page)
        }
        arguments.copy(["filter", "fields", "cachePolicy", "maxAge"], to: &params)
        params.endObject()
        return try methods.call("\(resource.name)/list", params, in: session) { [answer] result, _ in
            part(of: result, from: place, atMost: limit, answer)
        }
    }
}

/// The part of a page that was asked for, or as much of it as fits. What was cut off comes next.
private func part(of result: JSONView, from place: ListPlace, atMost limit: Int, _ answer: ToolAnswer) -> [UInt8] {
    let items = result["items" as StaticString]
    let count = items?.elements.reduce(0) { count, _ in count + 1 } ?? 0
    let shown = ToolAnswer.shown(of: items, from: place.offset, atMost: limit)
    var writer = JSONWriter(capacity: min(result.token.count, ToolAnswer.largest) + 128)
    writer.beginObject()
    ToolAnswer.write(items, shown, to: &writer)
    writer.key("page")
    writer.beginObject()
    if let page = result["page" as StaticString] {
        for member in page.members {
            writer.key(member.key)
            if member.key.isString("next") {
                let next = JSONValue(member.value)
                writer.value(
                    shown.upperBound < count
                        ? ListPlace(page: place.page, offset: shown.upperBound).token : ListPlace(page: next).token)
            } else {
                writer.value(member.value)
            }
        }
    }
    writer.endObject()
    answer.copy(result, without: ["items", "page"], to: &writer)
    writer.endObject()
    return writer.bytes
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
