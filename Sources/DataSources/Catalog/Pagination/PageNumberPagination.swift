import JSON

/// The style `page`: pages with numbers from 1.
public struct PageNumberPagination: PaginationContract {
    /// The query parameter, or the variable, that takes the number.
    let parameter: String
    /// Where the answer says how many pages there are.
    var pages: AnswerSelector?
    /// Where the answer says how many items there are.
    var count: AnswerSelector?

    public var form: PageForm { .number(from: 1) }
    public var first: PageToken { .number(1) }

    public func parameters(of page: PageToken) -> [ListParameter] { [ListParameter(parameter, page.json)] }

    /// An API that numbers its pages says so when one lies behind the last; one that does not is walked until a page is
    /// empty.
    public func info(of answer: ListAnswer) throws(APIError) -> PageInfoDTO {
        guard case .number(let number) = answer.page else { return infoOfNothing(on: answer.page) }
        let pages = try answer.count(at: pages)
        let count = try answer.count(at: count)
        if answer.items.isEmpty {
            let isPastTheEnd =
                pages.map { number > max(1, $0) } ?? (self.pages != nil && !answer.isFiltered && number > 1)
            if isPastTheEnd { throw .pastTheEnd(answer.page) }
            if pages == nil { return infoOfNothing(on: answer.page) }
        }
        // Also where nothing says how many pages there are, the number after it is one that can be said.
        let hasNext = !answer.items.isEmpty && number < pages ?? Int.max
        return PageInfoDTO(
            current: answer.page, pages: pages, count: count, next: hasNext ? .number(number + 1) : nil,
            previous: number > 1 ? .number(number - 1) : nil)
    }

    /// What the API would say of it, it says: no pages, no items.
    public func infoOfNothing(on page: PageToken) -> PageInfoDTO {
        PageInfoDTO(current: page, pages: pages.map { _ in 0 }, count: count.map { _ in 0 })
    }
}

extension PageNumberPagination: DeclaredPagination {
    static let name = "page"
    static let keys = ["param", "pages", "count"]

    static func decode(_ object: CatalogObject) -> PageNumberPagination? {
        let parameter = object.requiredText("param")
        let pages = object.answerSelector("pages")
        let count = object.answerSelector("count")
        return parameter.map { PageNumberPagination(parameter: $0, pages: pages, count: count) }
    }
}
