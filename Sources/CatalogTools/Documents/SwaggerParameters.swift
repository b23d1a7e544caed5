import JSON

/// Converts the parameters of a Swagger 2.0 document: their types become schemas, and bodies become request bodies.
struct SwaggerParameters {
    /// The members of a Swagger parameter that belong to the schema in OpenAPI 3.
    private static let typed: Set<String> = [
        "type", "format", "items", "default", "enum", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
        "minLength", "maxLength", "pattern", "minItems", "maxItems", "uniqueItems", "multipleOf", "x-nullable",
    ]
    private static let prefix = "#/parameters/"

    private let values = SwaggerValues()
    /// The parameters that the document declares for all operations.
    private let shared: JSONView?
    private let consumes: JSONView?
    private let references: SwaggerReferences

    init(_ root: JSONView, _ references: SwaggerReferences) {
        (shared, consumes, self.references) = (root["parameters"], root["consumes"], references)
    }

    /// Writes the array `parameters`. Leaves out the parameters that describe a request body.
    func write(list: JSONView, to writer: inout JSONWriter) {
        writer.key("parameters")
        writer.beginArray()
        for element in list.elements where !isBody(target(of: element)) { write(element, to: &writer) }
        writer.endArray()
    }

    func write(_ parameter: JSONView, to writer: inout JSONWriter) {
        let parameter = references.inlined(parameter, size: writer.bytes.count)
        guard parameter["schema"] == nil else { return values.write(parameter, to: &writer) }
        write(typed: parameter, to: &writer)
    }

    /// Converts a Swagger 2.0 parameter or header field to OpenAPI 3. Swagger 2.0 declares the type as members of the
    /// parameter itself. OpenAPI 3 declares the type in a schema.
    func write(typed view: JSONView, to writer: inout JSONWriter) {
        guard view.kind == .object, view["$ref"] == nil else { return values.write(view, to: &writer) }
        writer.beginObject()
        for member in view.members {
            let name = member.key.string ?? ""
            guard !Self.typed.contains(name), name != "collectionFormat" else { continue }
            writer.key(member.key)
            values.write(member.value, to: &writer)
        }
        if view["type"]?.isString("array") == true { writeStyle(view, to: &writer) }
        writer.key("schema")
        writeSchema(view, to: &writer)
        writer.endObject()
    }

    /// Writes the style of an array parameter. In OpenAPI 3, the style determines the separator between elements.
    /// Without `collectionFormat`, the separator is a comma.
    private func writeStyle(_ view: JSONView, to writer: inout JSONWriter) {
        let format = view["collectionFormat"]?.string ?? "csv"
        let style: StaticString? =
            switch format {
            case "ssv": "spaceDelimited"
            case "pipes": "pipeDelimited"
            case "tsv": "tabDelimited"
            default: nil
            }
        if let style {
            writer.key("style")
            writer.string(style)
        }
        writer.key("explode")
        writer.bool(format == "multi")
    }

    private func writeSchema(_ view: JSONView, to writer: inout JSONWriter) {
        writer.beginObject()
        for member in view.members where Self.typed.contains(member.key.string ?? "") {
            if member.key.isString("type"), member.value.isString("file") {
                writer.key("type")
                writer.string("string")
            } else if member.key.isString("x-nullable") {
                writer.key("nullable")
                writer.value(member.value)
            } else {
                writer.key(member.key)
                values.write(member.value, to: &writer)
            }
        }
        writer.endObject()
    }

    // MARK: Bodies

    /// Writes the request body of an operation. Writes nothing if the operation has no body.
    func writeBody(of operation: JSONView, in item: JSONView, to writer: inout JSONWriter) {
        var fields: [JSONView] = []
        for element in [operation, item].compactMap({ $0["parameters"] }).flatMap({ Array($0.elements) }) {
            guard let parameter = target(of: element) else { continue }
            if parameter["in"]?.isString("body") == true {
                writer.key("requestBody")
                if let reference = element["$ref"]?.string, reference.hasPrefix(Self.prefix) {
                    writer.beginObject()
                    writer.key("$ref")
                    writer.string("#/components/requestBodies/\(reference.dropFirst(Self.prefix.count))")
                    writer.endObject()
                } else {
                    write(body: parameter, to: &writer)
                }
                return
            }
            if parameter["in"]?.isString("formData") == true { fields.append(element) }
        }
        if !fields.isEmpty { write(form: fields, consumes: operation["consumes"] ?? consumes, to: &writer) }
    }

    /// Writes the bodies that the document declares for all operations, as `requestBodies`.
    func writeBodies(to writer: inout JSONWriter) {
        let bodies = shared?.members.filter { $0.value["in"]?.isString("body") == true } ?? []
        guard !bodies.isEmpty else { return }
        writer.key("requestBodies")
        writer.beginObject()
        for member in bodies {
            writer.key(member.key)
            write(body: member.value, to: &writer)
        }
        writer.endObject()
    }

    private func write(body: JSONView, to writer: inout JSONWriter) {
        writer.beginObject()
        if body["required"]?.bool == true {
            writer.key("required")
            writer.bool(true)
        }
        writer.key("content")
        writer.beginObject()
        writer.key("application/json")
        writer.beginObject()
        if let schema = body["schema"] {
            writer.key("schema")
            values.write(schema, to: &writer)
        }
        writer.endObject()
        writer.endObject()
        writer.endObject()
    }

    /// Writes the form fields of an operation as a request body. The schema of the body is an object with one property
    /// for each field.
    private func write(form fields: [JSONView], consumes: JSONView?, to writer: inout JSONWriter) {
        writer.key("requestBody")
        writer.beginObject()
        writer.key("content")
        writer.beginObject()
        writer.key(text: consumes?.elements.first { _ in true }?.string ?? "application/x-www-form-urlencoded")
        writer.beginObject()
        writer.key("schema")
        writer.beginObject()
        writer.key("type")
        writer.string("object")
        writer.key("properties")
        writer.beginObject()
        for field in fields {
            guard let parameter = target(of: field), let name = parameter["name"]?.string else { continue }
            writer.key(text: name)
            if let reference = field["$ref"]?.string {
                writer.beginObject()
                writer.key("$ref")
                writer.string(SwaggerValues.reference(reference) + "/schema")
                writer.endObject()
            } else {
                writeSchema(parameter, to: &writer)
            }
        }
        for _ in 0..<5 { writer.endObject() }
    }

    private func isBody(_ parameter: JSONView?) -> Bool {
        parameter?["in"]?.isString("body") == true || parameter?["in"]?.isString("formData") == true
    }

    /// Returns an element of a parameter list. If the element is a reference, returns the target of the reference.
    private func target(of element: JSONView) -> JSONView? { references.target(of: element) }
}
