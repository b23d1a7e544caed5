import JSON
import Model

/// The pagination style `cursor`: each page contains the cursor of the next page.
public struct CursorPagination: PaginationContract {
    /// The place of the next page's cursor in the response, and the request parameter that contains the cursor.
    enum Next: Equatable, Sendable {
        /// The cursor is a value in the response. The request for the next page sends the cursor in `parameter`.
        case response(AnswerSelector, parameter: String)
        /// The cursor is a value in the last item of the page. The request for the next page sends the cursor in
        /// `parameter`.
        case lastItem(JSONSelector, parameter: String)
        /// The cursor is a value in the first item of the page. The request for the next page sends the cursor in
        /// `parameter`.
        case firstItem(JSONSelector, parameter: String)
        /// The cursor is an object in the response. The request for the next page sends each member of this object as a
        /// parameter.
        case merged(JSONSelector)

        /// The selector that finds the cursor in the response; nil if the cursor is in an item.
        var selector: AnswerSelector? {
            switch self {
            case .response(let selector, _): selector
            case .merged(let selector): .body(selector)
            case .lastItem, .firstItem: nil
            }
        }
    }

    let next: Next
    /// The selector that finds the previous page's cursor in the response.
    var previous: AnswerSelector?
    var signals = ListSignals()

    public var form: PageForm { .opaque }
    public var first: PageToken { .first }

    public func parameters(of page: PageToken) throws(APIError) -> [ListParameter] {
        guard let cursor = try Cursor(page) else { return signals.parameters }
        switch next {
        case .response(_, let parameter), .lastItem(_, let parameter), .firstItem(_, let parameter):
            return signals.parameters + [ListParameter(parameter, cursor.value)]
        case .merged:
            guard case .object(let object) = cursor.value else { throw Cursor.unknown(page) }
            let merged = object.members.map { ListParameter($0.key, $0.value) }
            return signals.parameters.filter { own in !merged.contains { $0.name == own.name } } + merged
        }
    }

    public func info(of answer: ListAnswer) throws(APIError) -> PageInfoDTO {
        let isEnd = try signals.isEnd(answer)
        let next = try nextCursor(answer).flatMap { Cursor($0).token }
        var info = PageInfoDTO(
            current: answer.page, pages: try answer.count(at: signals.pages),
            count: try answer.count(at: signals.count), next: isEnd ? nil : next,
            previous: answer.value(at: previous).flatMap { Cursor($0).token })
        if answer.page == first, next == nil {
            info.isEndUncertain = try signals.hasUncertainEnd(answer, by: self.next.selector)
        }
        return info
    }

    private func nextCursor(_ answer: ListAnswer) throws(APIError) -> JSONValue? {
        switch next {
        case .response(let selector, _): return answer.value(at: selector)
        case .lastItem(let selector, _): return try answer.item(at: selector, isLast: true)
        case .firstItem(let selector, _): return try answer.item(at: selector, isLast: false)
        case .merged(let selector):
            guard let value = answer.value(at: .body(selector)), value != .null else { return nil }
            if case .object = value { return value }
            throw answer.unexpected("an object", at: selector)
        }
    }

    public func emptyPageInfo(on page: PageToken) -> PageInfoDTO { signals.emptyPageInfo(on: page, first: first) }

    /// Returns a guess at the previous page, for APIs that do not report it. The guess is always the first page. Nil if
    /// the given page is the first.
    public func before(_ page: PageToken, firstPageCount length: Int?) -> PageToken? { page == .first ? nil : .first }
}

extension CursorPagination: DeclaredPagination {
    static let name = "cursor"
    static let summary = "Each page contains the cursor of the next page."
    static let keys =
        [CatalogKey("param", .text, "The query parameter or variable that sends the cursor.")]
        + ListSignals.keys(
            next: CatalogKey(
                "next", .either([.answerSelector, .part(.lastItem), .part(.firstItem), .part(.merged)]),
                "The source of the next page's cursor.",
                isRequired: true))

    static func decode(_ object: CatalogObject) -> CursorPagination? {
        let next = object.required("next").flatMap { decodeNext($0, in: object) }
        let previous = object.answerSelector("previous")
        let signals = ListSignals.decode(object, areTokens: true)
        return next.map { CursorPagination(next: $0, previous: previous, signals: signals) }
    }

    private static func decodeNext(_ view: JSONView, in object: CatalogObject) -> Next? {
        let what = "'next' of \(object.what)"
        if view["merge"] != nil {
            if let parameter = object["param"] {
                object.reader.fault(
                    "'param' cannot be combined with 'merge', which sends the members of the cursor; remove 'param'",
                    at: parameter)
            }
            return object.reader.object(view, what, .merged)?.selector("merge").map { .merged($0) }
        }
        let parameter = object.requiredText("param")
        for (name, part) in [("last", CatalogPart.lastItem), ("first", .firstItem)] where view[name] != nil {
            let selector = object.reader.object(view, what, part)?.selector(name)
            guard let selector, let parameter else { return nil }
            return name == "last"
                ? .lastItem(selector, parameter: parameter) : .firstItem(selector, parameter: parameter)
        }
        if view.kind == .object, view["header"] == nil {
            object.reader.fault("\(what) must have exactly one of 'header', 'last', 'first' and 'merge'", at: view)
            return nil
        }
        guard let selector = object.answerSelector("next"), let parameter else { return nil }
        return .response(selector, parameter: parameter)
    }
}
