import JSON

/// An item of a resource: its id and its fields.
public struct Item: Equatable, Sendable {
    /// The id as text. An integer is written in digits.
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
    /// The page's position in its list and the items that it leaves out, as `PageInfoMapper` writes them.
    let position: [UInt8]
    /// The ids of items that could not be fetched; nil if the list does not fetch its items by id.
    public let missing: [String]?

    public init(ids: [String], items: JSONTexts, info: [UInt8], missing: [String]? = nil) {
        self.ids = ids
        self.items = items
        position = info
        self.missing = missing
    }

    /// Returns the page with complete items instead of the list's excerpts.
    func with(_ whole: BatchAnswer) -> Page {
        let missing = Set(whole.missing)
        return Page(
            ids: ids.filter { !missing.contains($0) }, items: JSONTexts(whole.items), info: position,
            missing: whole.missing)
    }

    /// The page's position in its list: `{"current", "pages", "count", "next", "previous"}`.
    public var info: [UInt8] { hasSkipped ? Array(position.prefix { $0 != UInt8(ascii: "\n") }) : position }

    /// The items that the page leaves out: `[{"index", "path", "message"}]`; nil if there are none.
    public var skipped: [UInt8]? {
        hasSkipped ? position.firstIndex(of: UInt8(ascii: "\n")).map { Array(position[($0 + 1)...]) } : nil
    }

    private var hasSkipped: Bool { position.last == UInt8(ascii: "]") }
}
