import JSON
import Model

/// The pagination style `page`: pages are requested by their numbers.
public struct PageNumberPagination: PaginationContract {
    /// The name of the query parameter or variable that sends the page number.
    let parameter: String
    /// The number of the first page; at least 0.
    var firstNumber = 1
    var signals = ListSignals()

    public var form: PageForm { .number(from: firstNumber) }
    public var first: PageToken { .number(firstNumber) }

    public func parameters(of page: PageToken) -> [ListParameter] {
        [ListParameter(parameter, page.json)] + signals.parameters
    }

    /// Returns the page info. If the API reports the number of pages, this number determines the last page. Otherwise
    /// the list ends at the first empty page.
    public func info(of answer: ListAnswer) throws(APIError) -> PageInfoDTO {
        guard case .number(let number) = answer.page else { return emptyPageInfo(on: answer.page) }
        let pages = try answer.count(at: signals.pages)
        let count = try answer.count(at: signals.count)
        // The number of pages from the first page to the requested page.
        let (done, isTooLarge) = (number - firstNumber).addingReportingOverflow(1)
        if answer.items.isEmpty {
            // The page does not exist if the catalog declares both counts and the response contains neither. If only
            // `pages` is missing, the API probably never reports it, so the list ends at this page.
            let reportsNothing = signals.pages != nil && signals.count != nil && count == nil
            let isPastTheEnd =
                pages.map { isTooLarge || done > max(1, $0) }
                ?? (reportsNothing && !answer.isFiltered && number > firstNumber)
            if isPastTheEnd { throw .pastTheEnd(answer.page) }
            if pages == nil, count == nil, try !signals.reportsMore(answer, isLast: nil) {
                return emptyPageInfo(on: answer.page)
            }
        }
        // `number < Int.max` avoids an overflow if the number of pages is unknown.
        let reportsEnd = try signals.isEnd(answer)
        let isEnd = reportsEnd || answer.items.isEmpty || isTooLarge
        let hasNext =
            !isEnd && number < Int.max && done < pages ?? Int.max && !isLast(answer, after: done - 1, of: count)
        var info = PageInfoDTO(
            current: answer.page, pages: pages, count: count, next: hasNext ? .number(number + 1) : nil,
            previous: number > firstNumber && signals.hasPrevious(answer) ? .number(number - 1) : nil)
        if answer.items.isEmpty {
            info.isEndUncertain = try signals.reportsMore(answer, isLast: pages.map { isTooLarge || done >= $0 })
        } else if number == firstNumber {
            info.isEndUncertain = try signals.hasUncertainEnd(answer, by: signals.next)
        }
        return info
    }

    /// Whether the requested page is the last, according to `count`, the number of items in the list. Assumes that all
    /// previous pages have the requested size. False if the count or the page size is unknown.
    private func isLast(_ answer: ListAnswer, after before: Int, of count: Int?) -> Bool {
        guard let count, let size = signals.size?.value else { return false }
        let (seen, isTooLarge) = before.multipliedReportingOverflow(by: size)
        return !isTooLarge && seen <= count && count - seen == answer.items.count
    }

    public func emptyPageInfo(on page: PageToken) -> PageInfoDTO { signals.emptyPageInfo(on: page, first: first) }

    public var lacksEndSignal: Bool { signals.cannotReportEnd }

    public func before(_ page: PageToken, firstPageCount length: Int?) -> PageToken? {
        if case .number(let number) = page, number > firstNumber { .number(number - 1) } else { nil }
    }
}

extension PageNumberPagination: DeclaredPagination {
    static let name = "page"
    static let summary = "Pages are requested by their numbers."
    static let keys =
        [
            CatalogKey("param", .text, "The query parameter or variable that sends the number.", isRequired: true),
            CatalogKey("first", .integer(0...1_000_000), "The number of the first page.", standard: 1),
        ] + ListSignals.keys

    static func decode(_ object: CatalogObject) -> PageNumberPagination? {
        let parameter = object.requiredText("param")
        let first = object.integer("first", in: 0...1_000_000)
        let signals = ListSignals.decode(object)
        return parameter.map { PageNumberPagination(parameter: $0, firstNumber: first ?? 1, signals: signals) }
    }
}
