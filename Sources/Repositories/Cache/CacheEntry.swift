import DataSources
import System

/// What is kept under a key: an item, or a page with its items.
protocol CacheEntry: Sendable {
    /// When it came from the remote.
    var fetchedAt: Timestamp { get }
    /// Whether it was marked stale, whatever its age.
    var isInvalidated: Bool { get }
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
