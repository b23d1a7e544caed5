import JSON
import Model

/// Decodes the member `auth` of an API.
struct AuthenticationDecoder {
    let reader: CatalogReader

    /// Decodes the credentials of an API. Also returns their location in the catalog, as a location number (see
    /// `CatalogFiles`). Returns nil if `auth` is missing. Reports an error and returns nil if `auth` is invalid.
    func decode(_ api: CatalogObject) -> (auth: APIDefinition.Authentication, place: Int)? {
        guard let view = api["auth"], let object = reader.object(view, "'auth' of \(api.what)", .auth) else {
            return nil
        }
        let given = view.members.map { $0.value }
        guard given.count == 1 else {
            reader.fault("'auth' must have exactly one of 'bearer', 'basic', 'apiKey' and 'oauth2'", at: view)
            return nil
        }
        let auth: APIDefinition.Authentication? =
            if object["bearer"] != nil {
                token("bearer", in: object).map { .bearer($0) }
            } else if let basic = object["basic"] {
                self.basic(basic, of: api)
            } else if let key = object["apiKey"] {
                apiKey(key, of: api)
            } else {
                object["oauth2"].flatMap { oauth($0, of: api) }
            }
        return auth.map { ($0, reader.place(of: given[0])) }
    }

    private func basic(_ view: JSONView, of api: CatalogObject) -> APIDefinition.Authentication? {
        guard let pair = reader.object(view, "'basic' of \(api.what)", .basic) else { return nil }
        let missingBefore = reader.missingCount
        let user = pair["user"]?.kind == .object ? token("user", in: pair) : pair.requiredText("user").map { .text($0) }
        let password = token("password", in: pair)
        guard let user, let password else { return nil }
        // `USER:PASSWORD` is also recorded as a secret, because it is sent as one base64 string, which does not contain
        // the base64 form of the password alone.
        if reader.missingCount == missingBefore, let user = user.literal, let password = password.literal {
            reader.note("\(user):\(password)")
        }
        return .basic(user: user, password: password)
    }

    private func apiKey(_ view: JSONView, of api: CatalogObject) -> APIDefinition.Authentication? {
        guard let object = reader.object(view, "'apiKey' of \(api.what)", .apiKey) else {
            return nil
        }
        let place = object.required("in")?.string
        let name = object.requiredText("name")
        let value = token("value", in: object)
        switch place {
        case "header":
            if let name, !HTTPHeader.isSafe(name: name, value: ""), let view = object["name"] {
                let placeholder = reader.malformed("'name' must be the name of a header field", at: view)
                guard let placeholder, let value else { return nil }
                return .header(name: placeholder, value: value)
            }
            if let name, let value { return .header(name: name, value: value) }
        case "query":
            if let name, let value { return .query(name: name, value: value) }
        default:
            if let view = object["in"] { reader.fault("'in' must be \"header\" or \"query\"", at: view) }
        }
        return nil
    }

    private func oauth(_ view: JSONView, of api: CatalogObject) -> APIDefinition.Authentication? {
        guard let object = reader.object(view, "'oauth2' of \(api.what)", .oauth2) else { return nil }
        let url = tokenURL(in: object)
        let clientID = object.requiredText("clientID")
        let clientSecret = token("clientSecret", in: object)
        let refreshToken = object["refreshToken"] == nil ? nil : token("refreshToken", in: object)
        let isInBody = object.value("in", "\"header\" or \"body\"") {
            $0.isString("body") ? true : $0.isString("header") ? false : nil
        }
        let scope = object.text("scope")
        let params = object.texts("params").map { OAuthSettings.Param(name: $0.name, value: $0.value) }
        if let params = object["params"], params.kind == .object {
            for key in ["grant_type", "refresh_token", "client_id", "client_secret", "scope"] {
                guard let view = params[key] else { continue }
                reader.fault("'\(key)' is not allowed in 'params', because Larder sends it itself; remove it", at: view)
            }
        }
        if clientID?.isEmpty == true, let view = object["clientID"] {
            reader.fault("'clientID' must not be empty", at: view)
        }
        guard let url, let clientID, let clientSecret, object["refreshToken"] == nil || refreshToken != nil else {
            return nil
        }
        var settings = OAuthSettings(tokenURL: url, clientID: clientID, clientSecret: clientSecret)
        settings.scope = scope
        settings.refreshToken = refreshToken
        settings.isInBody = isInBody ?? false
        settings.params = params
        return .oauth2(settings)
    }

    /// Returns the URL of the token endpoint. The URL must follow the rules for `baseURL`, but may contain a query (RFC
    /// 6749, section 3.2).
    private func tokenURL(in object: CatalogObject) -> String? {
        let missingBefore = reader.missingCount
        guard let text = object.requiredText("tokenURL"), let view = object["tokenURL"] else { return nil }
        // A URL with a missing secret is incomplete, so it cannot be checked.
        if reader.missingCount > missingBefore { return text }
        let query = text.drop { $0 != "?" }
        if case .failure(let reason) = BaseURL.check(String(text.dropLast(query.count))) {
            return reader.malformed("'tokenURL': \(reason.message)", at: view)
        }
        guard query.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }) else {
            return reader.malformed(
                "'tokenURL' must not have spaces, control characters, non-ASCII characters or a fragment", at: view)
        }
        return text
    }

    /// Returns a token, or the command that prints the token. A token in the catalog must be a valid header value, and
    /// is always recorded as a secret.
    private func token(_ key: String, in object: CatalogObject) -> TokenText? {
        if let view = object[key], view.kind == .object {
            return command(view, "'\(key)' in \(object.what)").map { .command($0) }
        }
        let missingBefore = reader.missingCount
        guard let text = object.requiredText(key), let view = object[key] else { return nil }
        if reader.missingCount > missingBefore { return .text(text) }
        guard !text.isEmpty, HTTPHeader.isSafe(name: "x", value: text) else {
            return reader.malformed("'\(key)' must be one non-empty line of text", at: view).map { .text($0) }
        }
        return .text(reader.note(text, from: "'\(key)' in \(object.what)"))
    }

    private func command(_ view: JSONView, _ what: String) -> TokenCommand? {
        guard let object = reader.object(view, what, .command) else { return nil }
        let lifetime = object.value("for", "a duration over 0, such as \"50m\"") {
            ClosedRange.positive.containing(Quantity.milliseconds($0))
        }
        guard let list = object.required("command") else { return nil }
        let elements = Array(list.elements)
        guard !elements.isEmpty else {
            reader.fault(
                "'command' must be an array of words such as [\"gh\", \"auth\", \"token\"]: the command runs without a"
                    + " shell", at: list)
            return nil
        }
        let words = elements.compactMap { reader.expanded($0, "command") }
        guard words.count == elements.count else { return nil }
        if words[0].isEmpty {
            reader.fault("'command' must start with the name of a program, such as \"gh\"", at: elements[0])
        }
        for (word, view) in zip(words, elements) where word.utf8.contains(0) {
            _ = reader.malformed("a word of 'command' must not contain a null character", at: view)
        }
        return TokenCommand(words: words, lifetime: lifetime)
    }
}
