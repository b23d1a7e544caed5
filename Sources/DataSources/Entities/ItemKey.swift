import System

/// Under what an item is kept.
public struct ItemKey: Hashable, Sendable {
    /// The item's resource.
    public let resource: ResourceKey
    /// The item's id as text: an integer's digits, or a string.
    public let id: String
    /// Whether this is what a list shows of an item whose list items lack fields; such an entry never answers a `get`.
    public let isPartial: Bool

    /// A key of a whole item, or of a list's part of it.
    public init(resource: ResourceKey, id: String, isPartial: Bool = false) {
        self.resource = resource
        self.id = id
        self.isPartial = isPartial
    }

    /// Equal byte by byte: an API may tell ids apart that `String` takes for the same (an accented letter in two
    /// forms).
    public static func == (left: ItemKey, right: ItemKey) -> Bool {
        left.isPartial == right.isPartial && left.resource == right.resource && left.id.isIdentical(to: right.id)
    }
}
