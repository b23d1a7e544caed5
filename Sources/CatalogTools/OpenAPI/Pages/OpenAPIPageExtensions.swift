import JSON

/// Reads extensions of OpenAPI that describe pagination. Generators of client libraries use these extensions.
struct OpenAPIPageExtensions {
    let operation: OpenAPIOperation

    func draft() -> OpenAPIPagination.Draft? { speakeasy() ?? fern() ?? pageable() }

    private var names: [String] { operation.parameters.map(\.name) }

    /// Reads `x-speakeasy-pagination`: `{"type", "inputs": [{"name", "in", "type"}], "outputs": {"nextCursor", ...}}`.
    private func speakeasy() -> OpenAPIPagination.Draft? {
        guard let view = operation.view["x-speakeasy-pagination"], let type = view["type"]?.string else { return nil }
        var draft = OpenAPIPagination.Draft(note: "from x-speakeasy-pagination")
        func input(_ kind: String) -> String? {
            let found = view["inputs"]?.elements.first { $0["type"]?.isString(kind) == true }
            return found?["name"]?.string.flatMap { names.contains($0) ? $0 : nil }
        }
        func output(_ name: String) -> [String]? { view["outputs"]?[name]?.string.flatMap(Self.steps) }
        switch type {
        case "offsetLimit":
            if let page = input("page") {
                draft.lines = [.text("style", "page"), .text("param", page)]
                draft.parameters = [page]
            } else if let offset = input("offset") {
                draft.lines = [.text("style", "offset"), .text("param", offset)]
                draft.parameters = [offset]
            }
            if let pages = output("numPages") { draft.lines.append(.member("pages", .selector(pages))) }
        case "cursor":
            guard let cursor = input("cursor"), let next = output("nextCursor") else { return nil }
            draft.lines = [.text("style", "cursor"), .text("param", cursor), .member("next", .selector(next))]
            draft.parameters = [cursor]
        case "url":
            guard let next = output("nextUrl") else { return nil }
            draft.lines = [.text("style", "nextURL"), .member("next", .selector(next))]
        default: return nil
        }
        draft.items = output("results")
        return draft.style == nil ? nil : draft
    }

    /// Reads `x-fern-pagination`: `{"cursor": "$request.cursor", "next_cursor": "$response.next", "results": ...}`.
    private func fern() -> OpenAPIPagination.Draft? {
        guard let view = operation.view["x-fern-pagination"] else { return nil }
        var draft = OpenAPIPagination.Draft(note: "from x-fern-pagination")
        func parameter(_ key: String) -> String? {
            view[key]?.string.flatMap(Self.steps)?.last.flatMap { names.contains($0) ? $0 : nil }
        }
        if let cursor = parameter("cursor"), let next = view["next_cursor"]?.string.flatMap(Self.steps) {
            draft.lines = [.text("style", "cursor"), .text("param", cursor), .member("next", .selector(next))]
            draft.parameters = [cursor]
        } else if let offset = parameter("offset") {
            let isPage = PaginationVocabulary.pages.contains(DraftNames.normalized(offset))
            draft.lines = [.text("style", isPage ? "page" : "offset"), .text("param", offset)]
            draft.parameters = [offset]
        }
        draft.items = view["results"]?.string.flatMap(Self.steps)
        return draft.style == nil ? nil : draft
    }

    /// Reads `x-ms-pageable`: `{"nextLinkName", "itemName"}`.
    private func pageable() -> OpenAPIPagination.Draft? {
        guard let view = operation.view["x-ms-pageable"], let next = view["nextLinkName"]?.string, !next.isEmpty else {
            return nil
        }
        var draft = OpenAPIPagination.Draft(note: "from x-ms-pageable")
        draft.lines = [.text("style", "nextURL"), .member("next", .selector([next]))]
        draft.items = [view["itemName"]?.string ?? "value"]
        return draft
    }

    /// Returns the selector steps for a path such as `$.a.b` or `$response.a.b`. Nil if a selector cannot express the
    /// path.
    static func steps(_ path: String) -> [String]? {
        guard path.hasPrefix("$"), !path.contains("["), !path.contains("(") else { return nil }
        let steps = path.split(separator: ".").dropFirst().map(String.init)
        return steps.isEmpty ? nil : steps
    }
}
