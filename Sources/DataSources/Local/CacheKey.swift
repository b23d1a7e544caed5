import Model
import System

/// The key of an entry: an item's key, or the key of a page, whose entry has the page and its items.
///
/// All levels and the repositories treat both kinds of entries alike. Only `entry(in:)` chooses between them.
public protocol CacheKey: Hashable, Sendable {
    associatedtype Entry: CacheEntry

    /// The key among the keys of both kinds.
    var name: EntryKey { get }

    /// Reads the entry from a place that has both kinds; nil if any part of it is missing.
    func entry<Place: EntryPlace>(in place: inout Place) throws(Place.Failure) -> Entry?
}

/// An entry as all levels store it, whatever its kind.
public protocol CacheEntry: AgedEntry {
    associatedtype ItemKeys: Sequence<ItemKey>

    /// The validators of the answer that it came with.
    var validators: Validators? { get }
    /// The keys of its items.
    var itemKeys: ItemKeys { get }

    /// Returns the changes that store entries, as few as possible.
    static func changes(keeping entries: [Self]) -> [LocalChange]
}

/// A place from which entries are read at one moment: a level, or its answer to a request.
public protocol EntryPlace {
    associatedtype Failure: Error

    mutating func item(_ key: ItemKey) throws(Failure) -> ItemEntity?

    /// A page with its items; nil if one of them is missing.
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

    public static func changes(keeping entries: [ItemEntity]) -> [LocalChange] { [LocalChange(items: entries)] }
}

extension StoredPage: CacheEntry {
    public var fetchedAt: Timestamp { page.fetchedAt }
    /// A page shows its items: it is as stale as any of them.
    public var isInvalidated: Bool { page.isInvalidated || items.areInvalidated }
    public var validators: Validators? { page.validators }
    public var itemKeys: some Sequence<ItemKey> { items.keys }

    public static func changes(keeping entries: [StoredPage]) -> [LocalChange] {
        entries.map { LocalChange(items: $0.items, page: $0.page) }
    }
}
