import JSON
import Model

/// Decodes one API of the catalog section `apis`.
struct APIDecoder {
    /// A placeholder for a base URL whose secret or variable is missing. Larder never sends a request to this URL.
    private static let placeholderURL = "http://missing.invalid"

    let reader: CatalogReader

    /// Decodes one member of the catalog section `apis`; returns nil if the declaration is invalid.
    func decode(_ member: CatalogMember) -> APIDefinition? {
        let name = member.name
        guard let object = reader.object(member.value, "the API '\(name)'", .api) else { return nil }
        let missingBefore = reader.missingCount
        let baseURL = reader.readingBaseURL(of: name) { decodeBaseURL(in: object) }
        let isIncomplete = reader.missingCount > missingBefore
        let headers = object.headers("headers")
        let auth = AuthenticationDecoder(reader: reader).decode(object)
        let timeout = object.value("timeout", "a duration over 0, such as \"10s\"") {
            ClosedRange.positive.containing(Quantity.milliseconds($0))
        }
        let retries = object.integer("retries", in: 0...10)
        let maxConcurrent = object.integer("maxConcurrent", in: 1...1000)
        let maxBodySize = object.value("maxBodySize", "a size from 1B to 1GiB, such as \"16MiB\"") {
            (1...(1 << 30)).containing(Quantity.bytes($0))
        }
        let (rateLimit, waits) = RateLimitDecoder(reader: reader).decode(object)
        let connection = ConnectionDecoder(reader: reader).decode(object)
        let errors = ErrorRulesDecoder(reader: reader).decode(in: object)
        guard let baseURL else { return nil }
        var api = APIDefinition(
            name: name, baseURL: baseURL, effectiveBaseURL: baseURL, headers: headers, auth: auth?.auth,
            timeout: timeout ?? 10_000, retries: retries ?? 2, maxConcurrent: maxConcurrent ?? 8,
            maxBodySize: maxBodySize ?? 16 << 20, rateLimit: rateLimit, errors: errors)
        if let auth, !auth.auth.sources.isEmpty { api.authNumber = auth.place }
        api.waits = waits
        api.connection = connection
        api.declaration = Self.declaration(object)
        if isIncomplete { api.incompleteURLNumber = object["baseURL"].map { reader.place(of: $0) } }
        return api
    }

    private static func declaration(_ object: CatalogObject) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        for key in ["baseURL", "headers", "auth", "tls"] {
            guard let view = object[key] else { continue }
            writer.key(text: key)
            writer.value(view)
        }
        writer.endObject()
        return writer.bytes
    }

    private func decodeBaseURL(in object: CatalogObject) -> String? {
        let missingBefore = reader.missingCount
        guard let text = object.requiredText("baseURL"), let view = object["baseURL"] else { return nil }
        // A URL with a missing secret is incomplete, so it cannot be checked.
        if reader.missingCount > missingBefore { return Self.placeholderURL }
        switch BaseURL.check(text) {
        case .success(let url): return url
        case .failure(let reason):
            return reader.malformed("'baseURL': \(reason.message)", at: view).map { _ in Self.placeholderURL }
        }
    }
}
