import JSON
import Model

/// The style `offset`: a page is asked for by how many items stand before it.
public struct OffsetPagination: PaginationContract {
    /// The query parameter, or the variable, that takes the number.
    let parameter: String
    var signals = ListSignals()

    public var form: PageForm { .number(from: 0) }
    public var first: PageToken { .number(0) }

    public func parameters(of page: PageToken) -> [ListParameter] {
        [ListParameter(parameter, page.json)] + signals.parameters
    }

    /// The next page begins after as many items as came, whatever the size that was asked for: an API may give less.
    public func info(of answer: ListAnswer) throws(APIError) -> PageInfoDTO {
        guard case .number(let offset) = answer.page else { return infoOfNothing(on: answer.page) }
        let pages = try answer.count(at: signals.pages)
        let count = try answer.count(at: signals.count)
        let isEmpty = answer.items.isEmpty
        let saysMore = isEmpty ? try signals.saysMore(answer, isLast: nil) : false
        if isEmpty, pages == nil, count == nil, !saysMore { return infoOfNothing(on: answer.page) }
        let (end, isTooLarge) = offset.addingReportingOverflow(answer.items.count)
        let saysEnd = try signals.isEnd(answer)
        // Where more has come than is counted, the count says nothing of the end.
        let isEnd = saysEnd || isEmpty || isTooLarge || end == count
        var info = PageInfoDTO(
            current: answer.page, pages: pages, count: count, next: isEnd ? nil : .number(end),
            previous: signals.hasPrevious(answer) ? before(answer.page, firstHas: nil) : nil)
        let isDoubtful = answer.page == first ? try signals.isEndDoubtful(answer, by: signals.next) : false
        info.isEndUncertain = saysMore || isDoubtful
        return info
    }

    public func infoOfNothing(on page: PageToken) -> PageInfoDTO { signals.infoOfNothing(on: page, first: first) }

    public var endsSilently: Bool { signals.areSilentOfTheEnd }

    public var endsWithFewerItems: Bool { signals.areSilentOfTheEnd && signals.count == nil }

    /// Pages have as many items as the first, or as they were asked for.
    public func before(_ page: PageToken, firstHas length: Int?) -> PageToken? {
        guard case .number(let offset) = page, offset > 0, let length = length ?? signals.size?.value, length > 0 else {
            return nil
        }
        return .number(max(0, offset - length))
    }
}

extension OffsetPagination: DeclaredPagination {
    static let name = "offset"
    static let summary = "Pages are asked for by how many items stand before them."
    static let keys =
        [CatalogKey("param", .text, "The query parameter, or the variable, of that number.", isRequired: true)]
        + ListSignals.keys

    static func decode(_ object: CatalogObject) -> OffsetPagination? {
        let parameter = object.requiredText("param")
        let signals = ListSignals.decode(object)
        return parameter.map { OffsetPagination(parameter: $0, signals: signals) }
    }
}
