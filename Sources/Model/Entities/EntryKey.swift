/// Under what something is kept: an item or a page.
public enum EntryKey: Hashable, Sendable {
    case item(ItemKey)
    case page(PageKey)

    /// The resource that it is of.
    public var resource: ResourceKey {
        switch self {
        case .item(let key): key.resource
        case .page(let key): key.resource
        }
    }
}
