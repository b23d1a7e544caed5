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

    /// A page.
    public init(ids: [String], items: JSONTexts, info: [UInt8]) {
        self.ids = ids
        self.items = items
        course = info
    }

    /// Where the page stands in its list: `{"current", "pages", "count", "next", "previous"}`.
    public var info: [UInt8] { hasSkipped ? Array(course.prefix { $0 != UInt8(ascii: "\n") }) : course }

    /// The items that it leaves out: `[{"index", "path", "message"}]`; nil where there are none.
    public var skipped: [UInt8]? {
        hasSkipped ? course.firstIndex(of: UInt8(ascii: "\n")).map { Array(course[($0 + 1)...]) } : nil
    }

    private var hasSkipped: Bool { course.last == UInt8(ascii: "]") }
}
