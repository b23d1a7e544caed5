import Catalog
import DataSources
import JSON
import Protocol
import System

/// `resources/list` and `resources/templates/list`: return the MCP resources and their URI templates, page by page.
struct ResourceListMethod: MCPMethodContract {
    /// The list that an MCP method returns: resources, or templates.
    enum Kind {
        /// The descriptions of the catalog's resources. The list contains no items, because there may be millions.
        /// Clients find items through the URI templates.
        case resources
        /// The URI templates of the items.
        case templates
    }

    private let kind: Kind
    private let resources: [ResourceDefinition]

    init(_ kind: Kind, _ resources: [ResourceDefinition]) {
        self.kind = kind
        self.resources = kind == .templates ? resources.filter(\.canGet) : resources
    }

    @_optimize(size)
    func begin(_ params: JSONView?, _ exchange: MCPExchange, result: inout JSONWriter) throws(RPCError) -> Step {
        let start = try MCPCursor.start(params, of: resources.count)
        // A stateless request must not affect later requests.
        if !exchange.version.isStateless { exchange.session.mcp.listsResources = true }
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
        let (uri, name, title, description): (String, String, String, String)
        writer.beginObject()
        switch kind {
        case .resources:
            writer.key("uri")
            (uri, name, title, description) = (
                ItemURI.uri(of: resource), "\(resource.name)-schema", "Schema of \(resource.name)",
                "The fields, scope and filters of '\(resource.name)'."
            )
        case .templates:
            writer.key("uriTemplate")
            let id = resource.id == .integer ? "number" : "id"
            (uri, name, title, description) = (
                ItemURI.template(of: resource), resource.name, "Item of \(resource.name)",
                "One '\(resource.name)' by its \(id)."
            )
        }
        writer.string(uri)
        writer.key("name")
        writer.string(name)
        writer.key("title")
        writer.string(title)
        writer.key("description")
        writer.string(description)
        writer.key("mimeType")
        writer.string("application/json")
        writer.key("annotations")
        // Items are also for the user, who may open them. The descriptions of resources are only for models.
        writer.raw(kind == .templates ? #"{"audience":["user","assistant"]}"# : #"{"audience":["assistant"]}"#)
        writer.endObject()
    }
}

/// `resources/read`: returns an item as JSON, or the description of a resource.
struct ResourceReadMethod: MCPMethodContract {
    /// The maximum time for which a client may cache a result, in milliseconds: one day.
    private static let maxLifetime: Int64 = 86_400_000

    let table: ResourceTable
    let names: ToolNames
    let clock: any ClockContract
    /// The tables that SQL statements can read; nil if there is no tool `query_cached`.
    var queries: CatalogQueries?

    var readsCache: Bool { true }

    func begin(_ params: JSONView?, _ exchange: MCPExchange, result: inout JSONWriter) throws(RPCError) -> Step {
        guard let text = params?["uri" as StaticString]?.string else {
            throw RPCError(.invalidParams, "'uri' must be a string, the URI of a resource")
        }
        guard let uri = ItemURI(text, among: table.resources) else {
            throw .unknownURI(text, exchange.version)
        }
        guard let id = uri.parts.last, let context = table.contexts.first(where: { $0.name == uri.resource.name })
        else {
            var about = JSONWriter()
            DescribeResourceTool.write(
                uri.resource, names, table: queries?.schema.definition(of: uri.resource.name), to: &about)
            ReadResult(uri: text, json: about.bytes, exchange: exchange).write(to: &result)
            return .answered
        }
        do throws(RPCError) {
            let handler = GetHandler(context: try context.scoped(to: uri))
            let request = try handler.request(GetParams(id: id))
            if let hit = handler.cached(request) {
                contents(hit, of: uri, text, exchange).write(to: &result)
                return .answered
            }
            return .work(
                Work { () async throws(RPCError) in
                    do throws(RPCError) {
                        return contents(try await handler.read(request), of: uri, text, exchange)
                    } catch {
                        throw Self.mapped(error, text, exchange.version)
                    }
                })
        } catch {
            throw Self.mapped(error, text, exchange.version)
        }
    }

    /// Converts an error of `RESOURCE/get` to an MCP error. A missing item gets MCP's error code for a missing
    /// resource.
    private static func mapped(_ error: RPCError, _ uri: String, _ version: MCPVersion) -> RPCError {
        // An invalid id is reported as a missing item, because it cannot belong to an item.
        [.notFound, .invalidParams].contains(error.code) ? .noResource(uri, version, error.message) : error
    }

    /// Converts the result of a `get` call to a result of `resources/read`.
    private func contents(
        _ item: GetResult, of uri: ItemURI, _ text: String, _ exchange: MCPExchange
    ) -> ReadResult {
        let now = clock.now()
        let left = Self.left(item.provenance, of: uri.resource, now)
        return ReadResult(uri: text, json: item.item, item: (item.provenance, now, left), exchange: exchange)
    }

    /// Returns how long an item remains fresh, in milliseconds, up to `maxLifetime`.
    private static func left(_ provenance: Provenance, of resource: ResourceDefinition, _ now: Timestamp) -> Int64 {
        if provenance.isStale { return 0 }
        guard let freshFor = resource.cache.freshFor else { return maxLifetime }
        return min(max(0, Int64(freshFor) - now.age(of: provenance.fetchedAt)), maxLifetime)
    }
}

extension ResourceContext {
    /// Returns the resource's context for the scope in an item's URI.
    fileprivate func scoped(to uri: ItemURI) throws(RPCError) -> ResourceContext {
        uri.resource.scope.isEmpty ? self : try scoped(to: uri.scopeValues(), isOptional: false)
    }
}

/// The result of `resources/read`: the text of one resource.
private struct ReadResult: RPCResult {
    let uri: String
    let json: [UInt8]
    /// For an item: its source and age, the current time, and its remaining time of freshness in milliseconds. Nil if
    /// the result is the description of a resource.
    var item: (provenance: Provenance, now: Timestamp, left: Int64)?
    let exchange: MCPExchange

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
        writer.string(utf8: json)
        if let item {
            writer.key(MCPKey.meta)
            writer.beginObject()
            item.provenance.write(to: &writer, now: item.now)
            writer.endObject()
        }
        writer.endObject()
        writer.endArray()
        exchange.close(&writer, item.map { .item(milliseconds: $0.left) } ?? .catalog)
    }
}
