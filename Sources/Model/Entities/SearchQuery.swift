import JSON
import System

/// What is looked for among the items that are kept.
public struct SearchQuery: Equatable, Sendable {
    /// Items of this resource, in this shape only.
    public let resource: ResourceKey
    /// Which of the resource's scopes are looked at; nil for a resource that has none, or in one scope.
    public let scope: ScopeNarrowing?
    /// Words, each the beginning of a word in one of the item's texts; nil or blank finds every item.
    public let text: String?
    /// Fields of the item with the values that they must have.
    public let filters: [PageRequest.Filter]
    /// How the ids of the items begin; nil for any.
    public let idPrefix: String?
    /// Only items that came from the remote after this moment; nil is whenever.
    public let keptSince: Timestamp?
    /// How many items are returned at most.
    public let limit: Int
    /// How many items are passed over first.
    public let offset: Int

    public init(
        resource: ResourceKey, scope: ScopeNarrowing? = nil, text: String? = nil, filters: [PageRequest.Filter] = [],
        idPrefix: String? = nil, keptSince: Timestamp? = nil,
        limit: Int = 20, offset: Int = 0
    ) {
        self.resource = resource
        self.scope = scope
        self.text = text
        self.filters = filters
        self.idPrefix = idPrefix
        self.keptSince = keptSince
        self.limit = limit
        self.offset = offset
    }
}

/// What a search found.
public struct SearchHits: Equatable, Sendable {
    /// The items, best first, each one JSON object.
    public let items: [[UInt8]]
    /// How many there are in all.
    public let count: Int
    /// Under what the items are kept, in the same order.
    public let keys: [ItemKey]
    /// When the oldest of the items came from the remote; nil for none.
    public let oldest: Timestamp?

    /// Hits.
    public init(items: [[UInt8]], count: Int, keys: [ItemKey] = [], oldest: Timestamp? = nil) {
        self.items = items
        self.count = count
        self.keys = keys
        self.oldest = oldest
    }
}
