import DataSources
import Model
import System

/// What is kept under a key: an item, or a page with its items.
protocol CacheEntry: AgedEntry {
    /// What to ask with whether it has changed.
    var validators: Validators? { get }

    /// What keeps entries, in as few changes as can be.
    static func changes(keeping entries: [Self]) -> [LocalChange]
}

extension ItemEntity: CacheEntry {
    static func changes(keeping entries: [ItemEntity]) -> [LocalChange] { [LocalChange(items: entries)] }
}

extension StoredPage: CacheEntry {
    var fetchedAt: Timestamp { page.fetchedAt }
    /// A page shows its items: it is as stale as any of them.
    var isInvalidated: Bool { page.isInvalidated || items.areInvalidated }
    var validators: Validators? { page.validators }

    static func changes(keeping entries: [StoredPage]) -> [LocalChange] {
        entries.map { LocalChange(items: $0.items, page: $0.page) }
    }
}

/// Under what an entry is kept: an item's key or a page's. It knows which of a level's functions are for its kind, so
/// that all else is written once.
protocol CacheKey: Hashable, Sendable {
    associatedtype Entry: CacheEntry

    /// What observers call it.
    var subject: ChangeHub.Subject { get }

    /// Looks in memory.
    func look(in memory: any VolatileDataSourceContract) -> Entry?
    /// Looks in memory, which does not count a miss.
    func peek(in memory: any VolatileDataSourceContract) -> Entry?
    /// Reads from another level.
    func read(from level: any LocalDataSourceContract) async throws(LocalDataError) -> Entry?
    /// Takes the entry away.
    func remove(from level: any LocalDataSourceContract)

    /// What a shared level calls it.
    var name: EntryKey { get }
    /// Reads once more from a shared level, which does not count a miss.
    static func lookAgain(_ keys: [Self], in level: any SharedDataSourceContract) async -> [Entry?]
}

extension ItemKey: CacheKey {
    var subject: ChangeHub.Subject { .item(self) }

    func look(in memory: any VolatileDataSourceContract) -> ItemEntity? { memory.item(self) }
    func peek(in memory: any VolatileDataSourceContract) -> ItemEntity? { memory.peek(self) }
    func read(from level: any LocalDataSourceContract) async throws(LocalDataError) -> ItemEntity? {
        try await level.item(self)
    }
    func remove(from level: any LocalDataSourceContract) { level.removeItem(self) }

    var name: EntryKey { .item(self) }
    static func lookAgain(_ keys: [ItemKey], in level: any SharedDataSourceContract) async -> [ItemEntity?] {
        await level.lookAgain(keys)
    }
}

extension PageKey: CacheKey {
    var subject: ChangeHub.Subject { .page(self) }

    func look(in memory: any VolatileDataSourceContract) -> StoredPage? { memory.page(self) }
    func peek(in memory: any VolatileDataSourceContract) -> StoredPage? { memory.peek(self) }
    func read(from level: any LocalDataSourceContract) async throws(LocalDataError) -> StoredPage? {
        try await level.page(self)
    }
    func remove(from level: any LocalDataSourceContract) { level.removePage(self) }

    var name: EntryKey { .page(self) }
    static func lookAgain(_ keys: [PageKey], in level: any SharedDataSourceContract) async -> [StoredPage?] {
        var pages: [StoredPage?] = []
        for key in keys { pages.append(await level.lookAgain(key)) }
        return pages
    }
}
