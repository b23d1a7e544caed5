import JSON
import System

/// A search among the cached items of a resource.
public struct SearchQuery: Equatable, Sendable {
    /// The key of the resource. Items with another fingerprint are not found.
    public let resource: ResourceKey
    /// Conditions on the scopes to search; nil for a resource without scopes, or for one scope only.
    public let scope: ScopeNarrowing?
    /// Search words. Each must be the prefix of a word in one of the item's texts; nil or blank matches every item.
    public let text: String?
    /// Fields and the values that they must have.
    public let filters: [PageRequest.Filter]
    /// The required prefix of the items' ids; nil for any id.
    public let idPrefix: String?
    /// The time after which the items were fetched; nil for any time.
    public let fetchedAfter: Timestamp?
    /// The maximum number of items to return.
    public let limit: Int
    /// The number of matching items to skip.
    public let offset: Int

    public init(
        resource: ResourceKey, scope: ScopeNarrowing? = nil, text: String? = nil, filters: [PageRequest.Filter] = [],
        idPrefix: String? = nil, fetchedAfter: Timestamp? = nil,
        limit: Int = 20, offset: Int = 0
    ) {
        self.resource = resource
        self.scope = scope
        self.text = text
        self.filters = filters
        self.idPrefix = idPrefix
        self.fetchedAfter = fetchedAfter
        self.limit = limit
        self.offset = offset
    }
}

/// The result of a search.
public struct SearchHits: Equatable, Sendable {
    /// The items, best match first, each a JSON object.
    public let items: [[UInt8]]
    /// The number of matching items, including those that are not returned.
    public let count: Int
    /// The keys of the items, in the same order.
    public let keys: [ItemKey]
    /// The fetch time of the oldest returned item; nil if there is none.
    public let oldest: Timestamp?

    public init(items: [[UInt8]], count: Int, keys: [ItemKey] = [], oldest: Timestamp? = nil) {
        self.items = items
        self.count = count
        self.keys = keys
        self.oldest = oldest
    }
}
