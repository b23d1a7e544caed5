import JSON

/// The `apis` section.
extension CatalogDecoder {
    mutating func decodeAPI(_ name: JSONView, _ view: JSONView) -> APIDefinition? {
        let name = name.string ?? ""
        let keys = [
            "baseURL", "headers", "auth", "timeout", "retries", "maxConcurrent", "maxBodySize", "rateLimit",
        ]
        guard let object = object(view, "the API '\(name)'", keys: keys) else { return nil }
        let baseURL = decodeBaseURL(in: object)
        let headers = decodeHeaders(in: object)
        let auth = object["auth"].flatMap { decodeAuth($0, of: object) }
        let timeout = value("timeout", in: object, "a duration over 0, such as \"10s\"") {
            positive(Quantity.milliseconds($0))
        }
        let retries = value("retries", in: object, "a number from 0 to 10") { range($0.integer, 0...10) }
        let maxConcurrent = value("maxConcurrent", in: object, "a number from 1 to 1000") {
            range($0.integer, 1...1000)
        }
        let maxBodySize = value("maxBodySize", in: object, "a size from 1B to 1GiB, such as \"16MiB\"") {
            range(Quantity.bytes($0), 1...(1 << 30))
        }
        let rateLimit = object["rateLimit"].flatMap { decodeRateLimit($0, of: object) }
        guard let baseURL else { return nil }
        return APIDefinition(
            name: name, baseURL: baseURL, reachedAt: baseURL, headers: headers, auth: auth,
            timeout: timeout ?? 10_000, retries: retries ?? 2, maxConcurrent: maxConcurrent ?? 8,
            maxBodySize: maxBodySize ?? 16 << 20, rateLimit: rateLimit)
    }

    private mutating func decodeBaseURL(in object: CatalogObject) -> String? {
        guard let text = requiredText("baseURL", in: object), let view = object["baseURL"] else { return nil }
        switch BaseURL.check(text) {
        case .success(let url): return url
        case .failure(let reason):
            fault("'baseURL' \(reason.message)", at: view)
            return nil
        }
    }

    mutating func decodeHeaders(in object: CatalogObject) -> [HTTPHeader] {
        texts("headers", in: object).compactMap { name, value, key in
            guard HTTPHeader.isSafe(name: name, value: value) else {
                fault("'\(name)' is no header field with one line of text", at: key)
                return nil
            }
            return HTTPHeader(name, value)
        }
    }

    private mutating func decodeAuth(_ view: JSONView, of api: CatalogObject) -> APIDefinition.Authentication? {
        guard let object = object(view, "'auth' of \(api.what)", keys: ["bearer", "basic", "apiKey"]) else {
            return nil
        }
        let given = view.members.map { $0.value }
        guard given.count == 1 else {
            fault("'auth' must have one of 'bearer', 'basic' and 'apiKey'", at: view)
            return nil
        }
        if object["bearer"] != nil { return secretText("bearer", in: object).map { .bearer($0) } }
        if let basic = object["basic"] {
            guard let pair = self.object(basic, "'basic' of \(api.what)", keys: ["user", "password"]) else {
                return nil
            }
            let user = requiredText("user", in: pair)
            let password = secretText("password", in: pair)
            guard let user, let password else { return nil }
            // They travel as one text in base64, which does not hold the base64 of the password alone.
            note("\(user):\(password)")
            return .basic(user: user, password: password)
        }
        return object["apiKey"].flatMap { decodeAPIKey($0, of: api) }
    }

    private mutating func decodeAPIKey(_ view: JSONView, of api: CatalogObject) -> APIDefinition.Authentication? {
        guard let object = object(view, "'apiKey' of \(api.what)", keys: ["in", "name", "value"]) else { return nil }
        let place = required("in", in: object)?.string
        let name = requiredText("name", in: object)
        let value = secretText("value", in: object)
        switch place {
        case "header":
            if let name, !HTTPHeader.isSafe(name: name, value: ""), let view = object["name"] {
                fault("'name' must be the name of a header field", at: view)
                return nil
            }
            if let name, let value { return .header(name: name, value: value) }
        case "query":
            if let name, let value { return .query(name: name, value: value) }
        default:
            if let view = object["in"] { fault("'in' must be \"header\" or \"query\"", at: view) }
        }
        return nil
    }

    /// A text that is secret however it is written, and fit for a header field.
    private mutating func secretText(_ key: String, in object: CatalogObject) -> String? {
        guard let text = requiredText(key, in: object), let view = object[key] else { return nil }
        guard !text.isEmpty, HTTPHeader.isSafe(name: "x", value: text) else {
            fault("'\(key)' must be one line of text that is not empty", at: view)
            return nil
        }
        return note(text, from: "'\(key)' in \(object.what)")
    }

    private mutating func decodeRateLimit(_ view: JSONView, of api: CatalogObject) -> APIDefinition.RateLimit? {
        guard let object = object(view, "'rateLimit' of \(api.what)", keys: ["requests", "per"]) else { return nil }
        _ = required("requests", in: object)
        _ = required("per", in: object)
        let requests = value("requests", in: object, "a number over 0") { positive($0.integer) }
        let per = value("per", in: object, "a duration over 0, such as \"1m\"") { positive(Quantity.milliseconds($0)) }
        guard let requests, let per else { return nil }
        return APIDefinition.RateLimit(requests: requests, per: per)
    }
}

/// A number, if it is over 0.
func positive(_ value: Int?) -> Int? { range(value, 1...Int.max) }

/// A number, if it lies in a range.
func range(_ value: Int?, _ range: ClosedRange<Int>) -> Int? {
    value.flatMap { range.contains($0) ? $0 : nil }
}
