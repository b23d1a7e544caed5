import JSON
import Model

/// The pagination style `offset`: a page is requested by its offset, which is the number of items before the page.
public struct OffsetPagination: PaginationContract {
    /// The name of the query parameter or variable that sends the offset.
    let parameter: String
    var signals = ListSignals()

    public var form: PageForm { .number(from: 0) }
    public var first: PageToken { .number(0) }

    public func parameters(of page: PageToken) -> [ListParameter] {
        [ListParameter(parameter, page.json)] + signals.parameters
    }

    /// Returns the page info. The next page starts after the received items, because an API may return fewer items than
    /// requested.
    public func info(of answer: ListAnswer) throws(APIError) -> PageInfoDTO {
        guard case .number(let offset) = answer.page else { return emptyPageInfo(on: answer.page) }
        let pages = try answer.count(at: signals.pages)
        let count = try answer.count(at: signals.count)
        let isEmpty = answer.items.isEmpty
        let reportsMore = isEmpty ? try signals.reportsMore(answer, isLast: nil) : false
        if isEmpty, pages == nil, count == nil, !reportsMore { return emptyPageInfo(on: answer.page) }
        let (end, isTooLarge) = offset.addingReportingOverflow(answer.items.count)
        let reportsEnd = try signals.isEnd(answer)
        // If more items arrived than the count reports, the count is wrong and does not end the list.
        let isEnd = reportsEnd || isEmpty || isTooLarge || end == count
        var info = PageInfoDTO(
            current: answer.page, pages: pages, count: count, next: isEnd ? nil : .number(end),
            previous: signals.hasPrevious(answer) ? before(answer.page, firstPageCount: nil) : nil)
        let isUncertain = answer.page == first ? try signals.hasUncertainEnd(answer, by: signals.next) : false
        info.isEndUncertain = reportsMore || isUncertain
        return info
    }

    public func emptyPageInfo(on page: PageToken) -> PageInfoDTO { signals.emptyPageInfo(on: page, first: first) }

    public var lacksEndSignal: Bool { signals.cannotReportEnd }

    public var endsAtShorterPage: Bool { signals.cannotReportEnd && signals.count == nil }

    /// Returns the offset of the previous page: the current offset minus the number of items on the first page. If this
    /// number is unknown, the requested page size is used instead. Nil for the first page, or if both numbers are
    /// unknown.
    public func before(_ page: PageToken, firstPageCount length: Int?) -> PageToken? {
        guard case .number(let offset) = page, offset > 0, let length = length ?? signals.size?.value, length > 0 else {
            return nil
        }
        return .number(max(0, offset - length))
    }
}

extension OffsetPagination: DeclaredPagination {
    static let name = "offset"
    static let summary = "Pages are requested by the number of items before them."
    static let keys =
        [CatalogKey("param", .text, "The query parameter or variable that sends the number.", isRequired: true)]
        + ListSignals.keys

    static func decode(_ object: CatalogObject) -> OffsetPagination? {
        let parameter = object.requiredText("param")
        let signals = ListSignals.decode(object)
        return parameter.map { OffsetPagination(parameter: $0, signals: signals) }
    }
}
