import Model
import System

/// The key of a cache entry: an item's key or a page's key.
///
/// A page's entry consists of the page and its items. All cache levels and repositories handle items and pages through
/// this protocol.
public protocol CacheKey: Hashable, Sendable {
    associatedtype Entry: CacheEntry

    /// The key as an `EntryKey`, which can hold the key of an item or of a page.
    var name: EntryKey { get }

    /// Reads the entry with this key from a cache level or a Redis reply. Nil if the entry is missing, or if the entry
    /// is a page and one of its items is missing.
    func entry<Place: EntryPlace>(in place: inout Place) throws(Place.Failure) -> Entry?
}

/// A cache entry: an item, or a page with its items.
public protocol CacheEntry: AgedEntry {
    associatedtype ItemKeys: Sequence<ItemKey>
    associatedtype Changes: Collection<LocalChange>

    /// The validators (`ETag`, `Last-Modified`) of the API's answer that contained the entry.
    var validators: Validators? { get }
    /// The keys of the items in the entry: one item, or all items of a page.
    var itemKeys: ItemKeys { get }

    /// Returns the changes (`LocalChange`) that store the given entries. Items are stored by a single change. Each page
    /// is stored by its own change, together with its items.
    static func changes(keeping entries: [Self]) -> Changes

    /// Copies the entry to memory. Does nothing if memory contains a newer entry. Also does nothing if any entry of the
    /// cache was removed or marked as stale since `removals` was read.
    ///
    /// - Parameter removals: the value of `MemoryDataSource.removals` before the entry was read from a lower cache
    ///   level.
    func promote(to memory: MemoryDataSource, since removals: Int)
}

/// A source of cache entries, such as a cache level or a Redis reply. The entries do not change between two reads.
public protocol EntryPlace {
    associatedtype Failure: Error

    mutating func item(_ key: ItemKey) throws(Failure) -> ItemEntity?

    /// Reads a page with its items; nil if the page or one of its items is missing.
    mutating func page(_ key: PageKey) throws(Failure) -> StoredPage?
}

extension ItemKey: CacheKey {
    public typealias Entry = ItemEntity

    public var name: EntryKey { .item(self) }

    public func entry<Place: EntryPlace>(in place: inout Place) throws(Place.Failure) -> ItemEntity? {
        try place.item(self)
    }
}

extension PageKey: CacheKey {
    public typealias Entry = StoredPage

    public var name: EntryKey { .page(self) }

    public func entry<Place: EntryPlace>(in place: inout Place) throws(Place.Failure) -> StoredPage? {
        try place.page(self)
    }
}

extension ItemEntity: CacheEntry {
    public var itemKeys: CollectionOfOne<ItemKey> { CollectionOfOne(key) }

    public static func changes(keeping entries: [ItemEntity]) -> CollectionOfOne<LocalChange> {
        CollectionOfOne(LocalChange(items: entries))
    }

    public func promote(to memory: MemoryDataSource, since removals: Int) { memory.promote(self, since: removals) }
}

extension StoredPage: CacheEntry {
    public var fetchedAt: Timestamp { page.fetchedAt }
    /// Whether the page or at least one of its items is marked as stale.
    public var isInvalidated: Bool { page.isInvalidated || items.areInvalidated }
    public var validators: Validators? { page.validators }
    public var itemKeys: some Sequence<ItemKey> { items.keys }

    public static func changes(keeping entries: [StoredPage]) -> [LocalChange] {
        entries.map { LocalChange(items: $0.items, page: $0.page) }
    }

    public func promote(to memory: MemoryDataSource, since removals: Int) {
        memory.promote(LocalChange(items: items, page: page), since: removals)
    }
}
