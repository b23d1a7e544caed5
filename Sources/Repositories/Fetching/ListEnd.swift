import Catalog
import Model

/// The end of a list whose API does not state that a page was the last: it refuses the page after it, or returns the
/// last page again.
struct ListEnd: Sendable {
    let style: any PaginationContract

    /// The relation of a page to the one before it.
    enum Finding: Equatable {
        /// Another page of the list.
        case another
        /// The list's last page.
        case last
        /// The same page again.
        case repeated
    }

    /// Whether an answer is to be compared with the page before it.
    func isCompared(_ dto: PageDTO, on page: PageToken) -> Bool {
        page != style.first && !dto.items.isEmpty && style.before(page, firstHas: 1) != nil
    }

    /// Compares a page of `count` received items with the one before it.
    func compare(_ page: PageEntity, of count: Int, on token: PageToken, with before: AdjacentPage) -> Finding {
        if !page.ids.isEmpty, page.ids == before.page.ids { return .repeated }
        // Items that were left out of a page have come all the same, so it is the offsets that tell its length.
        guard style.endsWithFewerItems, case .number(let start) = token, case .number(let other) = before.token else {
            return .another
        }
        return count < start - other ? .last : .another
    }

    /// The error for a page that comes again, although the API could state that the list has ended.
    static var repeated: APIError {
        APIError(
            .invalidResponse, "the page has the items of the one before it: does the API know the page's parameter?")
    }
}
