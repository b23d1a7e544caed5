import JSON

/// Tells how a list's pages are asked for: by what the document says of that, else by parameters, and by the answer
/// only in the end, which documents often leave out.
struct OpenAPIPagination {
    /// What a list declares, and the parameters that are no filters then.
    struct Draft {
        var lines: [DraftLine] = []
        var note: String?
        var parameters: Set<String> = []
        /// Where the items are, if the document says so.
        var items: [String]?
        var remarks: [String] = []
    }

    let document: OpenAPIDocument
    let operation: OpenAPIOperation
    let scalars: [AnswerScalar]

    private var query: [OpenAPIParameter] { operation.parameters.filter { $0.place == "query" } }

    /// The pagination; without lines where nothing tells of any.
    func draft() -> Draft {
        var draft =
            OpenAPIPageExtensions(operation: operation).draft() ?? link() ?? cursor() ?? page() ?? offset()
            ?? nextLink()
            ?? Draft()
        guard !draft.lines.isEmpty else {
            let words = PageWords.cursors + PageWords.pages + PageWords.offsets
            let hints = query.filter { words.contains($0.plain) && isOpaque($0) }
            if let hint = hints.first {
                draft.remarks.append(
                    "'\(hint.name)' may ask for other pages, but nothing says where the next one is told: see 'pagination'"
                )
            }
            return draft
        }
        if let size = size(), !draft.lines.contains(where: { $0.isMember("size") }) {
            draft.lines.append(size.line)
            draft.parameters.insert(size.name)
        }
        for (key, path) in signs(draft) where !draft.lines.contains(where: { $0.isMember(key) }) {
            draft.lines.append(.member(key, .selector(path)))
        }
        // A URL has them.
        let named = draft.style == "nextURL" || draft.style == "link" ? PageWords.offsets : []
        let unneeded = named + PageWords.backwards + PageWords.cursors + PageWords.pages
        for parameter in query where unneeded.contains(parameter.plain) && isOpaque(parameter) {
            draft.parameters.insert(parameter.name)
        }
        return draft
    }

    private func signs(_ draft: Draft) -> [(String, [String])] {
        var signs: [(String, [String])] = []
        if let pages = PageWords.pageCount(scalars) { signs.append(("pages", pages)) }
        if let count = PageWords.count(scalars) { signs.append(("count", count)) }
        if let more = PageWords.more(scalars) {
            signs.append(("more", more))
        } else if let last = PageWords.last(scalars) {
            signs.append(("last", last))
        }
        let style = draft.style
        if style == "page" || style == "offset", let next = PageWords.nextLink(scalars) { signs.append(("next", next)) }
        return signs
    }

    /// A declared header field `Link`.
    private func link() -> Draft? {
        guard let headers = operation.response?["headers"],
            headers.members.contains(where: { $0.key.string?.lowercased() == "link" })
        else { return nil }
        return Draft(lines: [.text("style", "link")], note: "the answer's header field Link is declared")
    }

    private func cursor() -> Draft? {
        // An API that has both numbers and cursors is asked by cursors, which do not shift under changes.
        for name in PageWords.cursors + PageWords.pages + ["offset"] {
            guard let parameter = query.first(where: { $0.plain == name }), isOpaque(parameter) else { continue }
            let isNumbered = PageWords.pages.contains(name) || name == "offset"
            if isNumbered, kind(parameter) != "string" { continue }
            let why =
                isNumbered ? "'\(parameter.name)' is a text, so no number: a cursor" : "'\(parameter.name)' is a cursor"
            var draft = Draft(lines: [.text("style", "cursor"), .text("param", parameter.name)])
            draft.parameters = [parameter.name]
            let link = PageWords.nextLink(scalars)
            if let next = PageWords.nextCursor(scalars.filter { $0.kind != .link }, for: parameter.name),
                next != link || link == nil
            {
                draft.lines.append(.member("next", .selector(next)))
                draft.note = "\(why), and the answer's '\(next.joined(separator: "."))' is the next one"
                return draft
            }
            if link != nil { continue }
            if PageWords.lastIDs.contains(name) {
                let more = PageWords.more(scalars)
                // Only of this one everybody means the same.
                guard more != nil || name == "startingafter" else { continue }
                draft.lines.append(.member("next", .object([.text("last", "id")])))
                draft.note =
                    "\(why), and no answer names the next one: the last item's id"
                    + (more == nil ? "" : ", as long as there is more")
                return draft
            }
        }
        return nil
    }

    private func page() -> Draft? {
        guard let parameter = numbered(PageWords.pages) else { return nil }
        var draft = Draft(lines: [.text("style", "page"), .text("param", parameter.name)])
        draft.parameters = [parameter.name]
        draft.note = "'\(parameter.name)' is a number"
        let first = parameter.schema.flatMap { $0["default"]?.integer ?? $0["minimum"]?.integer }
        if first == 0 {
            draft.lines.append(.member("first", .json(0)))
            draft.note = "'\(parameter.name)' is a number that begins with 0"
        }
        return draft
    }

    private func offset() -> Draft? {
        guard let parameter = numbered(PageWords.offsets) else { return nil }
        // A word such as `from` means an offset beside a limit alone.
        let isPlain = ["offset", "skip", "startindex", "startat", "pageoffset"].contains(parameter.plain)
        guard isPlain || size() != nil else { return nil }
        // Some APIs count from 1 (SCIM), which an offset does not.
        let first = parameter.schema.flatMap { $0["default"]?.integer ?? $0["minimum"]?.integer }
        guard first == 0 || (first ?? 0 <= 0 && parameter.plain != "startindex") else { return nil }
        return Draft(
            lines: [.text("style", "offset"), .text("param", parameter.name)],
            note: "'\(parameter.name)' is a number of items", parameters: [parameter.name])
    }

    private func nextLink() -> Draft? {
        guard let next = PageWords.nextLink(scalars) ?? bareNext else { return nil }
        return Draft(
            lines: [.text("style", "nextURL"), .member("next", .selector(next))],
            note: "the answer's '\(next.joined(separator: "."))' is the next page's URL")
    }

    /// A text `next` that no parameter takes can only be a URL.
    private var bareNext: [String]? {
        guard !query.contains(where: { PageWords.cursors.contains($0.plain) }) else { return nil }
        return scalars.first { DraftNames.plain($0.path.last ?? "") == "next" && $0.kind == .text }?.path
    }

    private func numbered(_ names: [String]) -> OpenAPIParameter? {
        for name in names {
            if let found = query.first(where: { $0.plain == name }), ["integer", "number", nil].contains(kind(found)) {
                return found
            }
        }
        return nil
    }

    /// How many items a page may have, by the schema or the words about it.
    private func size() -> (name: String, line: DraftLine)? {
        guard let parameter = numbered(PageWords.sizes) else { return nil }
        let schema = parameter.schema
        let said = schema?["maximum"]?.integer ?? Self.largest(in: parameter.description)
        let value = said ?? schema?["default"]?.integer ?? schema?["example"]?.integer
        guard let value, value > 0 else { return nil }
        let why = said == nil ? "its default; a larger one may be allowed" : "as many as there may be"
        let size: [DraftLine] = [.text("param", parameter.name), .member("value", .json(.integer(min(value, 1000))))]
        return (parameter.name, .member("size", .object(size), note: why))
    }

    /// The largest number that a description allows: "(max 100)", "between 1 and 100".
    static func largest(in text: String) -> Int? {
        let words = text.lowercased().split { !($0.isLetter || $0.isNumber) }.map(String.init)
        for (index, word) in words.enumerated() {
            guard ["max", "maximum", "between", "most", "range"].contains(word) else { continue }
            let isRange = word == "between" || word == "range"
            let numbers = words[(index + 1)...].prefix(isRange ? 5 : 3).compactMap { Int($0) }
            if isRange, numbers.count >= 2 { return numbers[1] }
            if !isRange, let number = numbers.first { return number }
        }
        return nil
    }

    private func kind(_ parameter: OpenAPIParameter) -> String? {
        guard let type = parameter.schema?["type"] else { return nil }
        return type.string ?? type.elements.lazy.compactMap { $0.string }.first { $0 != "null" }
    }

    /// Whether its values are no moments.
    private func isOpaque(_ parameter: OpenAPIParameter) -> Bool {
        let format = parameter.schema?["format"]?.string
        return format != "date-time" && format != "date" && !["array", "object", "boolean"].contains(kind(parameter))
    }
}

extension OpenAPIPagination.Draft {
    var style: String? {
        guard case .member("style", .json(.string(let style)), _)? = lines.first else { return nil }
        return style
    }
}

extension DraftLine {
    func isMember(_ name: String) -> Bool { if case .member(name, _, _) = self { true } else { false } }
}
