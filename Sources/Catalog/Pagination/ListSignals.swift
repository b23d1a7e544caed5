import JSON
import Model

/// What every style may have: how many items a page is asked for, and where the answer says more of the list.
struct ListSignals: Equatable, Sendable {
    static let keys = keys()

    /// What every style takes.
    ///
    /// - Parameter next: what `next` may be.
    static func keys(next: CatalogKey = isThere) -> [CatalogKey] {
        [
            CatalogKey("size", .part(.pageSize), "Asks for pages of so many items."),
            CatalogKey("count", .answerSelector, "Where the answer says how many items there are."),
            CatalogKey("pages", .answerSelector, "Where the answer says how many pages there are."),
            CatalogKey("more", .answerSelector, "Where the answer says whether there is more."),
            CatalogKey("last", .answerSelector, "Where the answer says whether this was the last page."), next,
            CatalogKey("previous", .answerSelector, "Where something stands if there is a page before."),
            CatalogKey("in", .word(["query", "body"]), "Where a POST has what asks for a page; else its body."),
        ]
    }

    static let isThere = CatalogKey("next", .answerSelector, "Where something stands if there is a next page.")

    /// Asks for pages of so many items.
    var size: Size?
    /// How many items there are.
    var count: AnswerSelector?
    /// How many pages there are.
    var pages: AnswerSelector?
    /// Whether there is more.
    var more: AnswerSelector?
    /// Whether this was the last page.
    var last: AnswerSelector?

    /// What says by being there that there is a next page; nil also where a style reads it as that page's name.
    var next: AnswerSelector?
    /// What says by being there that there is a page before.
    var previous: AnswerSelector?

    /// How many items a page is asked for, and with what parameter.
    struct Size: Equatable, Sendable {
        let parameter: String
        let value: Int
    }

    /// The parameters that every request has.
    var parameters: [ListParameter] { size.map { [ListParameter($0.parameter, .integer($0.value))] } ?? [] }

    /// Whether the answer says that nothing comes after it.
    ///
    /// - Throws: `APIError.decodingFailed` where it says neither yes nor no.
    func isEnd(_ answer: ListAnswer) throws(APIError) -> Bool {
        let more = try answer.flag(at: more)
        let last = try answer.flag(at: last)
        return more == false || last == true || !isThere(next, in: answer)
    }

    /// Whether the answer says, by what is declared for that, that something comes after it.
    ///
    /// - Parameter isLast: whether it is the last of the pages that the answer counts; nil where it counts none.
    func saysMore(_ answer: ListAnswer, isLast: Bool?) throws(APIError) -> Bool {
        if try isEnd(answer) { return false }
        let more = try answer.flag(at: more)
        let last = try answer.flag(at: last)
        return isLast == false || next != nil || more == true || last == false
    }

    /// Whether a first page that has as many items as were asked for ends its list for no other reason than that
    /// nothing stands where the next one is named: that may be so, or the selector is misspelt.
    func isEndDoubtful(_ answer: ListAnswer, by next: AnswerSelector?) throws(APIError) -> Bool {
        guard let size, let next, answer.items.count == size.value, answer.value(at: next) == nil else { return false }
        let more = try answer.flag(at: more)
        let last = try answer.flag(at: last)
        let pages = try answer.count(at: pages)
        return more != false && last != true && pages == nil
    }

    /// Whether the answer speaks of a page before.
    func hasPrevious(_ answer: ListAnswer) -> Bool { isThere(previous, in: answer) }

    /// Whether nothing is declared by which the API could say that a page was the last.
    var areSilentOfTheEnd: Bool { pages == nil && more == nil && last == nil && next == nil }

    private func isThere(_ selector: AnswerSelector?, in answer: ListAnswer) -> Bool {
        guard let selector else { return true }
        return answer.value(at: selector).flatMap { Cursor($0).token } != nil
    }

    /// Where a page stands of which the API says no more than that nothing is there. Of the first one it says what the
    /// API would say: no pages, no items. Another one says nothing of the pages before it.
    func infoOfNothing(on page: PageToken, first: PageToken) -> PageInfoDTO {
        guard page == first || page == .first else { return PageInfoDTO(current: page) }
        return PageInfoDTO(current: page, pages: pages.map { _ in 0 }, count: count.map { _ in 0 })
    }

    /// The signals that an object declares.
    ///
    /// - Parameter namesPages: whether the style reads `next` and `previous` itself, as names of pages.
    static func decode(_ object: CatalogObject, namesPages: Bool = false) -> ListSignals {
        var signals = ListSignals(
            size: size(in: object), count: object.answerSelector("count"), pages: object.answerSelector("pages"),
            more: object.answerSelector("more"), last: object.answerSelector("last"))
        if !namesPages {
            signals.next = object.answerSelector("next")
            signals.previous = object.answerSelector("previous")
        }
        if signals.more != nil, signals.last != nil, let last = object["last"] {
            object.reader.fault("\(object.what) has both 'more' and 'last'; remove one of them", at: last)
        }
        return signals
    }

    /// `{"param", "value"}`; nil, with a fault, where it cannot be that.
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
