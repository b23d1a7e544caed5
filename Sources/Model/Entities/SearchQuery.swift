import JSON
import System

/// A search among the cached items of a resource.
public struct SearchQuery: Equatable, Sendable {
    /// The key of the resource. The search finds no items that were fetched with other settings of the resource, such
    /// as other credentials.
    public let resource: ResourceKey
    /// The scope values that the found items must have. Nil if the resource has no scope, or if the key in `resource`
    /// already contains the scope values.
    public let scope: ScopeNarrowing?
    /// The search words. Each word must be the start of a word in the item's strings. Every item matches if the words
    /// are nil or blank.
    public let text: String?
    /// The fields to compare, each with the value that the item must have.
    public let filters: [PageRequest.Filter]
    /// The string with which an item's id must start; nil for any id.
    public let idPrefix: String?
    /// The search finds only items that were fetched or confirmed by a sync after this time. Nil for items of any age.
    public let fetchedAfter: Timestamp?
    /// The hash of the catalog's `sync` declaration; nil if there is none, or if the API does not report deleted items.
    ///
    /// With a hash, each complete sync with the same declaration confirms items, even if it requested only changes.
    /// With nil, only a sync of the whole list confirms items.
    public let declaration: String?
    /// The maximum number of items to return.
    public let limit: Int
    /// The number of matching items to skip.
    public let offset: Int

    public init(
        resource: ResourceKey, scope: ScopeNarrowing? = nil, text: String? = nil, filters: [PageRequest.Filter] = [],
        idPrefix: String? = nil, fetchedAfter: Timestamp? = nil, declaration: String? = nil,
        limit: Int = 20, offset: Int = 0
    ) {
        self.resource = resource
        self.scope = scope
        self.text = text
        self.filters = filters
        self.idPrefix = idPrefix
        self.fetchedAfter = fetchedAfter
        self.declaration = declaration
        self.limit = limit
        self.offset = offset
    }
}

/// The result of a search.
public struct SearchHits: Equatable, Sendable {
    /// The items, each a JSON object. The best match is first.
    public let items: [[UInt8]]
    /// The total number of matching items, including those that are not returned.
    public let count: Int
    /// The keys of the returned items, in the order of `items`.
    public let keys: [ItemKey]
    /// The fetch time of the oldest returned item; nil if no item is returned.
    public let oldest: Timestamp?
    /// The time of the last sync of the resource's whole list; nil if the cache has no complete copy of the list.
    public var syncedAt: Timestamp?

    public init(items: [[UInt8]], count: Int, keys: [ItemKey] = [], oldest: Timestamp? = nil) {
        self.items = items
        self.count = count
        self.keys = keys
        self.oldest = oldest
    }
}
