import System

/// A cached item. Its JSON is sent to clients unchanged.
public struct ItemEntity: Equatable, Sendable {
    public let key: ItemKey
    /// The item as one compact JSON object; its fields are in the order of the catalog.
    public let json: [UInt8]
    /// The time at which the API sent the item.
    public var fetchedAt: Timestamp
    /// Whether the item was invalidated. An invalidated item is stale at any age.
    public var isInvalidated: Bool
    /// The item's validators for a conditional request. Nil if the API sent none or the item came from a list.
    public let validators: Validators?

    public init(
        key: ItemKey, json: [UInt8], fetchedAt: Timestamp, isInvalidated: Bool = false, validators: Validators? = nil
    ) {
        self.key = key
        self.json = json
        self.fetchedAt = fetchedAt
        self.isInvalidated = isInvalidated
        self.validators = validators
    }
}

/// The properties of a cached item that are needed for a reply.
public struct ItemSnapshot: Sendable {
    /// The item as one compact JSON object; its fields are in the order of the catalog.
    public let json: [UInt8]
    /// The time at which the API sent the item.
    public let fetchedAt: Timestamp
    /// Whether the item was invalidated. An invalidated item is stale at any age.
    public let isInvalidated: Bool

    package init(json: [UInt8], fetchedAt: Timestamp, isInvalidated: Bool) {
        self.json = json
        self.fetchedAt = fetchedAt
        self.isInvalidated = isInvalidated
    }
}
