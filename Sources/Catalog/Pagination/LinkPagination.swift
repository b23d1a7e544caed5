import JSON
import Model

/// The pagination style `link`: the header field `Link` of each page contains the URL of the next page (RFC 8288).
public struct LinkPagination: PaginationContract {
    var signals = ListSignals()

    public var form: PageForm { .opaque }
    public var first: PageToken { .first }
    public static var usesURLs: Bool { true }

    public func parameters(of page: PageToken) -> [ListParameter] { signals.parameters }

    public func target(of page: PageToken) throws(APIError) -> String? {
        if page == .first { return nil }
        guard case .opaque(let text) = page else { throw Cursor.unknown(page) }
        return text
    }

    public func info(of answer: ListAnswer) throws(APIError) -> PageInfoDTO {
        let links = answer.headers.filter { $0.isNamed("Link") }.flatMap { WebLink.read($0.value) }
        let isEnd = try signals.isEnd(answer)
        return PageInfoDTO(
            current: answer.page, pages: try answer.count(at: signals.pages),
            count: try answer.count(at: signals.count),
            next: isEnd ? nil : try answer.token(of: Self.url(["next"], in: links)),
            previous: signals.hasPrevious(answer)
                ? try answer.token(of: Self.url(["prev", "previous"], in: links)) : nil)
    }

    /// Returns the URL of the first link that has one of the relations, such as `next`. Skips links with
    /// `results="false"`, which lead to an empty page.
    private static func url(_ relations: [String], in links: [WebLink]) -> String? {
        links.first { link in relations.contains { link.relations.contains($0) } && link["results"] != "false" }?.url
    }

    public func emptyPageInfo(on page: PageToken) -> PageInfoDTO { signals.emptyPageInfo(on: page, first: first) }

    /// Returns a guess at the previous page, for APIs that do not report it. The guess is always the first page. Nil if
    /// the given page is the first.
    public func before(_ page: PageToken, firstPageCount length: Int?) -> PageToken? { page == .first ? nil : .first }
}

extension LinkPagination: DeclaredPagination {
    static let name = "link"
    static let summary = "The header field Link contains the URL of the next page (RFC 8288)."
    static let keys = ListSignals.keys

    static func decode(_ object: CatalogObject) -> LinkPagination? {
        LinkPagination(signals: ListSignals.decode(object))
    }
}
