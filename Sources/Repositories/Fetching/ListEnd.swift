import Catalog
import Model

/// Detects the end of a list if the API does not mark the last page. Such an API rejects the request for the next page,
/// or returns the last page again.
struct ListEnd: Sendable {
    let style: any PaginationContract

    /// The result of comparing a page with the previous page.
    enum Finding: Equatable {
        /// The page differs from the previous page. It is not known whether further pages follow.
        case another
        /// The page is the last page of the list.
        case last
        /// The page contains the same items as the previous page.
        case repeated
    }

    /// Returns whether a page must be compared with the previous page to find the end of the list.
    func isCompared(_ dto: PageDTO, on page: PageToken) -> Bool {
        page != style.first && !dto.items.isEmpty && style.before(page, firstPageCount: 1) != nil
    }

    /// Compares a page with the previous page, to find the end of the list.
    ///
    /// - Parameter count: the number of received items, including skipped items.
    func compare(_ page: PageEntity, of count: Int, on token: PageToken, with before: AdjacentPage) -> Finding {
        if !page.ids.isEmpty, page.ids == before.page.ids { return .repeated }
        // Only the offsets show the number of items on the previous page, because a page may omit received items.
        guard style.endsAtShorterPage, case .number(let start) = token, case .number(let other) = before.token else {
            return .another
        }
        return count < start - other ? .last : .another
    }

    /// The error for a repeated page. Used only if the API reports which page is the last. Otherwise, a repeated page
    /// marks the end of the list.
    static var repeated: APIError {
        APIError(
            .invalidResponse,
            "the API returned the items of the previous page again: it may not know the page parameter; check"
                + " \"pagination\" in the catalog")
    }
}
