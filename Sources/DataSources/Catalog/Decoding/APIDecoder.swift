import JSON

/// Reads an API of the `apis` section.
struct APIDecoder {
    let reader: CatalogReader

    /// The API that a member declares; nil, with a fault, where it cannot be one.
    func decode(_ member: CatalogMember) -> APIDefinition? {
        let name = member.name
        guard let object = reader.object(member.value, "the API '\(name)'", .api) else { return nil }
        let baseURL = decodeBaseURL(in: object)
        let headers = object.headers("headers")
        let auth = object["auth"].flatMap { decodeAuth($0, of: object) }
        let timeout = object.value("timeout", "a duration over 0, such as \"10s\"") {
            ClosedRange.positive.containing(Quantity.milliseconds($0))
        }
        let retries = object.integer("retries", in: 0...10)
        let maxConcurrent = object.integer("maxConcurrent", in: 1...1000)
        let maxBodySize = object.value("maxBodySize", "a size from 1B to 1GiB, such as \"16MiB\"") {
            (1...(1 << 30)).containing(Quantity.bytes($0))
        }
        let rateLimit = object["rateLimit"].flatMap { decodeRateLimit($0, of: object) }
        let connection = ConnectionDecoder(reader: reader).decode(object)
        let errors = ErrorRulesDecoder(reader: reader).decode(in: object)
        guard let baseURL else { return nil }
        var api = APIDefinition(
            name: name, baseURL: baseURL, reachedAt: baseURL, headers: headers, auth: auth,
            timeout: timeout ?? 10_000, retries: retries ?? 2, maxConcurrent: maxConcurrent ?? 8,
            maxBodySize: maxBodySize ?? 16 << 20, rateLimit: rateLimit, errors: errors)
        api.connection = connection
        api.declaration = Self.declaration(object)
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
        let absences = reader.absenceCount
        guard let text = object.requiredText("baseURL"), let view = object["baseURL"] else { return nil }
        // What there is of it cannot be judged.
        if reader.absenceCount > absences { return "http://missing.invalid" }
        switch BaseURL.check(text) {
        case .success(let url): return url
        case .failure(let reason):
            reader.fault("'baseURL' \(reason.message)", at: view)
            return nil
        }
    }

    private func decodeAuth(_ view: JSONView, of api: CatalogObject) -> APIDefinition.Authentication? {
        guard let object = reader.object(view, "'auth' of \(api.what)", .auth) else {
            return nil
        }
        let given = view.members.map { $0.value }
        guard given.count == 1 else {
            reader.fault("'auth' must have one of 'bearer', 'basic' and 'apiKey'", at: view)
            return nil
        }
        if object["bearer"] != nil { return secretText("bearer", in: object).map { .bearer($0) } }
        if let basic = object["basic"] {
            guard let pair = reader.object(basic, "'basic' of \(api.what)", .basic) else {
                return nil
            }
            let absences = reader.absenceCount
            let user = pair.requiredText("user")
            let password = secretText("password", in: pair)
            guard let user, let password else { return nil }
            // They travel as one text in base64, which does not hold the base64 of the password alone.
            if reader.absenceCount == absences { reader.note("\(user):\(password)") }
            return .basic(user: user, password: password)
        }
        return object["apiKey"].flatMap { decodeAPIKey($0, of: api) }
    }

    private func decodeAPIKey(_ view: JSONView, of api: CatalogObject) -> APIDefinition.Authentication? {
        guard let object = reader.object(view, "'apiKey' of \(api.what)", .apiKey) else {
            return nil
        }
        let place = object.required("in")?.string
        let name = object.requiredText("name")
        let value = secretText("value", in: object)
        switch place {
        case "header":
            if let name, !HTTPHeader.isSafe(name: name, value: ""), let view = object["name"] {
                reader.fault("'name' must be the name of a header field", at: view)
                return nil
            }
            if let name, let value { return .header(name: name, value: value) }
        case "query":
            if let name, let value { return .query(name: name, value: value) }
        default:
            if let view = object["in"] { reader.fault("'in' must be \"header\" or \"query\"", at: view) }
        }
        return nil
    }

    /// A text that is secret however it is written, and fit for a header field.
    private func secretText(_ key: String, in object: CatalogObject) -> String? {
        let absences = reader.absenceCount
        guard let text = object.requiredText(key), let view = object[key] else { return nil }
        if reader.absenceCount > absences { return text }
        guard !text.isEmpty, HTTPHeader.isSafe(name: "x", value: text) else {
            reader.fault("'\(key)' must be one line of text that is not empty", at: view)
            return nil
        }
        return reader.note(text, from: "'\(key)' in \(object.what)")
    }

    private func decodeRateLimit(_ view: JSONView, of api: CatalogObject) -> APIDefinition.RateLimit? {
        guard let object = reader.object(view, "'rateLimit' of \(api.what)", .rateLimit) else {
            return nil
        }
        object.required("requests")
        object.required("per")
        let requests = object.value("requests", "a number over 0") { ClosedRange.positive.containing($0.integer) }
        let per = object.value("per", "a duration over 0, such as \"1m\"") {
            ClosedRange.positive.containing(Quantity.milliseconds($0))
        }
        guard let requests, let per else { return nil }
        return APIDefinition.RateLimit(requests: requests, per: per)
    }
}
