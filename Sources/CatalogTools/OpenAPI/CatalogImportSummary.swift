import JSON

/// Summarizes a draft: a comment, and a table of the resources.
struct CatalogImportSummary {
    /// The reasons for leaving paths out of a draft. Each reason consists of a phrase from the error message about a
    /// path, and the text for the summary.
    private static let reasons = [
        ("only a POST", "only have a POST"), ("not a list", "are not lists"), ("not an item", "return no item"),
        ("can be its id", "have no id"), ("no content", "return no content"), ("left out;", "cannot be read"),
        ("already lists", "list the items of another path"),
    ]

    let drafts: OpenAPIResources.Drafts

    /// Returns the comments at the top of a draft.
    func comments() -> [String] {
        let resources = drafts.resources
        let lists = resources.compactMap(\.list)
        let paged = lists.count { $0.contains { $0.isMember("pagination") } }
        let guesses = resources.count { Self.isGuess($0.id.note) }
        var parts = [
            "\(Self.count(resources.count, "resource")), \(Self.count(lists.count, "list")) (\(paged) with pages),"
                + " \(Self.count(guesses, "id")) guessed."
        ]
        if !drafts.left.isEmpty { parts.append("Left out: \(Self.count(drafts.left.count, "path")) (\(leftOut())).") }
        parts.append("Next: check what is marked as a guess, then run 'larder check --live'.")
        var comments = [parts.joined(separator: " ")]
        if !drafts.isDescribed {
            comments.append(
                "The document describes no answers, so fields, items and ids are unknown. To draft a resource from real"
                    + " answers, run 'larder catalog infer LIST ITEM'.")
        }
        if drafts.isCompact {
            comments.append(
                "Because there are many resources, nested fields are 'any'. Choose resources with --only (see --list),"
                    + " or draft all fields with --fields all.")
        }
        return comments
    }

    private func leftOut() -> String {
        var counts: [String: Int] = [:]
        for left in drafts.left {
            let kind = Self.reasons.first { left.reason.contains($0.0) }?.1 ?? "have other reasons"
            counts[kind, default: 0] += 1
        }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
            .joined(separator: ", ")
    }

    private static func count(_ count: Int, _ name: String) -> String { "\(count) \(name)\(count == 1 ? "" : "s")" }

    private static func isGuess(_ note: String?) -> Bool { note?.contains("a guess") == true }

    // MARK: Table

    /// Returns a table with one line for each resource.
    func table() -> String {
        let rows = drafts.resources.map { draft in
            [draft.name, Self.operations(draft).joined(separator: ",")] + Self.cells(draft)
        }
        return Self.aligned([["RESOURCE", "OPERATIONS", "PAGES", "ID", "SURE"]] + rows)
    }

    /// Returns the table cells for a resource: its pagination, its id, and the names of declarations that are guesses.
    static func cells(_ draft: ResourceDraft) -> [String] {
        let guesses = guesses(draft)
        return [
            pages(draft) ?? "-", id(draft.id), guesses.isEmpty ? "yes" : "guess: \(guesses.joined(separator: ", "))",
        ]
    }

    /// Returns table rows as text with aligned columns. All rows must have the same number of cells.
    static func aligned(_ rows: [[String]]) -> String {
        let widths = rows[0].indices.map { column in min(rows.map { $0[column].count }.max() ?? 0, 40) }
        return rows.map { row in
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: max(0, width - cell.count))
            }
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed()) + "\n"
        }.joined()
    }

    /// Returns the table as a JSON array on one line, with an object for each resource.
    func json() -> String {
        let rows = drafts.resources.map { draft in
            let guesses = Self.guesses(draft)
            return JSONValue.object(
                JSONObject([
                    ("resource", .string(draft.name)),
                    ("operations", .array(Self.operations(draft).map { .string($0) })),
                    ("pages", Self.pages(draft).map { .string($0) } ?? .null), ("id", .string(Self.id(draft.id))),
                    ("sure", .bool(guesses.isEmpty)), ("guesses", .array(guesses.map { .string($0) })),
                ]))
        }
        return JSONValue.array(rows).text + "\n"
    }

    private static func operations(_ draft: ResourceDraft) -> [String] {
        [("get", draft.get), ("getMany", draft.many), ("list", draft.list)].filter { $0.1 != nil }.map(\.0)
    }

    /// Returns the pagination style of a resource's list; nil if the resource has no list.
    private static func pages(_ draft: ResourceDraft) -> String? {
        guard let list = draft.list else { return nil }
        for case .member("pagination", .object(let lines), _) in list {
            for case .member("style", .json(.string(let style)), _) in lines { return style }
        }
        return "none"
    }

    private static func id(_ id: ResourceDraft.ID) -> String {
        if id.from.isEmpty, id.parts.isEmpty { return "hash" }
        let parts = id.parts.isEmpty ? [id.from] : id.parts
        return VisibleText.line(parts.map { $0.joined(separator: ".") }.joined(separator: id.join ?? ""), limit: 40)
    }

    /// Returns the names of the guessed declarations in a draft, such as `id`.
    private static func guesses(_ draft: ResourceDraft) -> [String] {
        var names = isGuess(draft.id.note) ? ["id"] : []
        for case .member(let name, _, let note) in (draft.get ?? []) + (draft.many ?? []) + (draft.list ?? []) {
            if isGuess(note) { names.append(name == "pagination" ? "pages" : name) }
        }
        if draft.fields.isEmpty { names.append("fields") }
        return OpenAPISchemas.unique(names)
    }
}
