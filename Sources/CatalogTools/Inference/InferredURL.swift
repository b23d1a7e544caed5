import Catalog
import JSON
import Model
import System

/// A URL that somebody asks about, and what can be said of it in a catalog: without the secrets in it.
struct InferredURL {
    /// Names of parameters whose values nobody may see.
    private static let secrets = [
        "key", "apikey", "token", "accesstoken", "authtoken", "secret", "clientsecret", "password", "pwd", "auth",
        "signature", "sig", "appid", "appkey", "subscriptionkey", "jwt", "session", "sessionid", "code",
        "authorization",
    ]

    /// Scheme and host.
    let origin: String
    /// What stands behind it, with a slash first.
    let path: String
    /// The parameters of its query, decoded.
    let query: [(name: String, value: String)]

    /// - Throws: what is wrong with the URL.
    init(_ text: String) throws(CatalogDraftError) {
        let rest = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? text[...]
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        switch BaseURL.check(String(text[..<end])) {
        case .success(let origin): self.origin = origin
        case .failure(let reason): throw CatalogDraftError("the URL \(reason.message)")
        }
        let behind = rest[end...].prefix { $0 != "#" }
        let mark = behind.firstIndex(of: "?") ?? behind.endIndex
        path = behind[..<mark].isEmpty ? "/" : String(behind[..<mark])
        guard path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw CatalogDraftError("the URL must have what is no ASCII, and blanks, percent-encoded")
        }
        query = behind[mark...].dropFirst().split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            func decoded(_ part: Substring) -> String {
                PercentEncoding.decode(String(part.map { $0 == "+" ? " " : $0 }))
            }
            return (decoded(parts[0]), parts.count > 1 ? decoded(parts[1]) : "")
        }
    }

    /// The path as a catalog has it: there braces are places.
    var declaredPath: String {
        var out = ""
        for character in path { out += character == "{" ? "%7B" : character == "}" ? "%7D" : String(character) }
        return out
    }

    /// The words of the path, the last first.
    var words: [String] {
        path.split(separator: "/").reversed().map { PercentEncoding.decode(String($0)) }
    }

    /// The path of a URL of the same origin, or below the same path elsewhere; else the URL.
    func path(of link: String) -> String {
        if link.hasPrefix(origin + "/") { return String(link.dropFirst(origin.count)) }
        guard let start = link.firstRange(of: "://"), let slash = link[start.upperBound...].firstIndex(of: "/") else {
            return link
        }
        let below = path.hasSuffix("/") ? path : path + "/"
        return link[slash...].hasPrefix(below) ? String(link[slash...]) : link
    }

    static func isSecret(_ name: String) -> Bool { secrets.contains(DraftNames.plain(name)) }

    /// The parameters that are no secrets.
    var open: [(name: String, value: String)] { query.filter { !Self.isSecret($0.name) } }

    /// The value of the first parameter of such a name.
    func parameter(_ names: [String]) -> (name: String, value: String)? {
        for name in names {
            if let found = open.first(where: { DraftNames.plain($0.name) == name }) { return found }
        }
        return nil
    }

    /// The values of the parameters that are secrets.
    var secretValues: [String] { query.filter { Self.isSecret($0.name) }.map(\.value) }
}

/// What is sent with the request, and how a catalog says that without its secrets.
struct InferredHeaders {
    /// Header fields that may be seen.
    private static let plain = ["accept", "acceptlanguage", "useragent", "contenttype", "cachecontrol", "prefer"]

    /// What is sent.
    let fields: [HTTPHeader]
    /// What nobody may see.
    let secrets: [String]
    private let given: [(name: String, value: String)]

    /// - Parameters:
    ///   - texts: fields as they are sent, `Name: value`, in which `${env:NAME}` and `${file:PATH}` may stand.
    /// - Throws: what is wrong with one of them; it does not say its value.
    init(_ texts: [String], secrets source: SecretSource) throws(CatalogDraftError) {
        var fields: [HTTPHeader] = []
        var secrets: [String] = []
        given = texts.map { text in
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
            return (String(parts[0]), value)
        }
        for (index, (name, value)) in given.enumerated() {
            guard texts[index].contains(":"), HTTPHeader.isSafe(name: name, value: value) else {
                throw CatalogDraftError("a header must be 'Name: value', in one line")
            }
            let quoted = Array(JSONValue.string(value).text.utf8)
            let reader = CatalogReader(quoted, secrets: source)
            let filled = try? JSONDocument(quoted).withRoot { reader.expanded($0, name) }
            guard let filled = filled ?? nil, HTTPHeader.isSafe(name: name, value: filled) else {
                let fault = reader.faults.faults(in: Array(value.utf8)).faults.first?.message ?? "it is no header field"
                throw CatalogDraftError("the header '\(name)': \(fault)")
            }
            fields.append(HTTPHeader(name, filled))
            secrets += reader.secrets
            if Self.isOpen(name) { continue }
            secrets.append(filled)
            // `Bearer TOKEN`: the token may come back alone.
            if let blank = filled.firstIndex(of: " ") { secrets.append(String(filled[filled.index(after: blank)...])) }
        }
        (self.fields, self.secrets) = (fields, secrets)
    }

    private static func isOpen(_ name: String) -> Bool {
        let name = DraftNames.plain(name)
        return plain.contains(name) || name.hasSuffix("version")
    }

    /// `headers` and `auth` of the API.
    func lines(of url: InferredURL, _ names: SecretNames) -> [DraftLine] {
        var headers: [DraftLine] = []
        var auth: DraftLine?
        func isReference(_ value: String) -> Bool { value.contains("${env:") || value.contains("${file:") }
        func secret(_ value: String, _ kind: String) -> String { isReference(value) ? value : names.reference(kind) }
        for (name, value) in given {
            let isBearer = name.lowercased() == "authorization" && value.lowercased().hasPrefix("bearer ")
            if Self.isOpen(name) {
                headers.append(.text(name, value, note: isReference(value) ? names.note : nil))
            } else if auth != nil {
                let note = "what it is stays in the environment; \(names.note)"
                headers.append(.text(name, secret(value, name), note: note))
            } else if isBearer {
                let token = secret(String(value.dropFirst(7)), "TOKEN")
                auth = .member("auth", .object([.text("bearer", token)]), note: names.note)
            } else {
                let key: [DraftLine] = [
                    .text("in", "header"), .text("name", name),
                    .text("value", secret(value, name.lowercased() == "authorization" ? "AUTHORIZATION" : "KEY")),
                ]
                auth = .member(
                    "auth", .object([.member("apiKey", .object(key))]),
                    note: "with all that was sent there; \(names.note)")
            }
        }
        var left = OpenAPISchemas.unique(url.query.map(\.name).filter(InferredURL.isSecret))
        if auth == nil, let name = left.first {
            left.removeFirst()
            let key: [DraftLine] = [
                .text("in", "query"), .text("name", name), .text("value", names.reference("KEY")),
            ]
            auth = .member(
                "auth", .object([.member("apiKey", .object(key))]),
                note: "taken for a secret by its name; \(names.note)")
        }
        let more = left.map { name -> DraftLine in
            .comment(
                "'\(name)' was sent too, and may be a secret: in 'query' of an operation it is"
                    + " \"\(names.reference(name))\", \(names.note)")
        }
        return (headers.isEmpty ? [] : [.member("headers", .object(headers))]) + (auth.map { [$0] } ?? []) + more
    }
}
