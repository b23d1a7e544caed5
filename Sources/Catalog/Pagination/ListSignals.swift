import JSON
import Model

/// The settings that most pagination styles share: the page size, the selectors of counts, and the selectors that show
/// whether the list ends.
struct ListSignals: Equatable, Sendable {
    static let keys = keys()

    /// Returns the definitions of the catalog keys for the settings that most pagination styles share.
    ///
    /// - Parameter next: the definition of the key `next`.
    static func keys(next: CatalogKey = nextIndicator) -> [CatalogKey] {
        [
            CatalogKey("size", .part(.pageSize), "The page size, and the parameter that sends it."),
            CatalogKey("count", .answerSelector, "The selector of the number of items in the list."),
            CatalogKey("pages", .answerSelector, "The selector of the number of pages."),
            CatalogKey("more", .answerSelector, "The selector of a boolean that is true if there are more pages."),
            CatalogKey("last", .answerSelector, "The selector of a boolean that is true on the last page."), next,
            CatalogKey(
                "previous", .answerSelector, "The selector of a value that is present if there is a previous page."),
            CatalogKey(
                "in", .word(["query", "body"]),
                "The part of a POST that carries the page's parameters; default: the body."),
        ]
    }

    static let nextIndicator = CatalogKey(
        "next", .answerSelector, "The selector of a value that is present if there is a next page.")

    /// The requested page size; nil if requests send no page size.
    var size: Size?
    /// The selector that finds the item count of the list in a response.
    var count: AnswerSelector?
    /// The selector that finds the page count of the list in a response.
    var pages: AnswerSelector?
    /// The selector of a boolean that is true if there are more pages.
    var more: AnswerSelector?
    /// The selector of a boolean that is true on the last page.
    var last: AnswerSelector?

    /// The selector of a value that a response contains only if there is a next page. Nil if the pagination style uses
    /// the catalog key `next` for a page token.
    var next: AnswerSelector?
    /// The selector of a value that a response contains only if there is a previous page.
    var previous: AnswerSelector?

    /// The requested page size, and the request parameter that contains it.
    struct Size: Equatable, Sendable {
        let parameter: String
        let value: Int
    }

    /// The parameters that every request of the list sends: the page size, if declared.
    var parameters: [ListParameter] { size.map { [ListParameter($0.parameter, .integer($0.value))] } ?? [] }

    /// Whether the response reports that its page is the last page of the list.
    ///
    /// - Throws: `APIError.decodingFailed` if `more` or `last` selects a value that is not a boolean.
    func isEnd(_ answer: ListAnswer) throws(APIError) -> Bool {
        let more = try answer.flag(at: more)
        let last = try answer.flag(at: last)
        return more == false || last == true || !isPresent(next, in: answer)
    }

    /// Whether the response reports that the list has more pages.
    ///
    /// - Parameter isLast: whether this is the last page according to the reported number of pages; nil if the API does
    ///   not report this number.
    func reportsMore(_ answer: ListAnswer, isLast: Bool?) throws(APIError) -> Bool {
        if try isEnd(answer) { return false }
        let more = try answer.flag(at: more)
        let last = try answer.flag(at: last)
        return isLast == false || next != nil || more == true || last == false
    }

    /// Whether the end of the list is uncertain. True if the page is full, `next` selects no value, and nothing else
    /// reports the end. The selector `next` may then be misspelled.
    func hasUncertainEnd(_ answer: ListAnswer, by next: AnswerSelector?) throws(APIError) -> Bool {
        guard let size, let next, answer.items.count == size.value, answer.value(at: next) == nil else { return false }
        let more = try answer.flag(at: more)
        let last = try answer.flag(at: last)
        let pages = try answer.count(at: pages)
        return more != false && last != true && pages == nil
    }

    /// Whether the page may have a previous page. False only if the catalog declares `previous` and the response has no
    /// value for it.
    func hasPrevious(_ answer: ListAnswer) -> Bool { isPresent(previous, in: answer) }

    /// Whether responses never report the end of the list. True if the catalog declares none of `pages`, `more`, `last`
    /// and `next`.
    var cannotReportEnd: Bool { pages == nil && more == nil && last == nil && next == nil }

    private func isPresent(_ selector: AnswerSelector?, in answer: ListAnswer) -> Bool {
        guard let selector else { return true }
        return answer.value(at: selector).flatMap { Cursor($0).token } != nil
    }

    /// Returns the page info for an empty page whose response contains no page info. On the first page, each count that
    /// the catalog declares is 0. On later pages, counts are unknown.
    func emptyPageInfo(on page: PageToken, first: PageToken) -> PageInfoDTO {
        guard page == first || page == .first else { return PageInfoDTO(current: page) }
        return PageInfoDTO(current: page, pages: pages.map { _ in 0 }, count: count.map { _ in 0 })
    }

    /// Decodes the settings of `ListSignals` from a `pagination` object.
    ///
    /// - Parameter areTokens: whether the values of `next` and `previous` are page tokens. If true, this function skips
    ///   the two keys, because the pagination style decodes them.
    static func decode(_ object: CatalogObject, areTokens: Bool = false) -> ListSignals {
        var signals = ListSignals(
            size: size(in: object), count: object.answerSelector("count"), pages: object.answerSelector("pages"),
            more: object.answerSelector("more"), last: object.answerSelector("last"))
        if !areTokens {
            signals.next = object.answerSelector("next")
            signals.previous = object.answerSelector("previous")
        }
        if signals.more != nil, signals.last != nil, let last = object["last"] {
            object.reader.fault("\(object.what) has both 'more' and 'last'; remove one of them", at: last)
        }
        return signals
    }

    /// Decodes the page size: `{"param": NAME, "value": NUMBER}`. Returns nil after an error.
    static func size(in object: CatalogObject) -> Size? {
        guard let view = object["size"],
            let size = object.reader.object(view, "'size' of \(object.what)", .pageSize)
        else {
            return nil
        }
        let parameter = size.requiredText("param")
        size.required("value")
        let value = size.integer("value", in: 1...100_000)
        guard let parameter, let value else { return nil }
        return Size(parameter: parameter, value: value)
    }
}
