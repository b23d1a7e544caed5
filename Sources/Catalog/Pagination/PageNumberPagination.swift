import JSON
import Model

/// The style `page`: pages with numbers.
public struct PageNumberPagination: PaginationContract {
    /// The query parameter, or the variable, that takes the number.
    let parameter: String
    /// The number of the first page, at least 0.
    var least = 1
    var signals = ListSignals()

    public var form: PageForm { .number(from: least) }
    public var first: PageToken { .number(least) }

    public func parameters(of page: PageToken) -> [ListParameter] {
        [ListParameter(parameter, page.json)] + signals.parameters
    }

    /// An API that numbers its pages says so when one lies behind the last; one that does not is walked until a page is
    /// empty.
    public func info(of answer: ListAnswer) throws(APIError) -> PageInfoDTO {
        guard case .number(let number) = answer.page else { return infoOfNothing(on: answer.page) }
        let pages = try answer.count(at: signals.pages)
        let count = try answer.count(at: signals.count)
        // How many pages there are up to this one.
        let (done, isTooLarge) = (number - least).addingReportingOverflow(1)
        if answer.items.isEmpty {
            // An API that counts both may say neither of a page that there is not. One that does not fill in `pages`
            // alone has been walked over until here.
            let saysNothing = signals.pages != nil && signals.count != nil && count == nil
            let isPastTheEnd =
                pages.map { isTooLarge || done > max(1, $0) }
                ?? (saysNothing && !answer.isFiltered && number > least)
            if isPastTheEnd { throw .pastTheEnd(answer.page) }
            if pages == nil, count == nil, try !signals.saysMore(answer, isLast: nil) {
                return infoOfNothing(on: answer.page)
            }
        }
        // Also where nothing says how many pages there are, the number after it is one that can be said.
        let saysEnd = try signals.isEnd(answer)
        let isEnd = saysEnd || answer.items.isEmpty || isTooLarge
        let hasNext =
            !isEnd && number < Int.max && done < pages ?? Int.max && !isLast(answer, after: done - 1, of: count)
        var info = PageInfoDTO(
            current: answer.page, pages: pages, count: count, next: hasNext ? .number(number + 1) : nil,
            previous: number > least && signals.hasPrevious(answer) ? .number(number - 1) : nil)
        if answer.items.isEmpty {
            info.isEndUncertain = try signals.saysMore(answer, isLast: pages.map { isTooLarge || done >= $0 })
        } else if number == least {
            info.isEndUncertain = try signals.isEndDoubtful(answer, by: signals.next)
        }
        return info
    }

    /// Whether the items are exactly those that are left. Of an API that gives less than it is asked for, the size says
    /// nothing: its pages are walked until one is empty.
    private func isLast(_ answer: ListAnswer, after before: Int, of count: Int?) -> Bool {
        guard let count, let size = signals.size?.value else { return false }
        let (seen, isTooLarge) = before.multipliedReportingOverflow(by: size)
        return !isTooLarge && seen <= count && count - seen == answer.items.count
    }

    public func infoOfNothing(on page: PageToken) -> PageInfoDTO { signals.infoOfNothing(on: page, first: first) }

    public var endsSilently: Bool { signals.areSilentOfTheEnd }

    public func before(_ page: PageToken, firstHas length: Int?) -> PageToken? {
        if case .number(let number) = page, number > least { .number(number - 1) } else { nil }
    }
}

extension PageNumberPagination: DeclaredPagination {
    static let name = "page"
    static let summary = "Pages with numbers."
    static let keys =
        [
            CatalogKey("param", .text, "The query parameter, or the variable, of the number.", isRequired: true),
            CatalogKey("first", .integer(0...1_000_000), "The number of the first page.", standard: 1),
        ] + ListSignals.keys

    static func decode(_ object: CatalogObject) -> PageNumberPagination? {
        let parameter = object.requiredText("param")
        let first = object.integer("first", in: 0...1_000_000)
        let signals = ListSignals.decode(object)
        return parameter.map { PageNumberPagination(parameter: $0, least: first ?? 1, signals: signals) }
    }
}
