import Catalog
import HTTP
import JSON
import Model
import System

/// Reads the items and the page info in an API's answer to a `list` or `getMany` request, over REST or GraphQL.
struct ListReader {
    /// The URL of the request, with secrets redacted.
    let url: String
    /// The number of HTTP requests that were made for the answer. Retries are counted.
    let attempts: Int
    /// The prefix of the JSON paths in error messages: `data.` for GraphQL, and empty for REST.
    var prefix = ""
    let redactor: Redactor

    /// Returns the items that a JSON selector finds in an API's answer.
    ///
    /// - Parameters:
    ///   - allowsAbsence: whether an absent or null array means an empty list. If false, the function throws an error
    ///     instead.
    ///   - keepsNulls: whether the result includes `null` elements, which are invalid items. If false, `null` elements
    ///     are dropped.
    /// - Throws: `APIError.decodingFailed` if there is no array at the selector.
    func items(
        at selector: JSONSelector, in answer: JSONPart, allowsAbsence: Bool = false, keepsNulls: Bool = false
    ) throws(APIError) -> ItemDTOs {
        let path = prefix + selector.path
        return try answer.withView { (view) throws(APIError) in
            if allowsAbsence, selector.container.select(in: view)?.isNull ?? true {
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

    /// Creates the error for an answer in which the selector finds no items. Appends the API's own error message if the
    /// answer contains one.
    private func absence(_ message: String, at path: String, in answer: JSONView) -> APIError {
        HTTPErrorMapper(redactor: redactor).explained(APIError(.decodingFailed, message, path: path), by: answer)
    }

    /// Returns a hint for an error message: how to correct the catalog's selector for the items. Empty if there is no
    /// hint.
    private func advice(for found: JSONView?, _ selector: JSONSelector, in answer: JSONView) -> String {
        let empty =
            ErrorMessageFinder.ofError(in: answer) == nil
            ? "if this means an empty list, set \"absent\": \"empty\""
            : "the answer is an error; add a rule to \"errors\" in the catalog"
        switch found?.kind {
        case .object:
            let arrays = found.map { Self.arrays(in: $0, selector.path) } ?? []
            let map = "for a map of items, use '\(selector.path.isEmpty ? "*" : selector.path + ".*")'"
            return ", but it is an object; " + (Self.shown(arrays).map { "\($0); " } ?? "") + map
        case nil:
            if answer.kind == .array { return ", but the body itself is an array; remove 'items'" }
            if let meant = selector.meant(in: answer) {
                return ", but nothing is there; did you mean '\(meant)'?"
            }
            return ", but nothing is there; " + (Self.shown(Self.arrays(in: answer, "")) ?? empty)
        case .null: return ", but null is there; \(empty)"
        default: return "; correct \"items\" in the catalog"
        }
    }

    /// Returns the paths of the arrays in an object, such as `results` or `data.items`. Searches at most two levels of
    /// nesting.
    private static func arrays(in view: JSONView, _ path: String, depth: Int = 0) -> [String] {
        view.members.flatMap { member -> [String] in
            guard let name = member.key.string else { return [] }
            let memberPath = path.isEmpty ? name : "\(path).\(name)"
            switch member.value.kind {
            case .array: return [memberPath]
            case .object where depth < 1: return arrays(in: member.value, memberPath, depth: depth + 1)
            default: return []
            }
        }
    }

    private static func shown(_ arrays: [String]) -> String? {
        if arrays.isEmpty { return nil }
        let paths = arrays.prefix(3).map { "'\($0)'" }.joined(separator: ", ")
        return arrays.count == 1 ? "an array is at \(paths)" : "arrays are at \(paths)"
    }

    /// Returns the items that a JSON selector with the wildcard `*` finds in an API's answer.
    private func picked(
        by selector: JSONSelector, _ view: JSONView, in answer: JSONPart, _ keepsNulls: Bool
    ) throws(APIError) -> ItemDTOs {
        guard let picks = selector.selectAll(in: view) else {
            let path = prefix + selector.container.path
            throw absence(
                "expected an array or an object at '\(path)'; correct \"items\" in the catalog", at: path, in: view)
        }
        return ItemDTOs(
            picks.filter { keepsNulls || !$0.view.isNull }.map { pick in
                ItemDTO(
                    json: answer.part(pick.view), key: pick.key.map { answer.part($0) }, path: prefix + pick.path,
                    url: url, attempts: attempts)
            })
    }

    /// Reads the requested page of a list from an API's answer: its items and page info.
    func page(
        _ request: PageRequest, of list: ListDefinition, in answer: JSONPart, headers: [HTTPHeader],
        links: ListAnswer.Links? = nil
    ) throws(APIError) -> PageDTO {
        let items = try items(at: list.items, in: answer, allowsAbsence: list.isEmptyIfMissing, keepsNulls: true)
        let listAnswer = ListAnswer(
            page: request.page, isFiltered: !request.filters.isEmpty, items: items, body: answer, headers: headers,
            prefix: prefix, links: links)
        var info = try list.pagination.style.info(of: listAnswer)
        // Page tokens are shown to clients and stored in the cache file, so they must not contain secrets.
        if let next = info.next, redactor.finds(in: next.json.text) {
            let isURL = type(of: list.pagination.style).usesURLs
            throw APIError(
                .invalidResponse,
                "the \(isURL ? "URL" : "cursor") of the next page contains a secret, which clients would see"
                    + (isURL
                        ? "; set \"take\": \"query\" in \"pagination\" to use only the query of the URL"
                        : "; report this to the API's provider"))
        }
        if let previous = info.previous, redactor.finds(in: previous.json.text) { info.previous = nil }
        if info.next == request.page {
            // The API returned the same page token again, so pagination would never end.
            info.next = nil
            info.isEndUncertain = true
        }
        let isFirst = request.page == .first || request.page == list.firstPage
        var page = PageDTO(
            items: items, info: info, url: url, attempts: attempts, unfound: isFirst ? listAnswer.missingSelectors : [])
        page.date = headers["Date"].flatMap { HTTPDate.parse($0, now: Timestamp(milliseconds: 0)) }
        page.token = try list.token.flatMap { (source) throws(APIError) in
            try checked(try source.token(in: listAnswer))
        }
        return page
    }

    /// Returns the token for the next request for changes. The cache file stores tokens, so they must not contain
    /// secrets.
    ///
    /// - Throws: `APIError.invalidResponse` for a token with a secret.
    func checked(_ token: PageToken?) throws(APIError) -> PageToken? {
        guard let token, redactor.finds(in: token.json.text) else { return token }
        throw APIError(
            .invalidResponse,
            "the token for changes contains a secret, which the cache file would store; remove 'sync' in the catalog")
    }

    /// Creates an empty page, which is the result for a list without items.
    func emptyPage(_ request: PageRequest, of list: ListDefinition) -> PageDTO {
        PageDTO(
            items: ItemDTOs([]), info: list.pagination.style.emptyPageInfo(on: request.page), url: url,
            attempts: attempts)
    }
}
