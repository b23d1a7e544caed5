import System

/// Under what a resource's entries are kept: its name and a fingerprint of all that shapes its answers.
///
/// Another catalog, base URL or credential gives another fingerprint, and so never sees these entries.
public struct ResourceKey: Hashable, Sendable {
    /// The resource's name in the catalog.
    public let name: String
    /// Two words of a SHA-256 that covers the name too.
    public let fingerprint: Fingerprint

    public struct Fingerprint: Hashable, Sendable {
        /// The first 64 bits.
        public let high: UInt64
        /// The other 64 bits.
        public let low: UInt64

        /// A fingerprint of two words.
        public init(high: UInt64, low: UInt64) {
            self.high = high
            self.low = low
        }
    }

    public init(name: String, fingerprint: Fingerprint) {
        self.name = name
        self.fingerprint = fingerprint
    }

    /// The fingerprint tells: it covers the name.
    @inlinable public static func == (left: ResourceKey, right: ResourceKey) -> Bool {
        left.fingerprint == right.fingerprint
    }

    /// The fingerprint tells: it covers the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(fingerprint.low) }
}

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
    @inlinable public static func == (left: ItemKey, right: ItemKey) -> Bool {
        left.isPartial == right.isPartial && left.resource == right.resource && left.id.isIdentical(to: right.id)
    }
}

/// Under what a page is kept.
public struct PageKey: Hashable, Sendable {
    /// The resource whose items the page lists.
    public let resource: ResourceKey
    /// The list's parameters in one canonical text, the page among them.
    public let request: String
    /// The list that the page is of: its filters in one canonical text.
    public let list: String

    public init(resource: ResourceKey, request: String, list: String = "{}") {
        self.resource = resource
        self.request = request
        self.list = list
    }

    /// The key of the page that is asked for.
    public init(resource: ResourceKey, _ request: PageRequest) {
        self.init(resource: resource, request: request.canonical, list: request.canonicalList)
    }

    /// Equal byte by byte: an API may tell filters apart that `String` takes for the same.
    public static func == (left: PageKey, right: PageKey) -> Bool {
        left.resource == right.resource && left.request.isIdentical(to: right.request)
    }

    /// The request tells: it covers the list.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(resource)
        hasher.combine(request)
    }
}
