import JSON
import Model

/// A style of pages: what names a page, how one is asked for, and where an answer stands in its list.
public protocol PaginationContract: Equatable, Sendable {
    /// What may name a page.
    var form: PageForm { get }
    /// The page that a list begins with.
    var first: PageToken { get }

    /// The query parameters, or the variables, that ask for a page. They take the place of constants of their names.
    ///
    /// - Parameter page: a page of this form, or the first.
    /// - Throws: `APIError.invalidRequest` for a page that has the form, and that the list cannot have given.
    func parameters(of page: PageToken) throws(APIError) -> [ListParameter]

    /// Path and query of the URL that asks for a page; nil where parameters do.
    ///
    /// - Parameter page: a page of this form, or the first.
    /// - Throws: `APIError.invalidRequest` for a page that has the form, and that the list cannot have given.
    func target(of page: PageToken) throws(APIError) -> String?

    /// Whether an answer can name pages by URLs; over GraphQL none can.
    static var usesURLs: Bool { get }

    /// Whether the API cannot say that a page was the last: it then refuses the page after it, or repeats the last one.
    var endsSilently: Bool { get }

    /// Which page may stand before one; nil where that cannot be told.
    ///
    /// - Parameter length: how many items the first page has; nil where that is not known.
    func before(_ page: PageToken, firstHas length: Int?) -> PageToken?

    /// Whether a page with fewer items than the one before is the last, as nothing else says so.
    var endsWithFewerItems: Bool { get }

    /// How an answer that has all items is cut into pages; nil where an answer is a page.
    var slices: SlicePagination? { get }

    /// Where the page that came stands in its list. A walk goes on where there is a next page, also past one that is
    /// empty.
    ///
    /// - Throws: `APIError.notFound` for a page past the end; `.decodingFailed` with the path of what is at fault.
    func info(of answer: ListAnswer) throws(APIError) -> PageInfoDTO

    /// Where a page stands of which the API says no more than that nothing is there.
    func infoOfNothing(on page: PageToken) -> PageInfoDTO
}
