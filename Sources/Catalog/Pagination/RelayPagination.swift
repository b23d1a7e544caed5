import JSON
import Model

/// The pagination style `relay`: a list is a connection with `pageInfo { hasNextPage endCursor }` (GraphQL Cursor
/// Connections Specification).
public struct RelayPagination: PaginationContract {
    /// The name of the variable or query parameter that contains the cursor.
    let parameter: String
    /// The selector that finds the object with `hasNextPage` and `endCursor` in a response.
    let pageInfo: JSONSelector
    var signals = ListSignals()

    public var form: PageForm { .opaque }
    public var first: PageToken { .first }

    public func parameters(of page: PageToken) throws(APIError) -> [ListParameter] {
        guard let cursor = try Cursor(page) else { return signals.parameters }
        return signals.parameters + [ListParameter(parameter, cursor.value)]
    }

    public func info(of answer: ListAnswer) throws(APIError) -> PageInfoDTO {
        guard case .object(let info)? = answer.value(at: .body(pageInfo)) else {
            throw answer.unexpected("an object", at: pageInfo)
        }
        guard case .bool(let hasNext)? = info["hasNextPage"] else {
            throw answer.unexpected("true or false", at: pageInfo, "hasNextPage")
        }
        let next = info["endCursor"].flatMap { Cursor($0).token }
        let isEnd = try signals.isEnd(answer) || !hasNext
        if !isEnd, next == nil { throw answer.unexpected("a cursor", at: pageInfo, "endCursor") }
        return PageInfoDTO(
            current: answer.page, pages: try answer.count(at: signals.pages),
            count: try answer.count(at: signals.count),
            next: isEnd ? nil : next)
    }

    public func emptyPageInfo(on page: PageToken) -> PageInfoDTO { signals.emptyPageInfo(on: page, first: first) }

    /// Returns a guess at the previous page, for APIs that do not report it. The guess is always the first page. Nil if
    /// the given page is the first.
    public func before(_ page: PageToken, firstPageCount length: Int?) -> PageToken? { page == .first ? nil : .first }
}

extension RelayPagination: DeclaredPagination {
    static let name = "relay"
    static let summary = "Connections with pageInfo (GraphQL Cursor Connections)."
    static let keys =
        [
            CatalogKey("param", .text, "The variable that sends the cursor.", isRequired: true),
            CatalogKey(
                "pageInfo", .selector, "The selector of the object with hasNextPage and endCursor.", isRequired: true),
        ] + ListSignals.keys

    static func decode(_ object: CatalogObject) -> RelayPagination? {
        let parameter = object.requiredText("param")
        object.required("pageInfo")
        let pageInfo = object.selector("pageInfo")
        let signals = ListSignals.decode(object)
        guard let parameter, let pageInfo else { return nil }
        return RelayPagination(parameter: parameter, pageInfo: pageInfo, signals: signals)
    }
}
