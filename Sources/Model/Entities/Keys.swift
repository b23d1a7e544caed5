import System

/// The key that all entries of a resource have in common: the resource's name and a fingerprint.
///
/// The fingerprint is a hash of the resource's declaration in the catalog, the base URL, the header fields and the
/// credentials. Processes with different settings therefore have separate entries.
public struct ResourceKey: Hashable, Sendable {
    /// The name of the resource in the catalog. For a resource with a scope, the scope's canonical JSON is appended.
    public let name: String
    /// A keyed hash of the name and the settings of the resource.
    public let fingerprint: Fingerprint

    /// A 128-bit hash that identifies a resource and its settings.
    public struct Fingerprint: Hashable, Sendable {
        /// The first 64 bits of the hash.
        public let high: UInt64
        /// The last 64 bits of the hash.
        public let low: UInt64

        public init(high: UInt64, low: UInt64) {
            self.high = high
            self.low = low
        }
    }

    public init(name: String, fingerprint: Fingerprint) {
        self.name = name
        self.fingerprint = fingerprint
    }

    /// Compares only the fingerprints, because each fingerprint is a hash that also covers the resource's name.
    @inlinable public static func == (left: ResourceKey, right: ResourceKey) -> Bool {
        left.fingerprint == right.fingerprint
    }

    /// Hashes only the second half of the fingerprint. This is sufficient, because the fingerprint is already a hash of
    /// the resource's name and settings.
    public func hash(into hasher: inout Hasher) { hasher.combine(fingerprint.low) }
}

/// The key of an item in the cache.
public struct ItemKey: Hashable, Sendable {
    /// The key of the resource that the item belongs to.
    public let resource: ResourceKey
    /// The item's id as a string. An integer id is written in decimal digits.
    public let id: String
    /// Whether the item is incomplete because it comes from a list that omits fields. Incomplete items are not used for
    /// `get` requests.
    public let isPartial: Bool

    public init(resource: ResourceKey, id: String, isPartial: Bool = false) {
        self.resource = resource
        self.id = id
        self.isPartial = isPartial
    }

    /// Compares ids byte by byte. `String` treats some different byte sequences as equal, such as two encodings of an
    /// accented letter, but an API may distinguish them.
    @inlinable public static func == (left: ItemKey, right: ItemKey) -> Bool {
        left.isPartial == right.isPartial && left.resource == right.resource && left.id.isIdentical(to: right.id)
    }
}

/// The key of a page in the cache.
public struct PageKey: Hashable, Sendable {
    /// The key of the resource whose items the page lists.
    public let resource: ResourceKey
    /// The requested page: its page token and the filters as canonical JSON (`PageRequest.canonical`).
    public let request: String
    /// The filters as canonical JSON (`PageRequest.canonicalList`). They identify the list to which the page belongs.
    public let list: String

    public init(resource: ResourceKey, request: String, list: String = "{}") {
        self.resource = resource
        self.request = request
        self.list = list
    }

    /// Creates the key of a requested page.
    public init(resource: ResourceKey, _ request: PageRequest) {
        self.init(resource: resource, request: request.canonical, list: request.canonicalList)
    }

    /// Compares requests byte by byte. `String` treats some different byte sequences as equal, but an API may
    /// distinguish them.
    public static func == (left: PageKey, right: PageKey) -> Bool {
        left.resource == right.resource && left.request.isIdentical(to: right.request)
    }

    /// Hashes `request` but not `list`, because `request` includes the same filters.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(resource)
        hasher.combine(request)
    }
}
