/// Entries that were used.
public struct UsedKeys: Equatable, Sendable {
    /// The items.
    public var items: [ItemKey]
    /// The pages.
    public var pages: [PageKey]

    /// Entries.
    public init(items: [ItemKey] = [], pages: [PageKey] = []) {
        self.items = items
        self.pages = pages
    }

    /// How many they are.
    var count: Int { items.count + pages.count }

    /// So many of them at most.
    func prefix(_ count: Int) -> UsedKeys {
        let pages = pages.prefix(count)
        return UsedKeys(items: Array(items.prefix(count - pages.count)), pages: Array(pages))
    }

    static func + (left: UsedKeys, right: UsedKeys) -> UsedKeys {
        UsedKeys(items: left.items + right.items, pages: left.pages + right.pages)
    }
}
