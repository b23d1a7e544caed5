import JSON
import Model
import System

/// Determines whether the operations of a document need credentials. Also drafts the declaration of an API key that is
/// sent in addition to `auth`.
extension OpenAPIAccess {
    /// The maximum number of paths, and of parameters in each path, that are examined to find out whether an API key is
    /// required.
    private static let maxKeySample = 100

    /// Whether all operations also work without credentials. An operation works without credentials if one of its
    /// security requirements is empty. False if the document declares no security requirements.
    var isOptional: Bool {
        func read(_ view: JSONView?) -> Bool? {
            guard let view, view.elements.contains(where: { _ in true }) else { return nil }
            return view.elements.contains { $0.kind == .object && !$0.members.contains { _ in true } }
        }
        let global = read(document.root["security"])
        let all = document.root["paths"]?.members.compactMap { member -> Bool? in
            let item = member.value
            if let get = item["get"] { return read(get["security"]) ?? global }
            guard let post = item["post"], let isOpen = read(post["security"]) ?? global,
                OpenAPIPostList(member.key.string ?? "", item, document: document, schemas: schemas) != nil
            else { return nil }
            return isOpen
        }
        return all.map { !$0.isEmpty && $0.allSatisfy { $0 } } ?? false
    }

    /// Makes the authentication in `lines` optional: replaces it with a comment that explains how to add it. Operations
    /// then send no API keys in their queries.
    func optional(_ lines: [DraftLine]) -> [DraftLine] {
        func isMember(_ line: DraftLine) -> Bool { if case .member = line { true } else { false } }
        func bare(_ line: DraftLine) -> DraftLine {
            if case .member(let key, let value, _) = line { .member(key, value) } else { line }
        }
        let members = lines.filter(isMember)
        guard case .member(_, _, let note) = members.last else { return lines }
        let query = document.queryKeys.map(bare)
        document.queryKeys = []
        let keys = DraftPrinter.line(of: [.member("query", .object(query))])
        let more = query.isEmpty ? "" : "; add \(keys) to each operation"
        let auth = DraftPrinter.line(of: members.map(bare))
        return [.comment("authentication is optional; to use it, add \(auth) (\(note ?? ""))\(more)")]
    }

    /// Drafts the declaration of an API key that each operation sends in addition to `auth`, in a header field or in
    /// its query. Nil if the security scheme is not such an API key.
    func second(_ name: String, _ schemes: JSONView, _ names: SecretNames) -> [DraftLine]? {
        guard let key = document.member(name, of: schemes), isKey(name, schemes),
            let sent = key["name"]?.string(atMost: Self.maxName), !sent.isEmpty, !sent.contains("${")
        else { return nil }
        let value = (OpenAPIPrefix.find(key, called: name) ?? "") + names.reference(sent)
        let note = "'\(name)'; \(names.note)"
        switch key["in"]?.string {
        case "header" where HTTPHeader.isSafe(name: sent, value: ""):
            conceal(name, schemes)
            return [.member("headers", .object([.text(sent, value)]), note: note)]
        case "query":
            conceal(name, schemes)
            // The prefix is left out, because a secret must not contain strings from the document.
            document.queryKeys.append(.member(sent, .secret(names.reference(sent)), note: "'\(name)'"))
            return [.comment("each operation also sends '\(sent)': \(note)")]
        default: return nil
        }
    }

    func isKey(_ name: String, _ schemes: JSONView) -> Bool {
        document.member(name, of: schemes)?["type"]?.isString("apiKey") == true
    }

    /// Whether most `get` operations require the parameter that carries the API key.
    func isNeeded(_ name: String, _ schemes: JSONView) -> Bool {
        guard isKey(name, schemes), let scheme = document.member(name, of: schemes) else { return false }
        var (count, needed) = (0, 0)
        for path in (document.root["paths"]?.members.map { $0.value } ?? []).prefix(Self.maxKeySample) {
            guard let get = path["get"], get.kind == .object else { continue }
            count += 1
            let parameters = [get, path].compactMap { $0["parameters"] }.flatMap { $0.elements.map { $0 } }
            let isDeclared = parameters.prefix(Self.maxKeySample).contains { view in
                guard let found = document.resolve(view), found["required"]?.bool == true else { return false }
                return found["name"]?.string == scheme["name"]?.string && found["in"]?.string == scheme["in"]?.string
            }
            if isDeclared { needed += 1 }
        }
        return needed > 0 && 2 * needed > count
    }
}
