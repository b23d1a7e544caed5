import JSON
import Model

/// The pagination of a list without a declared pagination: the list is a single page. Larder cannot detect more pages.
public struct SinglePage: PaginationContract {
    public init() {}

    /// The form of page tokens: page numbers. Page 1 is the only page.
    public var form: PageForm { .number(from: 1) }
    public var first: PageToken { .number(1) }

    /// Returns no parameters, because there is only one page.
    public func parameters(of page: PageToken) -> [ListParameter] { [] }

    public func info(of answer: ListAnswer) throws(APIError) -> PageInfoDTO {
        guard answer.page == first else { throw .pastTheEnd(answer.page) }
        return PageInfoDTO(current: first)
    }
}

extension APIError {
    /// Returns the error for a page past the end of the list.
    static func pastTheEnd(_ page: PageToken) -> APIError {
        APIError(.notFound, "page \(page.json.text) is past the end of the list; request an earlier page")
    }
}
