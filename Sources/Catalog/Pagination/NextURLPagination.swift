import JSON
import Model

/// The pagination style `nextURL`: the body or a header field of each page contains the URL of the next page.
public struct NextURLPagination: PaginationContract {
    /// The selector that finds the next page's URL in a response.
    let next: AnswerSelector
    /// The selector that finds the previous page's URL in a response. Nil if the catalog declares none.
    var previous: AnswerSelector?
    /// Whether only the query of the next page's URL is used. The request then keeps the list's path and parameters.
    /// Parameters in the URL's query replace parameters of the list with the same names.
    var takesQuery = false
    var signals = ListSignals()

    public var form: PageForm { .opaque }
    public var first: PageToken { .first }
    public static var usesURLs: Bool { true }

    public func parameters(of page: PageToken) throws(APIError) -> [ListParameter] {
        guard takesQuery, page != .first else { return signals.parameters }
        guard case .opaque(let text) = page, text.hasPrefix("?"), let url = URLReference(text) else {
            throw Cursor.unknown(page)
        }
        let own = url.parameters.map { ListParameter($0.item.name, .string($0.item.value), place: .query) }
        return signals.parameters.filter { size in !own.contains { $0.name == size.name } } + own
    }

    public func target(of page: PageToken) throws(APIError) -> String? {
        if takesQuery || page == .first { return nil }
        guard case .opaque(let text) = page else { throw Cursor.unknown(page) }
        return text
    }

    public func info(of answer: ListAnswer) throws(APIError) -> PageInfoDTO {
        let isEnd = try signals.isEnd(answer)
        var info = PageInfoDTO(
            current: answer.page, pages: try answer.count(at: signals.pages),
            count: try answer.count(at: signals.count),
            next: isEnd ? nil : try token(at: next, of: answer), previous: try token(at: previous, of: answer))
        if answer.page == first { info.isEndUncertain = try signals.hasUncertainEnd(answer, by: next) }
        return info
    }

    private func token(at selector: AnswerSelector?, of answer: ListAnswer) throws(APIError) -> PageToken? {
        let url = try answer.url(at: selector)
        guard takesQuery else { return try answer.token(of: url) }
        guard let url, let links = answer.links else { return nil }
        return .opaque("?" + (try links.links.query(of: url)))
    }

    public func emptyPageInfo(on page: PageToken) -> PageInfoDTO { signals.emptyPageInfo(on: page, first: first) }

    /// Returns a guess at the previous page, for APIs that do not report it. The guess is always the first page. Nil if
    /// the given page is the first.
    public func before(_ page: PageToken, firstPageCount length: Int?) -> PageToken? { page == .first ? nil : .first }
}

extension NextURLPagination: DeclaredPagination {
    static let name = "nextURL"
    static let summary = "Each page contains the URL of the next page."
    static let keys =
        [
            CatalogKey(
                "take", .word(["query"]),
                "\"query\": only the query of the URL is used, merged into the list's own query.")
        ]
        + ListSignals.keys(
            next: CatalogKey("next", .answerSelector, "The selector of the next page's URL.", isRequired: true))

    static func decode(_ object: CatalogObject) -> NextURLPagination? {
        object.required("next")
        let next = object.answerSelector("next")
        let previous = object.answerSelector("previous")
        let takesQuery = object.value("take", "\"query\"") { $0.isString("query") ? true : nil }
        let signals = ListSignals.decode(object, areTokens: true)
        return next.map {
            NextURLPagination(next: $0, previous: previous, takesQuery: takesQuery ?? false, signals: signals)
        }
    }
}
