import JSON
import Model

/// The requirements for a pagination style. A style defines page tokens, requests a page, and reads the page info of a
/// response.
public protocol PaginationContract: Equatable, Sendable {
    /// The kind of page tokens that the style accepts.
    var form: PageForm { get }
    /// The token of the first page.
    var first: PageToken { get }

    /// Returns the query parameters or variables that request a page. These parameters replace constant parameters with
    /// the same names.
    ///
    /// - Parameter page: a token in the form of the pagination style, or the first page.
    /// - Throws: `APIError.invalidRequest` for a token that cannot come from a page of the list.
    func parameters(of page: PageToken) throws(APIError) -> [ListParameter]

    /// Returns the path and query of a page's URL. Nil if the style requests pages by parameters instead.
    ///
    /// - Parameter page: a token in the form of the pagination style, or the first page.
    /// - Throws: `APIError.invalidRequest` for a token that cannot come from a page of the list.
    func target(of page: PageToken) throws(APIError) -> String?

    /// Whether the style reads URLs of pages from responses. If true, the style cannot be used over GraphQL.
    static var usesURLs: Bool { get }

    /// Whether the API never reports which page is the last. Larder then continues until a request fails or the API
    /// returns the last page again.
    var lacksEndSignal: Bool { get }

    /// Returns the probable previous page. Nil if the previous page is unknown, or if the current page is the first.
    ///
    /// - Parameters:
    ///   - page: the token of the current page.
    ///   - length: the number of items on the first page; nil if it is unknown.
    func before(_ page: PageToken, firstPageCount length: Int?) -> PageToken?

    /// Whether a page with fewer items than the previous page counts as the last page. True only if the API does not
    /// report the end of the list in any other way.
    var endsAtShorterPage: Bool { get }

    /// The settings for cutting a response with all items into pages. Nil if each response is one page.
    var slices: SlicePagination? { get }

    /// Returns the page info of a response: the next and previous pages, and the counts. An empty page can have a next
    /// page, so it need not be the end of the list.
    ///
    /// - Throws: `APIError.notFound` for a page past the end; `APIError.decodingFailed` with the path of an unexpected
    ///   value.
    func info(of answer: ListAnswer) throws(APIError) -> PageInfoDTO

    /// Returns the page info to use for an empty page whose response contains no page info.
    func emptyPageInfo(on page: PageToken) -> PageInfoDTO
}
