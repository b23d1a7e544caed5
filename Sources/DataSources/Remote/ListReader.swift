import Catalog
import JSON
import Model

/// Reads the items and the page info of an answer with many items, whatever the transport.
struct ListReader {
    /// Where the answer came from, its secrets replaced.
    let url: String
    /// How many requests were made for the answer.
    let attempts: Int
    /// Before the paths in messages; `data.` for GraphQL.
    var prefix = ""
    let redactor: Redactor

    /// The items; an absent array is a fault.
    ///
    /// - Parameters:
    ///   - orNone: whether there are none where the array is absent or null.
    ///   - keepsNulls: whether `null` in it is an item that came, though none of the declared shape. Else it stands for
    ///     one that there is not.
    func items(
        at selector: JSONSelector, in answer: JSONPart, orNone: Bool = false, keepsNulls: Bool = false
    ) throws(APIError) -> ItemDTOs {
        let path = prefix + selector.path
        return try answer.withView { (view) throws(APIError) in
            if orNone, selector.container.select(in: view)?.isNull ?? true {
                if let error = HTTPErrorMapper(redactor: redactor).error(in: view) { throw error }
                return ItemDTOs([])
            }
            if selector.isMultiple { return try picked(by: selector, view, in: answer, keepsNulls) }
            let found = selector.select(in: view)
            guard let found, found.kind == .array else {
                throw absence(
                    "expected an array at '\(path)'\(advice(for: found, selector, in: view))", at: path, in: view)
            }
            return ItemDTOs(
                answer.part(found), path: path, keepsNulls: keepsNulls, url: url, attempts: attempts)
        }
    }

    /// The error for items that are not there; what the API says instead stands behind it.
    private func absence(_ message: String, at path: String, in answer: JSONView) -> APIError {
        HTTPErrorMapper(redactor: redactor).explained(APIError(.decodingFailed, message, path: path), by: answer)
    }

    /// What to write instead, where that can be told.
    private func advice(for found: JSONView?, _ selector: JSONSelector, in answer: JSONView) -> String {
        let empty =
            APIWords.ofError(in: answer) == nil
            ? "where that means an empty list, say \"absent\": \"empty\"" : "the answer has an error"
        switch found?.kind {
        case .object:
            let arrays = found.map { Self.arrays(in: $0, selector.path) } ?? []
            let map = "for a map of items write '\(selector.path.isEmpty ? "*" : selector.path + ".*")'"
            return ", but it is an object; " + (Self.shown(arrays).map { "\($0); " } ?? "") + map
        case nil:
            if answer.kind == .array { return ", but the body is an array itself; leave 'items' out" }
            if let meant = selector.meant(in: answer) {
                return ", but nothing is there; did you mean '\(meant)'?"
            }
            return ", but nothing is there; " + (Self.shown(Self.arrays(in: answer, "")) ?? empty)
        case .null: return ", but null is there; \(empty)"
        default: return ""
        }
    }

    /// Where arrays stand in an object, down to the members of its members.
    private static func arrays(in view: JSONView, _ path: String, depth: Int = 0) -> [String] {
        view.members.flatMap { member -> [String] in
            guard let name = member.key.string else { return [] }
            let place = path.isEmpty ? name : "\(path).\(name)"
            switch member.value.kind {
            case .array: return [place]
            case .object where depth < 1: return arrays(in: member.value, place, depth: depth + 1)
            default: return []
            }
        }
    }

    private static func shown(_ arrays: [String]) -> String? {
        if arrays.isEmpty { return nil }
        let told = arrays.prefix(3).map { "'\($0)'" }.joined(separator: ", ")
        return arrays.count == 1 ? "an array is at \(told)" : "arrays are at \(told)"
    }

    /// The items that a selector with `*` picks.
    private func picked(
        by selector: JSONSelector, _ view: JSONView, in answer: JSONPart, _ keepsNulls: Bool
    ) throws(APIError) -> ItemDTOs {
        guard let picks = selector.selectAll(in: view) else {
            let path = prefix + selector.container.path
            throw absence("expected an array or an object at '\(path)'", at: path, in: view)
        }
        return ItemDTOs(
            picks.filter { keepsNulls || !$0.view.isNull }.map { pick in
                ItemDTO(
                    json: answer.part(pick.view), key: pick.key.map { answer.part($0) }, path: prefix + pick.path,
                    url: url, attempts: attempts)
            })
    }

    /// The page that was asked for.
    func page(
        _ request: PageRequest, of list: ListDefinition, in answer: JSONPart, headers: [HTTPHeader],
        links: ListAnswer.Links? = nil
    ) throws(APIError) -> PageDTO {
        let items = try items(at: list.items, in: answer, orNone: list.isEmptyWhereAbsent, keepsNulls: true)
        let listAnswer = ListAnswer(
            page: request.page, isFiltered: !request.filters.isEmpty, items: items, body: answer, headers: headers,
            prefix: prefix, links: links)
        var info = try list.pagination.style.info(of: listAnswer)
        // What names a page is shown, and kept.
        if let next = info.next, redactor.finds(in: next.json.text) {
            let isURL = type(of: list.pagination.style).usesURLs
            throw APIError(
                .invalidResponse,
                "the \(isURL ? "URL" : "cursor") of the next page has a secret in it, which would be shown and kept"
                    + (isURL ? "; with \"take\": \"query\" its query alone is used" : ""))
        }
        if let previous = info.previous, redactor.finds(in: previous.json.text) { info.previous = nil }
        if info.next == request.page {
            // Who followed it would never come to an end.
            info.next = nil
            info.isEndUncertain = true
        }
        let isFirst = request.page == .first || request.page == list.firstPage
        return PageDTO(
            items: items, info: info, url: url, attempts: attempts, unfound: isFirst ? listAnswer.unfoundInWords : [])
    }

    /// A page without items, of which the API says no more than that nothing is there.
    func nothing(_ request: PageRequest, of list: ListDefinition) -> PageDTO {
        PageDTO(
            items: ItemDTOs([]), info: list.pagination.style.infoOfNothing(on: request.page), url: url,
            attempts: attempts)
    }
}
