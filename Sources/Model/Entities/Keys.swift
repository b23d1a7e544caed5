import System

/// The key of a resource's entries: the resource's name and a fingerprint of everything that shapes its answers.
///
/// A different catalog, base URL or credential results in a different fingerprint, so each of them has its own entries.
public struct ResourceKey: Hashable, Sendable {
    /// The name of the resource in the catalog; the key of a scope has the scope's values appended.
    public let name: String
    /// The first 128 bits of a SHA-256 hash, which also covers the name.
    public let fingerprint: Fingerprint

    /// The 128 bits that identify a resource and its settings.
    public struct Fingerprint: Hashable, Sendable {
        /// The first 64 bits.
        public let high: UInt64
        /// The last 64 bits.
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

    /// Compares the fingerprints only, because they cover the name.
    @inlinable public static func == (left: ResourceKey, right: ResourceKey) -> Bool {
        left.fingerprint == right.fingerprint
    }

    /// Hashes the fingerprint only, because it covers the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(fingerprint.low) }
}

/// The key of an item in the cache.
public struct ItemKey: Hashable, Sendable {
    /// The key of the item's resource.
    public let resource: ResourceKey
    /// The item's id as text: the digits of an integer, or a string.
    public let id: String
    /// Whether the entry is an incomplete item from a list that omits fields. Such an entry never answers a `get`.
    public let isPartial: Bool

    public init(resource: ResourceKey, id: String, isPartial: Bool = false) {
        self.resource = resource
        self.id = id
        self.isPartial = isPartial
    }

    /// Compares ids byte by byte. An API may distinguish ids that `String` considers equal, such as two encodings of an
    /// accented letter.
    @inlinable public static func == (left: ItemKey, right: ItemKey) -> Bool {
        left.isPartial == right.isPartial && left.resource == right.resource && left.id.isIdentical(to: right.id)
    }
}

/// The key of a page in the cache.
public struct PageKey: Hashable, Sendable {
    /// The key of the resource whose items the page lists.
    public let resource: ResourceKey
    /// The page token and the filters as canonical text (`PageRequest.canonical`).
    public let request: String
    /// The filters as canonical text, which identifies the list of the page (`PageRequest.canonicalList`).
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

    /// Compares requests byte by byte. An API may distinguish filters that `String` considers equal.
    public static func == (left: PageKey, right: PageKey) -> Bool {
        left.resource == right.resource && left.request.isIdentical(to: right.request)
    }

    /// Hashes the request without `list`, because the request covers it.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(resource)
        hasher.combine(request)
    }
}
