import JSON

/// Drafts the rule that finds the API's own error message, from the schemas of its 4xx answers.
struct OpenAPIErrorRule {
    /// The paths of error messages that Larder finds without a rule in the catalog.
    private static let known: Set<String> = [
        "message", "error.message", "error", "detail", "error_description", "errors.0.message", "errors.0.detail",
        "errors.0.title", "errors.0", "errorSummary", "error_message", "title", "errorMessages",
    ]
    /// The usual names of error messages, normalized for comparisons. Earlier names are preferred.
    private static let names = [
        "message", "errormessage", "errorsummary", "errordescription", "detail", "details", "description", "reason",
        "error", "title", "msg",
    ]
    private static let wrappers = ["error", "errors", "fault", "response", "data", "meta", "status", "result"]
    private static let statuses = [400, 401, 403, 404, 409, 422, 429]
    /// The maximum number of operations whose answers are searched for error messages.
    private static let maxOperations = 200

    let document: OpenAPIDocument
    let schemas: OpenAPISchemas

    /// Returns the member `errors` of the drafted API. Empty if Larder finds the API's error messages without a rule.
    func lines() -> [DraftLine] {
        var counts: [[String]: Int] = [:]
        var statuses: [[String]: Set<Int>] = [:]
        for (status, schema) in answers() {
            guard let path = message(in: schema) else { continue }
            counts[path, default: 0] += 1
            statuses[path, default: []].formUnion(Int(status).map { [$0] } ?? Self.statuses)
        }
        let most = counts.max { ($0.value, $1.key.joined()) < ($1.value, $0.key.joined()) }
        guard let path = most?.key, !Self.known.contains(path.joined(separator: ".")), let found = statuses[path] else {
            return []
        }
        let rule: [DraftLine] = [
            .member("status", .array(found.sorted().map { .json(.integer($0)) })), .member("when", .selector(path)),
            .member("message", .selector(path)),
        ]
        return [
            .member(
                "errors", .array([.object(rule)]),
                note: "the selector of the API's error message, from the 4xx answers in the document")
        ]
    }

    /// Returns the status and the schema of each error answer (4xx or `default`) that the document describes for a
    /// `get`. Skips answers that are not JSON.
    private func answers() -> [(status: String, schema: JSONView)] {
        var found: [(String, JSONView)] = []
        for path in (document.root["paths"]?.members.map({ $0.value }) ?? []).prefix(Self.maxOperations) {
            let responses = document.resolve(path).flatMap { $0["get"]?["responses"] }
            for response in responses?.members.map({ $0 }) ?? [] {
                guard let status = response.key.string, Self.isError(status),
                    let content = document.resolve(response.value)?["content"]
                else { continue }
                let media = content.members.first { $0.key.string?.contains("json") == true }?.value
                if let schema = media.flatMap({ document.resolve($0)?["schema"] }) { found.append((status, schema)) }
            }
        }
        return found
    }

    private static func isError(_ status: String) -> Bool {
        status == "default" || status == "4XX" || Int(status).map { (400...499).contains($0) } == true
    }

    /// Returns the path of the error message in an answer. The message can be a member of the answer, or be nested in
    /// an object or in the first element of an array.
    private func message(in schema: JSONView) -> [String]? {
        let flat = schemas.widest(schema)
        if let name = text(in: flat) { return [name] }
        for name in Self.wrappers {
            guard let found = flat.properties.first(where: { $0.name.lowercased() == name }) else { continue }
            let inner = schemas.widest(found.view)
            if let text = text(in: inner) { return [found.name, text] }
            guard let element = inner.items.map({ schemas.widest($0) }) else { continue }
            if element.kind == "string" { return [found.name, "0"] }
            if let text = text(in: element) { return [found.name, "0", text] }
        }
        return nil
    }

    private func text(in flat: OpenAPISchema) -> String? {
        for name in Self.names {
            let found = flat.properties.first { DraftNames.normalized($0.name) == name }
            if let found, schemas.flat(found.view).kind == "string" { return found.name }
        }
        return nil
    }
}
