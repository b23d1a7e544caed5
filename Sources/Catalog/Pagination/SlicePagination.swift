import JSON
import Model

/// The pagination style `slice`: one response contains all items, and Larder cuts it into pages.
public struct SlicePagination: PaginationContract {
    /// The number of items on a page.
    public let size: Int
    /// The name of the query parameter or variable that sends the page size; nil if the size is not sent.
    var parameter: String?

    public var form: PageForm { .number(from: 1) }
    public var first: PageToken { .number(1) }
    public var slices: SlicePagination? { self }

    /// Returns the parameters of the request. All pages have the same parameters, because each request fetches all
    /// items.
    public func parameters(of page: PageToken) -> [ListParameter] {
        parameter.map { [ListParameter($0, .integer(size))] } ?? []
    }

    /// Returns the page info of the requested page. The response contains all items of the list.
    public func info(of answer: ListAnswer) throws(APIError) -> PageInfoDTO {
        try info(of: answer.page, among: answer.items.count)
    }

    /// Returns the page info of the page with the given number.
    ///
    /// - Parameters:
    ///   - page: the number of the page.
    ///   - count: the number of all items.
    /// - Throws: `APIError.notFound` for a page past the end.
    public func info(of page: PageToken, among count: Int) throws(APIError) -> PageInfoDTO {
        let pages = (count + size - 1) / size
        guard case .number(let number) = page, number <= max(1, pages) else { throw .pastTheEnd(page) }
        return PageInfoDTO(
            current: page, pages: pages, count: count, next: number < pages ? .number(number + 1) : nil,
            previous: number > 1 ? .number(number - 1) : nil)
    }

    public func emptyPageInfo(on page: PageToken) -> PageInfoDTO { PageInfoDTO(current: page, pages: 0, count: 0) }
}

extension SlicePagination: DeclaredPagination {
    static let name = "slice"
    static let summary = "One response contains all items; Larder cuts it into pages."
    static let keys = [
        CatalogKey(
            "size", .either([.integer(1...100_000), .part(.pageSize)]), "The number of items on a page.",
            isRequired: true)
    ]

    static func decode(_ object: CatalogObject) -> SlicePagination? {
        object.required("size")
        if object["size"]?.kind == .object {
            return ListSignals.size(in: object).map { SlicePagination(size: $0.value, parameter: $0.parameter) }
        }
        return object.integer("size", in: 1...100_000).map { SlicePagination(size: $0) }
    }
}
