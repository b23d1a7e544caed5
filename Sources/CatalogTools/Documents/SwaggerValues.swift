import JSON

/// Converts the values in a Swagger 2.0 document, such as schemas, to OpenAPI 3.
struct SwaggerValues {
    /// The maximum length of the document's host, and of its base path, in bytes. Longer values are ignored.
    static let maxText = 2_000
    private static let places = [
        ("#/definitions/", "#/components/schemas/"), ("#/parameters/", "#/components/parameters/"),
        ("#/responses/", "#/components/responses/"), ("#/securityDefinitions/", "#/components/securitySchemes/"),
    ]

    /// Writes a value in the form of OpenAPI 3. Changes each reference to the OpenAPI 3 location of its target, and
    /// renames `x-nullable` to `nullable`.
    func write(_ view: JSONView, to writer: inout JSONWriter) {
        switch view.kind {
        case .array:
            writer.beginArray()
            for element in view.elements { write(element, to: &writer) }
            writer.endArray()
        case .object:
            writer.beginObject()
            let isNullable = view["nullable"] != nil
            for member in view.members {
                let isString = member.value.kind == .string
                if isString, member.key.isString("$ref"), let text = member.value.string {
                    writer.key(member.key)
                    writer.string(Self.reference(text))
                } else if member.key.isString("x-nullable"), !isNullable {
                    writer.key("nullable")
                    writer.value(member.value)
                } else {
                    writer.key(member.key)
                    write(member.value, to: &writer)
                }
            }
            writer.endObject()
        default: writer.value(view)
        }
    }

    /// Returns the OpenAPI 3 form of a Swagger reference.
    static func reference(_ text: String) -> String {
        var text = text
        for (old, new) in places where text.hasPrefix(old) { text = new + text.dropFirst(old.count) }
        // The schema of a response is below its media type.
        guard text.hasPrefix("#/paths/") || text.hasPrefix("#/components/responses/"),
            let start = text.firstRange(of: "/responses/"),
            let schema = text[start.upperBound...].firstRange(of: "/schema")
        else { return text }
        return "\(text[..<schema.lowerBound])/content/application~1json/schema\(text[schema.upperBound...])"
    }
}
