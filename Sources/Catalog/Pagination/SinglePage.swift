import JSON
import Model

/// No pagination: the list is one page. It does not know whether there is more, as nobody has said how to see that.
public struct SinglePage: PaginationContract {
    /// A list of one page.
    public init() {}

    /// The page has the number 1, and nothing else names one.
    public var form: PageForm { .number(from: 1) }
    public var first: PageToken { .number(1) }

    /// The page is not asked for by its number.
    public func parameters(of page: PageToken) -> [ListParameter] { [] }

    public func info(of answer: ListAnswer) throws(APIError) -> PageInfoDTO {
        guard answer.page == first else { throw .pastTheEnd(answer.page) }
        return PageInfoDTO(current: first)
    }
}

extension APIError {
    /// The error for a page that a list does not have any more.
    static func pastTheEnd(_ page: PageToken) -> APIError {
        APIError(.notFound, "page \(page.json.text) is past the end of the list")
    }
}
