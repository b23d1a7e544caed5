/// What one answer of a remote changes: its items, and the page that lists them.
public struct LocalChange: Equatable, Sendable {
    /// The items.
    public let items: PackedItems
    /// The page, where the answer was one.
    public let page: PageEntity?

    /// A change.
    public init(items: PackedItems, page: PageEntity? = nil) {
        self.items = items
        self.page = page
    }

    /// A change.
    public init(items: [ItemEntity], page: PageEntity? = nil) { self.init(items: PackedItems(items), page: page) }
}
