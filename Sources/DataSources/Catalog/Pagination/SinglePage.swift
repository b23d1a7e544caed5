import JSON

/// No pagination: the list is in one piece.
public struct SinglePage: PaginationContract {
    /// A list in one piece.
    public init() {}

    /// The page has the number 1, and nothing else names one.
    public var form: PageForm { .number(from: 1) }
    public var first: PageToken { .number(1) }

    /// The page is not asked for by its number.
    public func parameters(of page: PageToken) -> [ListParameter] { [] }

    public func info(of answer: ListAnswer) throws(APIError) -> PageInfoDTO {
        guard answer.page == first else { throw .pastTheEnd(answer.page) }
        return PageInfoDTO(current: first, pages: 1, count: answer.items.count)
    }
}

extension APIError {
    /// The error for a page that a list does not have any more.
    static func pastTheEnd(_ page: PageToken) -> APIError {
        APIError(.notFound, "page \(page.json.text) lies behind the list's last")
    }
}
