/// The key of a cache entry, which is an item or a page.
public enum EntryKey: Hashable, Sendable {
    case item(ItemKey)
    case page(PageKey)

    /// The key of the entry's resource.
    public var resource: ResourceKey {
        switch self {
        case .item(let key): key.resource
        case .page(let key): key.resource
        }
    }
}
