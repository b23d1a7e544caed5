import JSON

/// What every style may have: how many items a page is asked for, and where the answer says more of the list.
struct ListSignals: Equatable, Sendable {
    static let keys = ["size", "count", "pages", "more", "last"]

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
        return more == false || last == true
    }

    /// Where a page stands of which the API says no more than that nothing is there. What the API would say of it, it
    /// says: no pages, no items.
    func infoOfNothing(on page: PageToken) -> PageInfoDTO {
        PageInfoDTO(current: page, pages: pages.map { _ in 0 }, count: count.map { _ in 0 })
    }

    /// The signals that an object declares.
    static func decode(_ object: CatalogObject) -> ListSignals {
        let signals = ListSignals(
            size: size(in: object), count: object.answerSelector("count"), pages: object.answerSelector("pages"),
            more: object.answerSelector("more"), last: object.answerSelector("last"))
        if signals.more != nil, signals.last != nil, let last = object["last"] {
            object.reader.fault("\(object.what) has both 'more' and 'last'; one must go", at: last)
        }
        return signals
    }

    private static func size(in object: CatalogObject) -> Size? {
        guard let view = object["size"],
            let size = object.reader.object(view, "'size' of \(object.what)", keys: ["param", "value"])
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
