import JSON
import Model

/// The contract of a pagination style: the tokens of pages, the requests for pages, and the page info of responses.
public protocol PaginationContract: Equatable, Sendable {
    /// The form of page tokens.
    var form: PageForm { get }
    /// The token of the first page.
    var first: PageToken { get }

    /// Returns the query parameters or variables that request a page. They replace constants with the same names.
    ///
    /// - Parameter page: a token of the style's form, or the first page.
    /// - Throws: `APIError.invalidRequest` for a token of this form that cannot come from a page of the list.
    func parameters(of page: PageToken) throws(APIError) -> [ListParameter]

    /// Returns the path and query of a page's URL; nil if parameters request the page.
    ///
    /// - Parameter page: a token of the style's form, or the first page.
    /// - Throws: `APIError.invalidRequest` for a token of this form that cannot come from a page of the list.
    func target(of page: PageToken) throws(APIError) -> String?

    /// Whether the style reads URLs of pages from responses. Such a style cannot be used over GraphQL.
    static var usesURLs: Bool { get }

    /// Whether the API cannot report that a page is the last. It then refuses the following page, or repeats the last
    /// one.
    var lacksEndSignal: Bool { get }

    /// Returns the page that may precede another page; nil if it is unknown.
    ///
    /// - Parameters:
    ///   - page: the page whose predecessor is wanted.
    ///   - length: the number of items on the first page; nil if it is unknown.
    func before(_ page: PageToken, firstPageCount length: Int?) -> PageToken?

    /// Whether a page with fewer items than the previous page is the last. This is so if the API reports the end in no
    /// other way.
    var endsAtShorterPage: Bool { get }

    /// The pagination that cuts a response with all items into pages; nil if each response is one page.
    var slices: SlicePagination? { get }

    /// Returns the page info of a response: its neighbouring pages and counts. An empty page with a next page does not
    /// end the list.
    ///
    /// - Throws: `APIError.notFound` for a page past the end; `.decodingFailed` with the path of an unexpected value.
    func info(of answer: ListAnswer) throws(APIError) -> PageInfoDTO

    /// Returns the page info for an empty page without further information from the API.
    func emptyPageInfo(on page: PageToken) -> PageInfoDTO
}
