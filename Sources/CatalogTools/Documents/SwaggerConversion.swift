import JSON
import System

/// Converts a Swagger 2.0 document to OpenAPI 3.
///
/// The result contains only the members that the import uses, and at most one server.
struct SwaggerConversion {
    private static let methods = ["get", "put", "post", "delete", "options", "head", "patch"]

    private let root: JSONView
    private let isInsecure: Bool
    private var values: SwaggerValues
    private let references: SwaggerReferences
    private var parameters: SwaggerParameters
    private var writer: JSONWriter

    /// Creates a conversion.
    ///
    /// - Parameters:
    ///   - root: the document.
    ///   - url: the URL of the document. Its scheme is used if the document does not declare a scheme.
    init(_ root: JSONView, url: String? = nil) {
        isInsecure = url?.lowercased().hasPrefix("http:") == true
        self.root = root
        values = SwaggerValues()
        references = SwaggerReferences(root)
        parameters = SwaggerParameters(root, references)
        writer = JSONWriter(capacity: root.token.count + root.token.count / 4)
    }

    /// Returns the document as OpenAPI 3.
    mutating func json() -> [UInt8] {
        writer.beginObject()
        writer.key("openapi")
        writer.string("3.0.3")
        server()
        for member in root.members {
            switch member.key.string {
            case "paths": object(member) { $0.path($1) }
            case "swagger", "host", "basePath", "schemes", "consumes", "produces", "definitions", "parameters",
                "responses", "securityDefinitions":
                break
            default: copy(member)
            }
        }
        components()
        writer.endObject()
        return writer.bytes
    }

    /// Writes the member `servers` with the URL of the API. If the document declares no host, this URL is relative to
    /// the URL of the document.
    private mutating func server() {
        let host = root["host"]?.string(atMost: SwaggerValues.maxText) ?? ""
        let path = root["basePath"]?.string(atMost: SwaggerValues.maxText) ?? ""
        guard !host.isEmpty || !path.isEmpty else { return }
        let schemes = root["schemes"]?.elements.compactMap { $0.string } ?? []
        let isSecure = schemes.isEmpty ? !isInsecure : schemes.contains("https")
        let scheme = isSecure ? "https" : "http"
        let slash = path.isEmpty || path.hasPrefix("/") ? "" : "/"
        writer.key("servers")
        writer.beginArray()
        writer.beginObject()
        writer.key("url")
        writer.string((host.isEmpty ? "" : "\(scheme)://\(host)") + slash + path)
        writer.endObject()
        writer.endArray()
    }

    private mutating func components() {
        writer.key("components")
        writer.beginObject()
        for (old, new, convert) in [
            ("definitions", "schemas", { $0.values.write($1, to: &$0.writer) }),
            ("parameters", "parameters", { $0.parameters.write($1, to: &$0.writer) }),
            ("responses", "responses", { $0.response($1, produces: $0.root["produces"]) }),
            ("securityDefinitions", "securitySchemes", { SwaggerSecurity.write($1, to: &$0.writer) }),
        ] as [(String, String, (inout Self, JSONView) -> Void)] {
            guard let view = root[old], view.kind == .object else { continue }
            writer.key(text: new)
            writer.beginObject()
            for member in view.members {
                writer.key(member.key)
                convert(&self, member.value)
            }
            writer.endObject()
        }
        parameters.writeBodies(to: &writer)
        writer.endObject()
    }

    /// Writes a path item with its operations.
    private mutating func path(_ view: JSONView) {
        let item = references.inlined(view, size: writer.bytes.count)
        guard item.kind == .object else { return values.write(item, to: &writer) }
        writer.beginObject()
        for member in item.members {
            let name = member.key.string ?? ""
            if name == "parameters" {
                parameters.write(list: member.value, to: &writer)
            } else if Self.methods.contains(name), member.value.kind == .object {
                writer.key(member.key)
                operation(member.value, in: item)
            } else {
                copy(member)
            }
        }
        writer.endObject()
    }

    private mutating func operation(_ view: JSONView, in item: JSONView) {
        let operation = references.inlined(view, size: writer.bytes.count)
        writer.beginObject()
        for member in operation.members {
            switch member.key.string {
            case "parameters": parameters.write(list: member.value, to: &writer)
            case "responses":
                let produces = operation["produces"] ?? root["produces"]
                object(member) { $0.response($1, produces: produces) }
            case "consumes", "produces", "schemes": break
            default: copy(member)
            }
        }
        parameters.writeBody(of: operation, in: item, to: &writer)
        writer.endObject()
    }

    private mutating func response(_ view: JSONView, produces: JSONView?) {
        let response = references.inlined(view, size: writer.bytes.count)
        guard response.kind == .object, response["$ref"] == nil else { return values.write(response, to: &writer) }
        writer.beginObject()
        for member in response.members {
            switch member.key.string {
            case "headers": object(member) { $0.parameters.write(typed: $1, to: &$0.writer) }
            case "schema", "examples": break
            default: copy(member)
            }
        }
        content(of: response, produces: produces)
        writer.endObject()
    }

    /// Writes the content of a response under one media type. If the operation produces several media types, prefers
    /// JSON.
    private mutating func content(of response: JSONView, produces: JSONView?) {
        let schema = response["schema"]
        let examples = response["examples"]?.members.map { $0 } ?? []
        guard schema != nil || !examples.isEmpty else { return }
        let types = produces?.elements.compactMap { $0.string } ?? []
        let type = types.first { Self.isJSON($0) } ?? types.first ?? "application/json"
        writer.key("content")
        writer.beginObject()
        writer.key(text: type.hasPrefix("*/") ? "application/json" : type)
        writer.beginObject()
        if let schema {
            writer.key("schema")
            values.write(schema, to: &writer)
        }
        if let example = examples.first(where: { Self.isJSON($0.key.string ?? "") }) {
            writer.key("example")
            writer.value(example.value)
        }
        writer.endObject()
        writer.endObject()
    }

    private static func isJSON(_ type: String) -> Bool {
        let name = type.prefix { $0 != ";" }.lowercased()
        return name == "application/json" || name.hasSuffix("+json") || name.hasPrefix("*/")
    }

    /// Writes an object after converting each of its values with `convert`.
    private mutating func object(_ member: JSONView.Members.Element, _ convert: (inout Self, JSONView) -> Void) {
        writer.key(member.key)
        guard member.value.kind == .object else { return values.write(member.value, to: &writer) }
        writer.beginObject()
        for inner in member.value.members {
            writer.key(inner.key)
            convert(&self, inner.value)
        }
        writer.endObject()
    }

    private mutating func copy(_ member: JSONView.Members.Element) {
        writer.key(member.key)
        values.write(member.value, to: &writer)
    }
}
