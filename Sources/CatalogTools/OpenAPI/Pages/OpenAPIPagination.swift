import JSON

/// Finds the pagination of a list in an OpenAPI document. Prefers pagination extensions to parameters, and parameters
/// to answers, because documents often describe answers incompletely.
struct OpenAPIPagination {
    /// The drafted pagination of a list, and the names of the parameters that select the page.
    struct Draft {
        var lines: [DraftLine] = []
        var note: String?
        var parameters: Set<String> = []
        /// The path of the items in an answer; nil if no pagination extension declares it.
        var items: [String]?
        var remarks: [String] = []
    }

    let operation: OpenAPIOperation
    /// The parameters that can select the page. For a `post`, they can be members of the body.
    let query: [OpenAPIParameter]
    /// The values in the answer that are not items, such as a page count.
    let scalars: [AnswerScalar]
    /// The path of the next page's URL in an array of links; nil if the answer has no such array.
    var relation: [String]?
    /// Whether the answer is an array. Only a header field can then contain the URL of the next page.
    let isArray: Bool

    /// Drafts the pagination of the list. If no pagination was found, the draft has no `lines`.
    ///
    /// - Parameter other: the pagination that most lists of the API use. It is a guess for lists that have the same
    ///   page parameter, but whose pagination the document does not describe.
    func draft(orAsElsewhere other: [DraftLine] = []) -> Draft {
        var draft =
            OpenAPIPageExtensions(operation: operation).draft() ?? link() ?? cursor() ?? page() ?? offset()
            ?? nextLink() ?? nextRelation() ?? linkOfArray() ?? asElsewhere(other) ?? Draft()
        guard !draft.lines.isEmpty else {
            let words = PaginationVocabulary.cursors + PaginationVocabulary.pages + PaginationVocabulary.offsets
            let hints = query.filter { words.contains($0.plain) && isOpaque($0) }
            if let hint = hints.first {
                draft.remarks.append(
                    "'\(hint.name)' may select a page, but the document does not describe where the next page is: add 'pagination'"
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
        if operation.isPost, draft.param != nil, !query.contains(where: { $0.place == "body" }) {
            draft.lines.append(.text("in", "query"))
        }
        // The URL of the next page already contains these parameters.
        let named = draft.style == "nextURL" || draft.style == "link" ? PaginationVocabulary.offsets : []
        let unneeded =
            named + PaginationVocabulary.backwards + PaginationVocabulary.cursors + PaginationVocabulary.pages
        for parameter in query where unneeded.contains(parameter.plain) && isOpaque(parameter) {
            draft.parameters.insert(parameter.name)
        }
        return draft
    }

    private func signs(_ draft: Draft) -> [(String, [String])] {
        var signs: [(String, [String])] = []
        if let pages = PaginationVocabulary.pageCount(scalars) { signs.append(("pages", pages)) }
        if let count = PaginationVocabulary.count(scalars) { signs.append(("count", count)) }
        if let more = PaginationVocabulary.more(scalars) {
            signs.append(("more", more))
        } else if let last = PaginationVocabulary.last(scalars) {
            signs.append(("last", last))
        }
        let style = draft.style
        if style == "page" || style == "offset", let next = PaginationVocabulary.nextLink(scalars) {
            signs.append(("next", next))
        }
        return signs
    }

    /// Detects the pagination style `link`. The document must declare the header field `Link`, or a description must
    /// mention the field.
    private func link() -> Draft? {
        if operation.response?["headers"]?.members.contains(where: { $0.key.string?.lowercased() == "link" }) == true {
            return Draft(
                lines: [.text("style", "link")],
                note: "the document declares the header field Link, which has the URL of the next page")
        }
        let positions = query.filter { PaginationVocabulary.isPosition($0.plain) }
        guard !positions.isEmpty || isArray, PaginationVocabulary.nextLink(scalars) == nil else { return nil }
        let texts = positions.map(\.description) + [operation.view["description"]?.string(atMost: 20_000) ?? ""]
        guard texts.contains(where: PaginationVocabulary.namesLinkHeader) else { return nil }
        return Draft(
            lines: [.text("style", "link")],
            note: "a description names the header field Link; check whether Link has the next page")
    }

    /// Drafts pagination that follows the header field `Link`, if the list returns an array and has a cursor parameter.
    /// If an answer lacks this field, Larder treats the list as a single page.
    private func linkOfArray() -> Draft? {
        guard isArray, !operation.isPost,
            let cursor = query.first(where: { PaginationVocabulary.cursors.contains($0.plain) && isOpaque($0) })
        else { return nil }
        return Draft(
            lines: [.text("style", "link")],
            note:
                "a guess: the next page's URL is in the header field Link, because the answer is an array and cannot"
                + " contain the next value of the cursor '\(cursor.name)'; check whether Link has the next page"
        )
    }

    /// Returns the most common pagination of the API's lists as a guess for this list. Nil if this list does not have
    /// the page parameter of that pagination.
    private func asElsewhere(_ lines: [DraftLine]) -> Draft? {
        let common = Draft(lines: lines)
        guard let name = common.param, query.contains(where: { $0.name == name && isOpaque($0) }) else { return nil }
        return Draft(
            lines: lines,
            note:
                "a guess from the API's other lists, because the document does not describe the pagination of this"
                + " list; check the guess",
            parameters: [name])
    }

    private func cursor() -> Draft? {
        // Cursors are preferred to page numbers, because changes of the data do not shift cursors.
        for name in PaginationVocabulary.cursors + PaginationVocabulary.pages + ["offset"] {
            guard let parameter = query.first(where: { $0.plain == name }), isOpaque(parameter) else { continue }
            let isNumbered = PaginationVocabulary.pages.contains(name) || name == "offset"
            if isNumbered, kind(parameter) != "string" { continue }
            let why =
                isNumbered ? "'\(parameter.name)' is a text, so it is a cursor" : "'\(parameter.name)' is a cursor"
            var draft = Draft(lines: [.text("style", "cursor"), .text("param", parameter.name)])
            draft.parameters = [parameter.name]
            let link = PaginationVocabulary.nextLink(scalars)
            let own = scalars.filter { $0.kind != .link && (isNumbered || !$0.isPageNumber) }
            if let next = PaginationVocabulary.nextCursor(own, for: parameter.name), next != link || link == nil {
                draft.lines.append(.member("next", .selector(next)))
                draft.note = "\(why), and '\(next.joined(separator: "."))' in the answer is the next one"
                return draft
            }
            if link != nil { continue }
            if PaginationVocabulary.lastIDs.contains(name) {
                let more = PaginationVocabulary.more(scalars)
                // Without `more`, only this name has an unambiguous meaning.
                guard more != nil || name == "startingafter" || takesID(parameter) else { continue }
                draft.lines.append(.member("next", .object([.text("last", "id")])))
                draft.note =
                    "\(why), and the next one is the id of the last item"
                    + (more == nil ? "" : " if there are more items")
                return draft
            }
        }
        return nil
    }

    /// Whether a parameter takes the id of an item instead of a cursor. This is true if the response is an array, and
    /// at least one of these conditions holds:
    /// * The description of the parameter contains the word "id".
    /// * The list has a parameter `before` or `before_id`, and the description does not contain the word "cursor".
    private func takesID(_ parameter: OpenAPIParameter) -> Bool {
        let words = parameter.description.lowercased().split { !$0.isLetter }
        let hasCounterpart = query.contains { $0.plain == "before" || $0.plain == "beforeid" }
        return isArray && (words.contains("id") || (hasCounterpart && !words.contains("cursor")))
    }

    private func page() -> Draft? {
        guard let parameter = numbered(PaginationVocabulary.pages) else { return nil }
        // A URL or a token is preferred to a number that clients should not use.
        let hasToken = query.contains { PaginationVocabulary.cursors.contains($0.plain) }
        if PaginationVocabulary.nextLink(scalars) != nil, hasToken || isDeprecated(parameter) { return nil }
        var draft = Draft(lines: [.text("style", "page"), .text("param", parameter.name)])
        draft.parameters = [parameter.name]
        draft.note = "'\(parameter.name)' is a page number"
        if startsAtZero(parameter) {
            draft.lines.append(.member("first", .json(0)))
            draft.note = "'\(parameter.name)' is a page number that starts at 0"
        }
        return draft
    }

    private func isDeprecated(_ parameter: OpenAPIParameter) -> Bool {
        parameter.view["deprecated"]?.bool == true || parameter.description.lowercased().contains("deprecated")
    }

    /// Whether the default, an example or the description of the parameter shows that the first page has the number 0.
    /// A minimum of 0 does not show this, because it often only excludes negative numbers.
    private func startsAtZero(_ parameter: OpenAPIParameter) -> Bool {
        let values = [parameter.schema?["default"], parameter.schema?["example"], parameter.view["example"]]
        if let value = values.compactMap({ $0?.integer }).first { return value == 0 }
        let text = parameter.description.lowercased()
        return PaginationVocabulary.zeroBased.contains { text.contains($0) }
    }

    private func offset() -> Draft? {
        guard let parameter = numbered(PaginationVocabulary.offsets) else { return nil }
        // A name such as `from` is an offset only beside a page size.
        let isPlain = ["offset", "skip", "startindex", "startat", "pageoffset"].contains(parameter.plain)
        guard isPlain || size() != nil else { return nil }
        // Some APIs (SCIM) count items from 1, but an offset starts at 0.
        let first = parameter.schema.flatMap { $0["default"]?.integer ?? $0["minimum"]?.integer }
        guard first == 0 || (first ?? 0 <= 0 && parameter.plain != "startindex") else { return nil }
        return Draft(
            lines: [.text("style", "offset"), .text("param", parameter.name)],
            note: "'\(parameter.name)' is an offset", parameters: [parameter.name])
    }

    private func nextLink() -> Draft? {
        guard let next = PaginationVocabulary.nextLink(scalars) ?? bareNext else { return nil }
        return Draft(
            lines: [.text("style", "nextURL"), .member("next", .selector(next))],
            note: "'\(next.joined(separator: "."))' in the answer is the URL of the next page")
    }

    /// Drafts pagination by the next page's URL, if the answer can contain an array of links. For an answer without
    /// this URL, Larder treats the list as a single page.
    private func nextRelation() -> Draft? {
        guard let relation else { return nil }
        return Draft(
            lines: [.text("style", "nextURL"), .member("next", .selector(relation))],
            note: "a guess: '\(relation.dropLast(2).joined(separator: "."))' has the link to the next page; check it")
    }

    /// The path of a string in the answer, such as `next`, that is assumed to be the URL of the next page. Nil if there
    /// is no such string. Also nil if the list has a cursor parameter, because the string may then be a cursor.
    private var bareNext: [String]? {
        guard !query.contains(where: { PaginationVocabulary.cursors.contains($0.plain) }) else { return nil }
        return PaginationVocabulary.bareNext(scalars)
    }

    private func numbered(_ names: [String]) -> OpenAPIParameter? {
        for name in names {
            if let found = query.first(where: { $0.plain == name }), ["integer", "number", nil].contains(kind(found)) {
                return found
            }
        }
        return nil
    }

    /// Returns the name of the page size parameter, and the member `size` of the draft. The page size is the documented
    /// maximum, the default or an example, in this order of preference.
    private func size() -> (name: String, line: DraftLine)? {
        guard let parameter = numbered(PaginationVocabulary.sizes) else { return nil }
        let schema = parameter.schema
        let documented = schema?["maximum"]?.integer ?? Self.largest(in: parameter.description)
        let value = documented ?? schema?["default"]?.integer ?? schema?["example"]?.integer
        guard let value, value > 0 else { return nil }
        let why = documented == nil ? "the default size; larger ones may be allowed" : "the maximum size"
        let size: [DraftLine] = [.text("param", parameter.name), .member("value", .json(.integer(min(value, 1000))))]
        return (parameter.name, .member("size", .object(size), note: why))
    }

    /// Returns the maximum that a description mentions, such as 100 in "(max 100)" and "between 1 and 100".
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

    /// Whether a parameter can contain a cursor or a page number. False for a date, an array, an object and a boolean.
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

extension OpenAPIPagination.Draft {
    /// The parameter that selects the page; nil if there is none.
    var param: String? {
        for case .member("param", .json(.string(let name)), _) in lines { return name }
        return nil
    }
}

extension DraftLine {
    func isMember(_ name: String) -> Bool { if case .member(name, _, _) = self { true } else { false } }
}
