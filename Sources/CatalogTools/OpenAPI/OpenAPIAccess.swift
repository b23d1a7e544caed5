import Catalog
import JSON
import Model
import System

/// Drafts an API of a catalog from the servers and security schemes of an OpenAPI document.
struct OpenAPIAccess {
    private static let maxURL = 2_048
    static let maxName = 200

    let document: OpenAPIDocument
    let schemas: OpenAPISchemas
    private let server: JSONView?
    /// The URL of the document's first server. A relative URL is resolved against the URL of the document.
    private let url: String
    /// The reason why `url` differs from the server URL in the document; nil if both are equal.
    private let note: String?
    /// The name of the API, derived from the host of the URL. If the URL has no host, the name is derived from the
    /// title of the document.
    let name: String

    init(document: OpenAPIDocument) {
        self.document = document
        schemas = OpenAPISchemas(document)
        let servers = document.root["servers"]
        server = servers?.elements.first { _ in true }
        let written = server?["url"]?.string(atMost: Self.maxURL + 1) ?? ""
        let resolved = Self.resolved(written, at: document.url)
        url = resolved ?? written
        note =
            resolved == nil
            ? nil
            : written.isEmpty
                ? "the document names no server; this is the host that publishes it"
                : "the server '\(written)' relative to the URL of the document"
        let server = server
        let filled = Self.filled(url) { Self.standard(of: $0, server, document) ?? $0 }
        if let name = DraftNames.api(url: filled), !["example", "localhost"].contains(name) {
            self.name = name
            return
        }
        let title = document.root["info"]?["title"]?.string(atMost: CatalogImport.maxTitle) ?? ""
        let words = title.split { !$0.isLetter && !$0.isNumber }.map { $0.lowercased() }
        let ordinary = ["the", "api", "rest", "openapi", "swagger", "service", "a"]
        name = words.first { !ordinary.contains($0) }.flatMap { DraftNames.resource($0) } ?? "api"
    }

    /// The absolute base URL with the default values of its variables. Nil if a component of the URL is not known.
    var knownURL: String? {
        var text = Self.filled(url) { Self.standard(of: $0, server, document) ?? "{" }
        while text.hasSuffix("/") { text.removeLast() }
        guard !text.contains("{"), text.contains("://"), case .success = BaseURL.check(text) else { return nil }
        return text
    }

    /// Returns the catalog members that declare the drafted API.
    func lines() -> [DraftLine] {
        let (base, names) = base()
        var lines = [base]
        for other in (document.root["servers"]?.elements.map { $0 } ?? []).dropFirst().prefix(5) {
            lines.append(.comment("another server: \(other["url"]?.string(atMost: Self.maxURL) ?? "")"))
        }
        return lines + auth(names) + OpenAPIErrorRule(document: document, schemas: schemas).lines()
    }

    /// Returns the default value of a variable in the server's URL; nil if there is none.
    private static func standard(of variable: String, _ server: JSONView?, _ document: OpenAPIDocument) -> String? {
        server?["variables"].flatMap { document.member(variable, of: $0) }?["default"]?.string(atMost: maxURL)
    }

    /// Returns the member `baseURL` of the draft, and the names of the environment variables for the host's secrets.
    /// Parts of the URL that differ between installations become catalog variables.
    private func base() -> (line: DraftLine, names: SecretNames) {
        let place = DraftNames.variable(name, "URL")
        func open(_ note: String, below path: String = "") -> (DraftLine, SecretNames) {
            (.text("baseURL", "${var:\(place)}\(path)", note: note), .open)
        }
        if url.contains("${") { return open("the server URL '\(url)' is left out: \(DraftReferences.reason)") }
        if url.utf8.count > Self.maxURL { return open("the server URL in the document is longer than 2,048 bytes") }
        var note = self.note
        var text = Self.filled(url) { variable in
            let plain = DraftNames.variable(variable)
            note = "the document leaves parts of the URL open"
            let standard = Self.standard(of: variable, server, document) ?? ""
            let isSafe = standard.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x7D && $0 != 0x7B }
            return standard.isEmpty || !isSafe ? "${var:\(plain)}" : "${var:\(plain):-\(standard)}"
        }
        while text.hasSuffix("/") { text.removeLast() }
        let isAbsolute = text.lowercased().hasPrefix("http://") || text.lowercased().hasPrefix("https://")
        if !isAbsolute, !text.hasPrefix("${") {
            let path = text.hasPrefix("//") || text.contains("://") ? "" : text.drop { $0 == "/" || $0 == "." }
            let why =
                url.isEmpty
                ? "the document names no server" : "the server URL '\(url)' is not a complete http or https URL"
            return open("\(why); set --var \(place)=https://...", below: path.isEmpty ? "" : "/\(path)")
        }
        let known = Self.filled(url) { Self.standard(of: $0, server, document) ?? "x" }
        if case .failure(let reason) = BaseURL.check(known) {
            return open("the server URL '\(url)': \(reason.message)")
        }
        return (.text("baseURL", text, note: note), isAbsolute ? SecretNames(url: text) : .open)
    }

    /// Resolves a relative server URL against the URL of the document. Returns nil if the server URL is already
    /// absolute or contains a variable, or if the document does not come from a URL.
    private static func resolved(_ server: String, at url: String?) -> String? {
        guard !server.contains("://"), !server.contains("${"), !server.hasPrefix("{"),
            let base = url.flatMap({ URLReference($0) }), base.scheme != nil,
            let found = URLReference(server.isEmpty ? "/" : server)?.resolved(against: base),
            let scheme = found.scheme, let authority = found.authority
        else { return nil }
        return "\(scheme)://\(authority)\(found.path)"
    }

    /// Replaces each `{name}` in a string by the result of `value`.
    private static func filled(_ text: String, _ value: (String) -> String) -> String {
        var (out, rest) = ("", text[...])
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            out += rest[..<open] + value(String(rest[rest.index(after: open)..<close]))
            rest = rest[rest.index(after: close)...]
        }
        return out + rest
    }

    // MARK: Security

    private func auth(_ names: SecretNames) -> [DraftLine] {
        let schemes = document.root["components"]?["securitySchemes"]
        let declared = schemes?.members.map { $0.key.string ?? "" } ?? []
        guard let schemes, !declared.isEmpty else {
            let example = "\"auth\": {\"bearer\": \"\(names.reference("TOKEN"))\"}"
            return [
                .comment(
                    "the document declares no authentication; if the API requires it, add \(example) (\(names.note))")
            ]
        }
        let wanted = requirements()
        let candidates = (wanted.isEmpty ? declared.map { [$0] } : wanted).compactMap { names in
            // Several OAuth flows that are required together use the same token.
            names.count == 1 || names.allSatisfy { isOAuth($0, schemes) } ? names.first : nil
        }
        var drafts: [(rank: Int, line: DraftLine, name: String)] = []
        for candidate in OpenAPISchemas.unique(candidates) {
            guard let scheme = document.member(candidate, of: schemes),
                let draft = self.draft(of: scheme, candidate, names)
            else { continue }
            drafts.append((draft.rank, draft.line, candidate))
        }
        if drafts.isEmpty, let both = wanted.first(where: { $0.count == 2 }), let lines = pair(both, schemes, names) {
            return isOptional ? optional(lines) : lines
        }
        guard let best = drafts.min(by: { $0.rank < $1.rank }) else {
            return [
                .comment(
                    "a catalog cannot declare this authentication: \(declared.prefix(20).joined(separator: ", ")); if"
                        + " a fixed header works, add it to 'headers'"
                )
            ]
        }
        conceal(best.name, schemes)
        if isOptional { return optional([best.line]) }
        // Some operations need an API key in addition to the best scheme, although the document declares the key as an
        // alternative.
        let needed = drafts.first { draft in
            draft.name != best.name && isKey(best.name, schemes) && isNeeded(draft.name, schemes)
        }?.name
        let lines = needed.flatMap { second($0, schemes, names) }
        let others = drafts.map(\.name).filter { $0 != best.name && (lines == nil || $0 != needed) }.prefix(8)
        return (lines ?? []) + [best.line]
            + (others.isEmpty ? [] : [.comment("the API also accepts: \(others.joined(separator: ", "))")])
    }

    private func isOAuth(_ name: String, _ schemes: JSONView) -> Bool {
        let type = document.member(name, of: schemes)?["type"]?.string
        return type == "oauth2" || type == "openIdConnect"
    }

    /// Drafts the credentials for two security schemes that are required together. One scheme must be an API key; the
    /// other scheme becomes `auth`. Nil if the two schemes cannot be combined.
    private func pair(_ both: [String], _ schemes: JSONView, _ names: SecretNames) -> [DraftLine]? {
        for (first, second) in [(both[0], both[1]), (both[1], both[0])] {
            guard let scheme = document.member(first, of: schemes), let auth = draft(of: scheme, first, names),
                let lines = self.second(second, schemes, names)
            else { continue }
            conceal(first, schemes)
            return lines + [auth.line]
        }
        return nil
    }

    /// Hides the parameter of an API key in all operations, because `auth` sends the key.
    func conceal(_ name: String, _ schemes: JSONView) {
        guard let scheme = document.member(name, of: schemes), scheme["type"]?.isString("apiKey") == true,
            let name = scheme["name"]?.string, let place = scheme["in"]?.string
        else { return }
        document.credentials.insert(OpenAPIParameter.Key(name: name, place: place))
    }

    /// Returns the security requirements of the document. If the document declares none, returns the requirements of
    /// the first operation that declares any.
    private func requirements() -> [[String]] {
        func read(_ view: JSONView?) -> [[String]] {
            (view?.elements.map { $0.members.map { $0.key.string ?? "" } } ?? []).filter { !$0.isEmpty }
        }
        let global = read(document.root["security"])
        if !global.isEmpty { return global }
        for path in document.root["paths"]?.members.map({ $0.value }) ?? [] {
            let own = read(path["get"]?["security"])
            if !own.isEmpty { return own }
        }
        return []
    }

    /// Drafts `auth` from a security scheme; nil if this is not possible. If a document offers several security
    /// schemes, the caller uses the draft with the lowest `rank`.
    ///
    /// - Parameter names: the names of the environment variables for secrets that are sent to the API. Secrets for a
    ///   token endpoint get other names.
    private func draft(
        of scheme: JSONView, _ key: String, _ names: SecretNames
    ) -> (rank: Int, line: DraftLine)? {
        let key = key.prefix(Self.maxName)
        func line(
            _ rank: Int, _ value: [DraftLine], _ why: String, _ names: SecretNames
        ) -> (rank: Int, line: DraftLine) {
            (rank, .member("auth", .object(value), note: "\(why); \(names.note)"))
        }
        let bearer: [DraftLine] = [.text("bearer", names.reference("TOKEN"))]
        switch scheme["type"]?.string {
        case "http" where scheme["scheme"]?.string?.lowercased() == "bearer": return line(0, bearer, "'\(key)'", names)
        case "http" where scheme["scheme"]?.string?.lowercased() == "basic":
            let basic: [DraftLine] = [
                .text("user", names.reference("USER")), .text("password", names.reference("PASSWORD")),
            ]
            return line(3, [.member("basic", .object(basic))], "'\(key)'", names)
        case "http":
            guard let name = scheme["scheme"]?.string, name.utf8.count <= 40, !name.isEmpty,
                name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "$") })
            else { return nil }
            let declared: [DraftLine] = [
                .text("in", "header"), .text("name", "Authorization"),
                .text("value", "\(name) \(names.reference("KEY"))"),
            ]
            return line(2, [.member("apiKey", .object(declared))], "'\(key)'", names)
        case "apiKey":
            guard let name = scheme["name"]?.string, let place = scheme["in"]?.string, !name.contains("${"),
                name.utf8.count <= Self.maxName,
                place == "query" || (place == "header" && HTTPHeader.isSafe(name: name, value: ""))
            else { return nil }
            let isAuthorization = place == "header" && name.lowercased() == "authorization"
            let prefix = isAuthorization ? OpenAPIPrefix.find(scheme, called: String(key)) : nil
            if prefix == "Bearer " { return line(0, bearer, "'\(key)'", names) }
            let words = scheme["description"]?.string(atMost: 400).map { ": \($0.prefix(100))" } ?? ""
            let why =
                isAuthorization && prefix == nil ? "'\(key)'; the value includes the scheme\(words)" : "'\(key)'"
            let declared: [DraftLine] = [
                .text("in", place), .text("name", name), .text("value", (prefix ?? "") + names.reference("KEY")),
            ]
            return line(place == "header" ? 1 : 2, [.member("apiKey", .object(declared))], why, names)
        case "oauth2":
            if let written = scheme["flows"]?["clientCredentials"]?["tokenUrl"]?.string(atMost: Self.maxURL + 1),
                case let endpoint = Self.resolved(written, at: url.contains("{") ? nil : url) ?? written,
                endpoint.utf8.count <= Self.maxURL,
                !endpoint.contains("${"), case .success = BaseURL.check(endpoint)
            {
                // The document may name any host as token endpoint, so its secrets are named after that host.
                let issuer = SecretNames(url: endpoint)
                let client: [DraftLine] = [
                    .text("tokenURL", endpoint), .text("clientID", issuer.reference("CLIENT_ID")),
                    .text("clientSecret", issuer.reference("CLIENT_SECRET")),
                ]
                return line(
                    4, [.member("oauth2", .object(client))], "'\(key)': OAuth 2 client credentials", issuer)
            }
            return line(4, bearer, "'\(key)' is OAuth 2: an access token", names)
        case "openIdConnect": return line(5, bearer, "'\(key)' is OpenID Connect: an access token", names)
        default: return nil
        }
    }
}
