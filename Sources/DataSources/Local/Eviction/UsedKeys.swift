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

    static func + (left: UsedKeys, right: UsedKeys) -> UsedKeys {
        UsedKeys(items: left.items + right.items, pages: left.pages + right.pages)
    }
}
