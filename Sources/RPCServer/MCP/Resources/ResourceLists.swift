import Catalog
import DataSources
import JSON
import Protocol

/// `resources/list` and `resources/templates/list`: a page of what is said of each resource.
struct ResourceListMethod: MCPMethodContract {
    /// What is listed.
    enum Kind {
        /// What there is to know of each resource. Items are found through templates: there may be millions.
        case resources
        /// How items are addressed.
        case templates
    }

    private let kind: Kind
    private let resources: [ResourceDefinition]

    init(_ kind: Kind, _ resources: [ResourceDefinition]) {
        self.kind = kind
        self.resources = kind == .templates ? resources.filter(\.canGet) : resources
    }

    func begin(_ params: JSONView?, _ exchange: MCPExchange, result: inout JSONWriter) throws(RPCError) -> Step {
        let start = try MCPCursor.start(params, of: resources.count)
        result.beginObject()
        result.key(kind == .resources ? "resources" : "resourceTemplates")
        result.beginArray()
        for resource in resources.dropFirst(start).prefix(MCPCursor.pageSize) { write(resource, to: &result) }
        result.endArray()
        MCPCursor.writeNext(after: start, of: resources.count, to: &result)
        exchange.close(&result, .catalog)
        return .answered
    }

    private func write(_ resource: ResourceDefinition, to writer: inout JSONWriter) {
        let (name, description): (String, String)
        writer.beginObject()
        switch kind {
        case .resources:
            writer.key("uri")
            (name, description) = (ItemURI.uri(of: resource), "The fields, scope and filters of '\(resource.name)'.")
        case .templates:
            writer.key("uriTemplate")
            let id = resource.id == .integer ? "number" : "id"
            (name, description) = (ItemURI.template(of: resource), "One '\(resource.name)' by its \(id).")
        }
        writer.string(name)
        writer.key("name")
        writer.string(resource.name)
        writer.key("description")
        writer.string(description)
        writer.key("mimeType")
        writer.string("application/json")
        writer.endObject()
    }
}

/// `resources/read`: an item as JSON, or what there is to know of a resource.
struct ResourceReadMethod: MCPMethodContract {
    /// No client is to keep an item longer, however long it is good.
    private static let longest: Int64 = 86_400_000

    let methods: ResourceMethods
    let answer: ToolAnswer

    var readsCache: Bool { true }

    func begin(_ params: JSONView?, _ exchange: MCPExchange, result: inout JSONWriter) throws(RPCError) -> Step {
        guard let text = params?["uri" as StaticString]?.string else {
            throw RPCError(.invalidParams, "'uri' must be a string: a resource's URI")
        }
        guard let uri = ItemURI(text, among: methods.resources) else {
            throw .noResource(text, exchange.version, "there is no resource '\(text.prefix(200))'")
        }
        if uri.parts.isEmpty {
            var about = JSONWriter()
            DescribeResourceTool.write(uri.resource, to: &about)
            ReadResult(uri: text, json: about.bytes, lifetime: .catalog, exchange: exchange).write(to: &result)
            return .answered
        }
        do throws(RPCError) {
            let step = try methods.call("\(uri.resource.name)/get", uri.params, in: exchange.session) {
                [self] view, _ in
                contents(view, of: uri.resource, text, exchange)
            }
            switch step {
            case .answered(let json):
                result.splice(json)
                return .answered
            case .work(let work):
                return .work(
                    Work(speaking: { (scope) async throws(RPCError) in
                        do throws(RPCError) {
                            return WrittenResult(json: try await work.run(scope))
                        } catch {
                            throw Self.mapped(error, text, exchange.version)
                        }
                    }))
            }
        } catch {
            throw Self.mapped(error, text, exchange.version)
        }
    }

    /// The protocol's own code for what is not there.
    private static func mapped(_ error: RPCError, _ uri: String, _ version: MCPVersion) -> RPCError {
        // An id that the resource cannot have is that of no item.
        [.notFound, .invalidParams].contains(error.code) ? .noResource(uri, version, error.message) : error
    }

    /// The result of a read, of that of a `get`.
    private func contents(
        _ view: JSONView, of resource: ResourceDefinition, _ uri: String, _ exchange: MCPExchange
    ) -> [UInt8] {
        var item = JSONWriter()
        if let value = view["item" as StaticString] { item.value(value) }
        var result = JSONWriter()
        ReadResult(
            uri: uri, json: item.bytes, lifetime: .item(milliseconds: left(view, of: resource)), exchange: exchange
        ) { writer in
            answer.copy(view, without: ["item"], to: &writer)
        }
        .write(to: &result)
        return result.bytes
    }

    /// How many milliseconds an item is still fresh.
    private func left(_ view: JSONView, of resource: ResourceDefinition) -> Int64 {
        guard view["stale" as StaticString]?.kind == .false,
            let age = answer.milliseconds(since: view["fetchedAt" as StaticString]?.string)
        else { return 0 }
        guard let freshFor = resource.cache.freshFor else { return Self.longest }
        return min(max(0, Int64(freshFor) - age), Self.longest)
    }
}

/// The result of `resources/read`: one text.
private struct ReadResult {
    let uri: String
    let json: [UInt8]
    let lifetime: MCPExchange.Lifetime
    let exchange: MCPExchange
    /// Writes where the text is from, and how old it is.
    var provenance: (inout JSONWriter) -> Void = { _ in }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("contents")
        writer.beginArray()
        writer.beginObject()
        writer.key("uri")
        writer.string(uri)
        writer.key("mimeType")
        writer.string("application/json")
        writer.key("text")
        writer.string(String(decoding: json, as: UTF8.self))
        if case .item = lifetime {
            writer.key(MCPKey.meta)
            writer.beginObject()
            provenance(&writer)
            writer.endObject()
        }
        writer.endObject()
        writer.endArray()
        exchange.close(&writer, lifetime)
    }
}
