import JSON

/// An item of a resource: its id and its fields.
public struct Item: Equatable, Sendable {
    /// The item's id as a string; an integer id is written in decimal digits.
    public let id: String
    /// The item's fields as one compact JSON object, in the catalog's order.
    public let json: [UInt8]
}

/// A page of a list: items in the API's order, and the page's position in the list.
public struct Page: Equatable, Sendable {
    /// The ids of the items, in the API's order.
    public let ids: [String]
    /// The items of the page. Each item is one compact JSON object with the fields in the catalog's order.
    public let items: JSONTexts
    /// The page info as JSON. If the page omits invalid items, a second line lists these items.
    let position: [UInt8]
    /// The ids of items whose fetch failed. Nil if the items were not fetched by id.
    public let missing: [String]?

    public init(ids: [String], items: JSONTexts, info: [UInt8], missing: [String]? = nil) {
        self.ids = ids
        self.items = items
        position = info
        self.missing = missing
    }

    /// Returns the page with complete items in place of its partial items.
    func with(_ whole: BatchAnswer) -> Page {
        let missing = Set(whole.missing)
        return Page(
            ids: ids.filter { !missing.contains($0) }, items: JSONTexts(whole.items), info: position,
            missing: whole.missing)
    }

    /// The page info as JSON: `{"current", "pages", "count", "next", "previous"}`.
    public var info: [UInt8] { hasSkipped ? Array(position.prefix { $0 != UInt8(ascii: "\n") }) : position }

    /// The items that the page omits because they are invalid: `[{"index", "path", "message"}]`. Nil if there are none.
    public var skipped: [UInt8]? {
        hasSkipped ? position.firstIndex(of: UInt8(ascii: "\n")).map { Array(position[($0 + 1)...]) } : nil
    }

    private var hasSkipped: Bool { position.last == UInt8(ascii: "]") }
}
