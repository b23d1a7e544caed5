import JSON
import Model
import System

/// Infers the pagination of a list from an answer.
struct InferredPagination {
    let root: JSONView
    let items: InferredItems
    let headers: [HTTPHeader]
    let url: InferredURL

    /// The drafted declaration of the pagination. If no pagination can be inferred, the declaration consists only of
    /// comments.
    struct Draft {
        var lines: [DraftLine] = []
        var note: String?
        /// The query parameters that belong to the pagination. The draft does not declare these parameters as
        /// constants.
        var parameters: Set<String> = []
        /// Whether the answer contains the URL of the next page. If so, the pagination is not a guess.
        var isProven = false
    }

    func draft() -> Draft {
        let scalars = scalars(in: root, [])
        guard var draft = link() ?? continuation() ?? link(in: scalars) ?? cursor(scalars) ?? number(scalars) else {
            return Draft(lines: [.comment(missingPaginationComment(scalars))])
        }
        if let size = url.parameter(PaginationVocabulary.sizes), let value = Int(size.value), value > 0 {
            draft.parameters.insert(size.name)
            if !draft.lines.contains(where: { $0.isMember("size") }) {
                draft.lines.append(size.name.size(value))
            }
        }
        let signs = [
            ("pages", PaginationVocabulary.pageCount(scalars)), ("count", PaginationVocabulary.count(scalars)),
            ("more", PaginationVocabulary.more(scalars)),
        ]
        for case (let key, let path?) in signs { draft.lines.append(.member(key, .selector(path))) }
        for name in url.publicParameters.map(\.name) {
            let plain = DraftNames.normalized(name)
            if PaginationVocabulary.pages.contains(plain) || PaginationVocabulary.offsets.contains(plain)
                || PaginationVocabulary.cursors.contains(plain)
            {
                draft.parameters.insert(name)
            }
        }
        return draft
    }

    private func link() -> Draft? {
        let links = headers.filter { $0.isNamed("Link") }.flatMap { WebLink.read($0.value) }
        guard links.contains(where: { $0.relations.contains("next") }) else { return nil }
        return Draft(
            lines: [.text("style", "link")], note: "the answer's header field Link has the URL of the next page",
            isProven: true)
    }

    /// Detects pagination as in MediaWiki: the answer contains an object `continue`, and its members become parameters
    /// of the next query.
    private func continuation() -> Draft? {
        guard root["continue"]?.kind == .object else { return nil }
        return Draft(
            lines: [.text("style", "cursor"), .member("next", .object([.text("merge", "continue")]))],
            note: "a guess: the members of 'continue' in the answer request the next page; check it")
    }

    /// Detects a URL of the next page in the answer. If this URL contains a page number or an offset, the draft uses
    /// the number instead of the URL.
    private func link(in scalars: [AnswerScalar]) -> Draft? {
        guard let next = PaginationVocabulary.nextLink(scalars) else { return nil }
        let name = next.joined(separator: ".")
        let value = JSONSelector(steps: next)?.select(in: root)?.string ?? ""
        let asked = value.firstIndex(of: "?").map { Self.query(value[$0...].dropFirst()) } ?? []
        func parameter(_ names: [String]) -> (name: String, value: Int)? {
            for (name, value) in asked where names.contains(DraftNames.normalized(name)) {
                if let number = Int(value) { return (name, number) }
            }
            return nil
        }
        let size = parameter(PaginationVocabulary.sizes).map { $0.value > 0 ? [$0.name.size($0.value)] : [] } ?? []
        if let page = parameter(PaginationVocabulary.pages) {
            var lines: [DraftLine] = [.text("style", "page"), .text("param", page.name)]
            let isFromZero =
                page.value == 1 && url.parameter(PaginationVocabulary.pages).flatMap { Int($0.value) } ?? 0 == 0
                && PaginationVocabulary.pageCount(scalars) == nil
            if isFromZero { lines.append(.member("first", .json(0))) }
            lines.append(.member("next", .selector(next)))
            return Draft(
                lines: lines + size,
                note: "'\(name)' is the URL of the next page, with the page number in '\(page.name)'", isProven: true)
        }
        if let offset = parameter(["offset", "skip", "startat"]) {
            let lines: [DraftLine] = [
                .text("style", "offset"), .text("param", offset.name), .member("next", .selector(next)),
            ]
            return Draft(
                lines: lines + size,
                note: "'\(name)' is the URL of the next page, with the offset in '\(offset.name)'", isProven: true)
        }
        return Draft(
            lines: [.text("style", "nextURL"), .member("next", .selector(next))],
            note: "'\(name)' is the URL of the next page", isProven: true)
    }

    private func cursor(_ scalars: [AnswerScalar]) -> Draft? {
        let given = url.parameter(PaginationVocabulary.cursors)?.name
        let texts = scalars.filter { $0.kind == .text }
        guard let next = PaginationVocabulary.nextCursor(texts, for: given ?? "cursor"), let last = next.last else {
            return nil
        }
        let plain = DraftNames.normalized(last)
        guard given != nil || plain.hasPrefix("next") || ["continue", "endcursor", "cursor", "after"].contains(plain)
        else {
            return nil
        }
        let guess = given ?? Self.parameter(named: last)
        let note =
            given == nil
            ? "the parameter '\(guess)' is a guess, based on '\(last)' in the answer; check it"
            : "'\(last)' is the cursor of the next page"
        let lines: [DraftLine] = [
            .text("style", "cursor"), .text("param", guess), .member("next", .selector(next)),
        ]
        return Draft(lines: lines, note: note)
    }

    /// Guesses a request parameter from the name of the cursor in the answer: `cursor` for `next_cursor`, `pageToken`
    /// for `nextPageToken`.
    private static func parameter(named name: String) -> String {
        if DraftNames.normalized(name) == "endcursor" { return "after" }
        guard name.lowercased().hasPrefix("next"), name.count > 4 else {
            return name.lowercased() == "next" ? "cursor" : name
        }
        let rest = name.dropFirst(4).drop { $0 == "_" || $0 == "-" }
        guard DraftNames.normalized(String(rest)) != "token", let first = rest.first else { return name }
        return first.lowercased() + rest.dropFirst()
    }

    private func number(_ scalars: [AnswerScalar]) -> Draft? {
        if let page = url.parameter(PaginationVocabulary.pages), Int(page.value) != nil {
            let first: [DraftLine] = page.value == "0" ? [.member("first", .json(0))] : []
            return Draft(
                lines: [.text("style", "page"), .text("param", page.name)] + first,
                note: "the style 'page', because the URL of this request contains a page number")
        }
        if let offset = url.parameter(["offset", "skip", "startat", "start", "from"]),
            Int(offset.value) != nil
        {
            return Draft(
                lines: [.text("style", "offset"), .text("param", offset.name)],
                note: "the style 'offset', because the URL of this request contains an offset")
        }
        func named(_ names: [String]) -> String? {
            scalars.first { $0.kind == .integer && names.contains(DraftNames.normalized($0.path.last ?? "")) }?.path
                .last
        }
        if let page = named(["page", "currentpage", "pagenumber"]), PaginationVocabulary.pageCount(scalars) != nil {
            let name = DraftNames.normalized(page) == "currentpage" ? "page" : page
            return Draft(
                lines: [.text("style", "page"), .text("param", name)],
                note: "the parameter '\(name)' is a guess, based on the page number in the answer; check it")
        }
        if PaginationVocabulary.pageCount(scalars) != nil {
            return Draft(
                lines: [.text("style", "page"), .text("param", "page")],
                note: "the parameter 'page' is a guess, based on the page count in the answer; check it")
        }
        if let offset = named(["offset", "skip", "startat"]) {
            return Draft(
                lines: [.text("style", "offset"), .text("param", offset)],
                note: "the parameter '\(offset)' is a guess, based on the offset in the answer; check it")
        }
        return nil
    }

    /// Returns a comment that explains why the draft has no pagination.
    private func missingPaginationComment(_ scalars: [AnswerScalar]) -> String {
        if let more = PaginationVocabulary.more(scalars) {
            return "the answer contains '\(more.joined(separator: "."))', but does not show how to request the next"
                + " page; add 'pagination'"
        }
        if let next = scalars.first(where: { DraftNames.normalized($0.path.last ?? "").hasPrefix("next") }) {
            return
                "'\(next.path.joined(separator: "."))' may refer to a next page; to see one, infer with a smaller page size"
        }
        let count = items.views.count
        if count > 0, count % 10 == 0 {
            return "found no pagination, but \(count) items may be a full page: if the API's documentation describes"
                + " more pages, add 'pagination'"
        }
        return "found no pagination: the draft treats the answer as the whole list; check it"
    }

    // MARK: The answer

    private func scalars(in view: JSONView, _ path: [String]) -> [AnswerScalar] {
        guard view.kind == .object, path.count < 3, path != Array(items.path.prefix { $0 != "*" }) || path.isEmpty
        else {
            return []
        }
        var found: [AnswerScalar] = []
        var nested: [AnswerScalar] = []
        for member in view.members where InferredItems.isStep(member.key.string ?? "") {
            let place = path + [member.key.string ?? ""]
            switch member.value.kind {
            case .string:
                let text = member.value.string ?? ""
                let isLink =
                    text.hasPrefix("http://") || text.hasPrefix("https://") || text.hasPrefix("/")
                    || text.hasPrefix("?")
                if !text.isEmpty { found.append(AnswerScalar(path: place, kind: isLink ? .link : .text)) }
            case .number where member.value.integer != nil: found.append(AnswerScalar(path: place, kind: .integer))
            case .true, .false: found.append(AnswerScalar(path: place, kind: .flag))
            case .null: found.append(AnswerScalar(path: place, kind: .nothing))
            case .object: nested += scalars(in: member.value, place)
            case .array where place != Array(items.path.prefix { $0 != "*" }):
                // An array of links, such as `"links": [{"rel": "next", "href": "..."}]`.
                for relation in AnswerScalar.relations {
                    let link = JSONSelector(steps: [relation])?.select(in: member.value)
                    let url = AnswerScalar.urls.first { link?[$0]?.string?.isEmpty == false }
                    if let url { found.append(AnswerScalar(path: place + [relation, url], kind: .link)) }
                }
            default: break
            }
        }
        return found + nested
    }

    private static func query(_ text: Substring) -> [(name: String, value: String)] {
        text.prefix { $0 != "#" }.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1).map { PercentEncoding.decode(String($0)) }
            return (parts.first ?? "", parts.count > 1 ? parts[1] : "")
        }
    }
}

extension String {
    /// Returns the pagination member `size`, which declares the page size parameter and its value. The value is limited
    /// to the maximum that a catalog allows.
    fileprivate func size(_ value: Int) -> DraftLine {
        .member("size", .object([.text("param", self), .member("value", .json(.integer(min(value, 100_000))))]))
    }
}
