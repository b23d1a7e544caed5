import System

/// An item as it is kept: immutable bytes that are spliced into replies.
public struct ItemEntity: Equatable, Sendable {
    /// Its key.
    public let key: ItemKey
    /// The item as one compact JSON object, in the fields' order.
    public let json: [UInt8]
    /// When it came from the remote.
    public var fetchedAt: Timestamp
    /// Whether it was marked stale, whatever its age.
    public var isInvalidated: Bool
    /// What to ask with whether it has changed; nil where the API gave nothing, or another answer brought the item.
    public let validators: Validators?

    /// An item that came at a moment.
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

/// As much of a kept item as an answer needs.
public struct ItemGlance: Sendable {
    /// The item as one compact JSON object, in the fields' order.
    public let json: [UInt8]
    /// When it came from the remote.
    public let fetchedAt: Timestamp
    /// Whether it was marked stale, whatever its age.
    public let isInvalidated: Bool

    package init(json: [UInt8], fetchedAt: Timestamp, isInvalidated: Bool) {
        self.json = json
        self.fetchedAt = fetchedAt
        self.isInvalidated = isInvalidated
    }
}
