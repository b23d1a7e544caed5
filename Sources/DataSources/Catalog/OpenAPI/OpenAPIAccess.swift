import JSON
import System

/// Makes an API of what a document says of servers and security.
struct OpenAPIAccess {
    let document: OpenAPIDocument

    private var title: String { document.root["info"]?["title"]?.string ?? "" }
    private var server: JSONView? { document.root["servers"]?.elements.first { _ in true } }

    /// The API's name: of its host, else of the document's title.
    var name: String {
        let url = server?["url"]?.string ?? ""
        let filled = Self.filled(url) { name in
            server?["variables"]?[name]?["default"]?.string ?? name
        }
        if let name = DraftNames.api(url: filled), !["example", "localhost"].contains(name) { return name }
        let words = title.split { !$0.isLetter && !$0.isNumber }.map { $0.lowercased() }
        let ordinary = ["the", "api", "rest", "openapi", "swagger", "service", "a"]
        return words.first { !ordinary.contains($0) }.flatMap { DraftNames.resource($0) } ?? "api"
    }

    /// The members of the API.
    func lines() -> [DraftLine] {
        let name = name
        var lines = [base(name)]
        for other in (document.root["servers"]?.elements.map { $0 } ?? []).dropFirst().prefix(5) {
            lines.append(.comment("another server: \(other["url"]?.string ?? "")"))
        }
        return lines + auth(name)
    }

    /// Where the API is. What differs from place to place is a variable.
    private func base(_ name: String) -> DraftLine {
        let place = DraftNames.variable(name, "URL")
        let url = server?["url"]?.string ?? ""
        if url.contains("${") {
            return .text("baseURL", "${var:\(place)}", note: "the document's '\(url)': \(DraftReferences.reason)")
        }
        var note: String?
        var text = Self.filled(url) { variable in
            let declared = server?["variables"]?[variable]
            let plain = DraftNames.variable(variable)
            note = "the document leaves parts of it open"
            let standard = declared?["default"]?.string ?? ""
            let isSafe = standard.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x7D && $0 != 0x7B }
            return standard.isEmpty || !isSafe ? "${var:\(plain)}" : "${var:\(plain):-\(standard)}"
        }
        while text.hasSuffix("/") { text.removeLast() }
        let isAbsolute = text.lowercased().hasPrefix("http://") || text.lowercased().hasPrefix("https://")
        if !isAbsolute, !text.hasPrefix("${") {
            let path = text.hasPrefix("//") || text.contains("://") ? "" : text.drop { $0 == "/" || $0 == "." }
            let below = path.isEmpty ? "" : "/\(path)"
            note = url.isEmpty ? "the document names no server" : "the document says '\(url)' alone, not on which host"
            return .text("baseURL", "${var:\(place)}" + below, note: "\(note ?? ""): --var \(place)=https://...")
        }
        let known = Self.filled(url) { server?["variables"]?[$0]?["default"]?.string ?? "x" }
        if case .failure(let reason) = BaseURL.check(known) {
            return .text("baseURL", "${var:\(place)}", note: "the document's '\(url)' \(reason.message)")
        }
        return .text("baseURL", text, note: note)
    }

    /// A text with something in the place of each `{name}`.
    private static func filled(_ text: String, _ value: (String) -> String) -> String {
        var (out, rest) = ("", text[...])
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            out += rest[..<open] + value(String(rest[rest.index(after: open)..<close]))
            rest = rest[rest.index(after: close)...]
        }
        return out + rest
    }

    // MARK: Security

    private func auth(_ name: String) -> [DraftLine] {
        let schemes = document.root["components"]?["securitySchemes"]
        let declared = schemes?.members.map { $0.key.string ?? "" } ?? []
        guard let schemes, !declared.isEmpty else {
            let token = "${env:\(DraftNames.variable(name, "TOKEN"))}"
            return [
                .comment(
                    "the document names no way to authenticate; where there is one: \"auth\": {\"bearer\": \"\(token)\"}"
                )
            ]
        }
        let wanted = requirements()
        let candidates = (wanted.isEmpty ? declared.map { [$0] } : wanted).compactMap { names in
            names.count == 1 ? names.first : nil
        }
        var drafts: [(rank: Int, line: DraftLine, name: String)] = []
        for candidate in candidates {
            guard let scheme = document.member(candidate, of: schemes),
                let draft = self.draft(of: scheme, candidate, api: name)
            else { continue }
            if !drafts.contains(where: { $0.name == candidate }) { drafts.append((draft.rank, draft.line, candidate)) }
        }
        guard let best = drafts.min(by: { $0.rank < $1.rank }) else {
            return [.comment("how to authenticate cannot be said here: \(declared.prefix(20).joined(separator: ", "))")]
        }
        let others = drafts.map(\.name).filter { $0 != best.name }.prefix(8)
        return [best.line] + (others.isEmpty ? [] : [.comment("it also takes: \(others.joined(separator: ", "))")])
    }

    /// What the whole document requires, else what most of its operations do first.
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

    private func draft(of scheme: JSONView, _ key: String, api: String) -> (rank: Int, line: DraftLine)? {
        let token = "${env:\(DraftNames.variable(api, "TOKEN"))}"
        func line(_ rank: Int, _ value: [DraftLine], _ note: String) -> (rank: Int, line: DraftLine) {
            (rank, .member("auth", .object(value), note: note))
        }
        switch scheme["type"]?.string {
        case "http" where scheme["scheme"]?.string?.lowercased() == "bearer":
            return line(0, [.text("bearer", token)], "'\(key)'")
        case "http" where scheme["scheme"]?.string?.lowercased() == "basic":
            let user = "${env:\(DraftNames.variable(api, "USER"))}"
            let password = "${env:\(DraftNames.variable(api, "PASSWORD"))}"
            return line(
                3, [.member("basic", .object([.text("user", user), .text("password", password)]))], "'\(key)'")
        case "apiKey":
            guard let name = scheme["name"]?.string, let place = scheme["in"]?.string, !name.contains("${"),
                place == "query" || (place == "header" && HTTPHeader.isSafe(name: name, value: ""))
            else { return nil }
            let value = "${env:\(DraftNames.variable(api, "KEY"))}"
            let words = scheme["description"]?.string.map { ": \($0.prefix(100))" } ?? ""
            let note = name.lowercased() == "authorization" ? "'\(key)', with the scheme in it\(words)" : "'\(key)'"
            let key: [DraftLine] = [.text("in", place), .text("name", name), .text("value", value)]
            return line(place == "header" ? 1 : 2, [.member("apiKey", .object(key))], note)
        case "oauth2":
            if let flow = scheme["flows"]?["clientCredentials"], let endpoint = flow["tokenUrl"]?.string,
                !endpoint.contains("${"), case .success = BaseURL.check(endpoint)
            {
                let client: [DraftLine] = [
                    .text("tokenURL", endpoint),
                    .text("clientID", "${env:\(DraftNames.variable(api, "CLIENT_ID"))}"),
                    .text("clientSecret", "${env:\(DraftNames.variable(api, "CLIENT_SECRET"))}"),
                ]
                return line(4, [.member("oauth2", .object(client))], "'\(key)': the client's credentials")
            }
            return line(4, [.text("bearer", token)], "'\(key)' is OAuth 2: an access token")
        case "openIdConnect": return line(5, [.text("bearer", token)], "'\(key)' is OpenID Connect: an access token")
        default: return nil
        }
    }
}
