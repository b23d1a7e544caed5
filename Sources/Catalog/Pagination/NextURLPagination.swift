import JSON
import Model

/// The style `nextURL`: each page says the URL of the next one.
public struct NextURLPagination: PaginationContract {
    /// Where the URL of the next page is found.
    let next: AnswerSelector
    /// Where the URL of the page before is found.
    var previous: AnswerSelector?
    /// Whether only the URL's query is taken, and laid over the list's own.
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
        if answer.page == first { info.isEndUncertain = try signals.isEndDoubtful(answer, by: next) }
        return info
    }

    private func token(at selector: AnswerSelector?, of answer: ListAnswer) throws(APIError) -> PageToken? {
        let url = try answer.url(at: selector)
        guard takesQuery else { return try answer.token(of: url) }
        guard let url, let links = answer.links else { return nil }
        return .opaque("?" + (try links.links.query(of: url)))
    }

    public func infoOfNothing(on page: PageToken) -> PageInfoDTO { signals.infoOfNothing(on: page, first: first) }

    /// The first page alone is known to stand before another one: that which it leads to.
    public func before(_ page: PageToken, firstHas length: Int?) -> PageToken? { page == .first ? nil : .first }
}

extension NextURLPagination: DeclaredPagination {
    static let name = "nextURL"
    static let summary = "Each page says the URL of the next one."
    static let keys =
        [CatalogKey("take", .word(["query"]), "Only the URL's query is taken, and laid over the list's own.")]
        + ListSignals.keys(
            next: CatalogKey("next", .answerSelector, "Where the URL of the next page is found.", isRequired: true))

    static func decode(_ object: CatalogObject) -> NextURLPagination? {
        object.required("next")
        let next = object.answerSelector("next")
        let previous = object.answerSelector("previous")
        let takesQuery = object.value("take", "\"query\"") { $0.isString("query") ? true : nil }
        let signals = ListSignals.decode(object, namesPages: true)
        return next.map {
            NextURLPagination(next: $0, previous: previous, takesQuery: takesQuery ?? false, signals: signals)
        }
    }
}
