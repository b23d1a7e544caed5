import JSON
import Model

/// The style `slice`: one answer has all items, and is cut into pages here.
public struct SlicePagination: PaginationContract {
    /// How many items a page has.
    public let size: Int
    /// The query parameter, or the variable, that takes the size; nil where none does.
    var parameter: String?

    public var form: PageForm { .number(from: 1) }
    public var first: PageToken { .number(1) }
    public var slices: SlicePagination? { self }

    /// Whatever the page, all is asked for.
    public func parameters(of page: PageToken) -> [ListParameter] {
        parameter.map { [ListParameter($0, .integer(size))] } ?? []
    }

    /// Where the page stands that is cut out of an answer with all items.
    public func info(of answer: ListAnswer) throws(APIError) -> PageInfoDTO {
        try info(of: answer.page, among: answer.items.count)
    }

    /// Where a page stands among so many items.
    ///
    /// - Throws: `APIError.notFound` for a page past the end.
    public func info(of page: PageToken, among count: Int) throws(APIError) -> PageInfoDTO {
        let pages = (count + size - 1) / size
        guard case .number(let number) = page, number <= max(1, pages) else { throw .pastTheEnd(page) }
        return PageInfoDTO(
            current: page, pages: pages, count: count, next: number < pages ? .number(number + 1) : nil,
            previous: number > 1 ? .number(number - 1) : nil)
    }

    public func infoOfNothing(on page: PageToken) -> PageInfoDTO { PageInfoDTO(current: page, pages: 0, count: 0) }
}

extension SlicePagination: DeclaredPagination {
    static let name = "slice"
    static let summary = "One answer has all items, and is cut into pages."
    static let keys = [
        CatalogKey(
            "size", .either([.integer(1...100_000), .part(.pageSize)]), "How many items a page has.", isRequired: true)
    ]

    static func decode(_ object: CatalogObject) -> SlicePagination? {
        object.required("size")
        if object["size"]?.kind == .object {
            return ListSignals.size(in: object).map { SlicePagination(size: $0.value, parameter: $0.parameter) }
        }
        return object.integer("size", in: 1...100_000).map { SlicePagination(size: $0) }
    }
}
