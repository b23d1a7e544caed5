/// A kept page together with all its items.
public struct StoredPage: Equatable, Sendable {
    /// The page.
    public let page: PageEntity
    /// Its items in the page's order.
    public let items: PackedItems

    /// A page and its items.
    public init(page: PageEntity, items: PackedItems) {
        self.page = page
        self.items = items
    }

    /// A page and its items.
    public init(page: PageEntity, items: [ItemEntity]) { self.init(page: page, items: PackedItems(items)) }
}
