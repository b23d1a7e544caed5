import Catalog
import Model

/// Detects the end of a list whose API does not mark the last page. Such an API refuses the next page, or returns the
/// last page again.
struct ListEnd: Sendable {
    let style: any PaginationContract

    /// The relation of a page to the previous page.
    enum Finding: Equatable {
        /// A page with other items, which need not be the last page.
        case another
        /// The last page of the list.
        case last
        /// A page with the same items as the previous page.
        case repeated
    }

    /// Returns whether an answer must be compared with the previous page.
    func isCompared(_ dto: PageDTO, on page: PageToken) -> Bool {
        page != style.first && !dto.items.isEmpty && style.before(page, firstPageCount: 1) != nil
    }

    /// Compares a page with the previous page.
    ///
    /// - Parameter count: the number of items received, including those that the page leaves out.
    func compare(_ page: PageEntity, of count: Int, on token: PageToken, with before: AdjacentPage) -> Finding {
        if !page.ids.isEmpty, page.ids == before.page.ids { return .repeated }
        // A page may leave out items that were received, so only the offsets show how many items the previous page had.
        guard style.endsAtShorterPage, case .number(let start) = token, case .number(let other) = before.token else {
            return .another
        }
        return count < start - other ? .last : .another
    }

    /// The error for an API that repeats a page although it can mark the end of a list.
    static var repeated: APIError {
        APIError(
            .invalidResponse,
            "the API returned the items of the previous page again: it may not know the page parameter; check"
                + " \"pagination\" in the catalog")
    }
}
