import JSON

/// Converts the security definitions of a Swagger 2.0 document.
enum SwaggerSecurity {
    /// Writes a security definition of Swagger 2.0 as a security scheme of OpenAPI 3.
    static func write(_ scheme: JSONView, to writer: inout JSONWriter) {
        switch scheme["type"]?.string {
        case "basic":
            writer.beginObject()
            writer.key("type")
            writer.string("http")
            writer.key("scheme")
            writer.string("basic")
            copyDescription(of: scheme, to: &writer)
            writer.endObject()
        case "oauth2":
            writer.beginObject()
            writer.key("type")
            writer.string("oauth2")
            copyDescription(of: scheme, to: &writer)
            writer.key("flows")
            writer.beginObject()
            if let flow = flow(scheme["flow"]?.string) {
                writer.key(flow)
                writer.beginObject()
                for member in scheme.members
                where ["authorizationUrl", "tokenUrl", "scopes"].contains(member.key.string ?? "") {
                    writer.key(member.key)
                    writer.value(member.value)
                }
                writer.endObject()
            }
            writer.endObject()
            writer.endObject()
        default: writer.value(scheme)
        }
    }

    private static func flow(_ name: String?) -> StaticString? {
        switch name {
        case "implicit": "implicit"
        case "password": "password"
        case "application": "clientCredentials"
        case "accessCode": "authorizationCode"
        default: nil
        }
    }

    private static func copyDescription(of scheme: JSONView, to writer: inout JSONWriter) {
        guard let description = scheme["description"] else { return }
        writer.key("description")
        writer.value(description)
    }
}
