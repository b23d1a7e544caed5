import Catalog
import JSON
import Model
import System

/// The requested URL, split into the components that a catalog needs. Query parameters with secrets are kept
/// separately.
struct InferredURL {
    /// The names of query parameters whose values are secrets.
    private static let secrets = [
        "key", "apikey", "token", "accesstoken", "authtoken", "secret", "clientsecret", "password", "pwd", "auth",
        "signature", "sig", "appid", "appkey", "subscriptionkey", "jwt", "session", "sessionid", "code",
        "authorization",
    ]

    /// The origin: scheme, host and port.
    let origin: String
    /// The path of the URL, starting with a slash.
    let path: String
    /// The query parameters, percent-decoded.
    let query: [(name: String, value: String)]

    /// Parses a URL.
    ///
    /// - Throws: `CatalogDraftError` with the reason if the URL is invalid.
    init(_ text: String) throws(CatalogDraftError) {
        let rest = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? text[...]
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        switch BaseURL.check(String(text[..<end])) {
        case .success(let origin): self.origin = origin
        case .failure(let reason): throw CatalogDraftError(reason.message)
        }
        let behind = rest[end...].prefix { $0 != "#" }
        let mark = behind.firstIndex(of: "?") ?? behind.endIndex
        path = behind[..<mark].isEmpty ? "/" : String(behind[..<mark])
        guard path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw CatalogDraftError(
                "the URL contains spaces or non-ASCII characters: percent-encode these characters")
        }
        query = behind[mark...].dropFirst().split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            func decoded(_ part: Substring) -> String {
                PercentEncoding.decode(String(part.map { $0 == "+" ? " " : $0 }))
            }
            return (decoded(parts[0]), parts.count > 1 ? decoded(parts[1]) : "")
        }
    }

    /// The name of the catalog variable that a draft uses if the URL of the API is unknown.
    static let openVariable = "API_URL"

    /// Creates a URL for an API whose base URL is unknown. The URL starts with a catalog variable.
    ///
    /// - Parameter path: the guessed path of the resource.
    init(openPath path: String) {
        (origin, self.path, query) = ("${var:\(Self.openVariable)}", path, [])
    }

    /// Creates the URL for an answer that was read from a file. The URL of the API is unknown, and the path is a guess
    /// from the name of the file: `/things` for `things.json`.
    init(answerAt location: DocumentLocation) {
        var name = "items"
        if case .file(let path) = location {
            let last = path.description.split(separator: "/").last.map(String.init) ?? ""
            let stem = String(last.prefix { $0 != "." })
            if let plain = DraftNames.resource(stem) { name = plain }
        }
        self.init(openPath: "/\(name)")
    }

    /// Whether the URL of the API is unknown.
    var isOpen: Bool { origin.hasPrefix("${") }

    /// The path as a catalog declares it. Braces are percent-encoded, because a catalog uses braces for placeholders.
    var declaredPath: String {
        var out = ""
        for character in path { out += character == "{" ? "%7B" : character == "}" ? "%7D" : String(character) }
        return out
    }

    /// The percent-decoded segments of the path, the last segment first.
    var words: [String] {
        path.split(separator: "/").reversed().map { PercentEncoding.decode(String($0)) }
    }

    /// Returns the path and query of a link if the link leads to the API. Returns any other link unchanged. A link
    /// leads to the API if it has the origin of this URL, or if its path is below the path of this URL.
    func path(of link: String) -> String {
        if link.hasPrefix(origin + "/") { return String(link.dropFirst(origin.count)) }
        guard let start = link.firstRange(of: "://"), let slash = link[start.upperBound...].firstIndex(of: "/") else {
            return link
        }
        let below = path.hasSuffix("/") ? path : path + "/"
        return link[slash...].hasPrefix(below) ? String(link[slash...]) : link
    }

    static func isSecret(_ name: String) -> Bool { secrets.contains(DraftNames.normalized(name)) }

    /// The query parameters whose values are not secrets.
    var publicParameters: [(name: String, value: String)] { query.filter { !Self.isSecret($0.name) } }

    /// Returns the query parameter whose name comes first in `names`; nil if no parameter has one of these names.
    /// Ignores case and punctuation, and skips parameters with secrets.
    func parameter(_ names: [String]) -> (name: String, value: String)? {
        for name in names {
            if let found = publicParameters.first(where: { DraftNames.normalized($0.name) == name }) { return found }
        }
        return nil
    }

    /// The values of the query parameters that are secret.
    var secretValues: [String] { query.filter { Self.isSecret($0.name) }.map(\.value) }
}

/// The header fields of the request, and their declaration in the draft catalog. The declaration contains no secrets.
struct InferredHeaders {
    /// The names of header fields whose values are not secrets.
    private static let plain = ["accept", "acceptlanguage", "useragent", "contenttype", "cachecontrol", "prefer"]

    /// The header fields to send. Their values can contain secrets.
    let fields: [HTTPHeader]
    /// The secret values in the header fields, which must be redacted in messages.
    let secrets: [String]
    private let given: [(name: String, value: String)]

    /// Parses header fields.
    ///
    /// - Parameters:
    ///   - texts: the fields as `Name: value`. Values may contain `${env:NAME}` and `${file:PATH}`.
    ///   - source: the source of secrets.
    /// - Throws: `CatalogDraftError` with the reason if a field is invalid. The message never contains the value.
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
                throw CatalogDraftError("a header is invalid: write 'Name: value' on one line")
            }
            let quoted = Array(JSONValue.string(value).text.utf8)
            let reader = CatalogReader(quoted, secrets: source)
            let filled = try? JSONDocument(quoted).withRoot { reader.expanded($0, name) }
            guard let filled = filled ?? nil, HTTPHeader.isSafe(name: name, value: filled) else {
                let fault = reader.faults.faults(in: Array(value.utf8)).faults.first?.message ?? "the value is invalid"
                throw CatalogDraftError("the header '\(name)': \(fault)")
            }
            fields.append(HTTPHeader(name, filled))
            secrets += reader.secrets
            if Self.isPublic(name) { continue }
            secrets.append(filled)
            // For `Bearer TOKEN`, the answer may contain the token alone.
            if let blank = filled.firstIndex(of: " ") { secrets.append(String(filled[filled.index(after: blank)...])) }
        }
        (self.fields, self.secrets) = (fields, secrets)
    }

    private static func isPublic(_ name: String) -> Bool {
        let name = DraftNames.normalized(name)
        return plain.contains(name) || name.hasSuffix("version")
    }

    /// Returns the members of the draft that declare the header fields of requests: `headers` and `auth`.
    func lines(of url: InferredURL, _ names: SecretNames) -> [DraftLine] {
        var headers: [DraftLine] = []
        var auth: DraftLine?
        func isReference(_ value: String) -> Bool { value.contains("${env:") || value.contains("${file:") }
        func secret(_ value: String, _ kind: String) -> String { isReference(value) ? value : names.reference(kind) }
        for (name, value) in given {
            let isBearer = name.lowercased() == "authorization" && value.lowercased().hasPrefix("bearer ")
            if Self.isPublic(name) {
                headers.append(.text(name, value, note: isReference(value) ? names.note : nil))
            } else if auth != nil {
                let note = "the value is read from the environment; \(names.note)"
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
                    note: "the whole value of the field; \(names.note)")
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
                note: "treated as a secret because of its name; \(names.note)")
        }
        let more = left.map { name -> DraftLine in
            .comment(
                "'\(name)' was sent too and may be a secret; in 'query' of an operation, write"
                    + " \"\(names.reference(name))\", \(names.note)")
        }
        return (headers.isEmpty ? [] : [.member("headers", .object(headers))]) + (auth.map { [$0] } ?? []) + more
    }
}
