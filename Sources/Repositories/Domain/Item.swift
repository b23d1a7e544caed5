import JSON

/// A thing of a resource: its id and its fields.
public struct Item: Equatable, Sendable {
    /// The id as text: an integer's digits, or a string.
    public let id: String
    /// The fields as one compact JSON object, in the catalog's order.
    public let json: [UInt8]
}

/// A page of items.
public struct Page: Equatable, Sendable {
    /// The items' ids in the API's order.
    public let ids: [String]
    /// The items, each one compact JSON object with the fields in the catalog's order.
    public let items: JSONTexts
    /// Where the page stands in its list, and what it leaves out: as `PageInfoMapper` writes it.
    let course: [UInt8]
    /// The ids of those that could not be had, where the whole items were asked for by their ids; else nil.
    public let missing: [String]?

    public init(ids: [String], items: JSONTexts, info: [UInt8], missing: [String]? = nil) {
        self.ids = ids
        self.items = items
        course = info
        self.missing = missing
    }

    /// The same with whole items in the place of what the list shows of them.
    func with(_ whole: ManyAnswer) -> Page {
        let missing = Set(whole.missing)
        return Page(
            ids: ids.filter { !missing.contains($0) }, items: JSONTexts(whole.items), info: course,
            missing: whole.missing)
    }

    /// Where the page stands in its list: `{"current", "pages", "count", "next", "previous"}`.
    public var info: [UInt8] { hasSkipped ? Array(course.prefix { $0 != UInt8(ascii: "\n") }) : course }

    /// The items that it leaves out: `[{"index", "path", "message"}]`; nil where there are none.
    public var skipped: [UInt8]? {
        hasSkipped ? course.firstIndex(of: UInt8(ascii: "\n")).map { Array(course[($0 + 1)...]) } : nil
    }

    private var hasSkipped: Bool { course.last == UInt8(ascii: "]") }
}
