import Model
import System

/// Collects the keys of entries that were read. `FileMaintenance` later records in the file when these entries were
/// used. Collecting a key never waits for the disk.
final class UsedKeyCollector: Sendable {
    /// The maximum number of collected keys. At this number, the collector ignores further reads until `takeAll` is
    /// called.
    static let limit = 16_384

    private struct State {
        var items: Set<ItemKey> = []
        var pages: Set<PageKey> = []
        var count: Int { items.count + pages.count }
    }

    private let state = Lock(State())

    /// Collects the keys of an entry that was read. For a page, these are the key of the page and the keys of its
    /// items.
    func note<Key: CacheKey>(_ key: Key, _ entry: Key.Entry) {
        state.withLock { state in
            guard state.count < Self.limit else { return }
            if case .page(let key) = key.name { state.pages.insert(key) }
            for key in entry.itemKeys.prefix(Self.limit) { state.items.insert(key) }
        }
    }

    /// Returns the keys that were collected since the last call of this function.
    func takeAll() -> UsedKeys {
        let taken = state.withLock { state in
            defer { state = State() }
            return state
        }
        return UsedKeys(items: Array(taken.items), pages: Array(taken.pages))
    }
}

/// The keys of cache entries that were read. With these keys, the cache file records when the entries were last used.
public struct UsedKeys: Equatable, Sendable {
    public var items: [ItemKey]
    public var pages: [PageKey]

    public init(items: [ItemKey] = [], pages: [PageKey] = []) {
        self.items = items
        self.pages = pages
    }

    /// The total number of item keys and page keys.
    var count: Int { items.count + pages.count }

    /// Returns the first `count` keys. The keys of pages come before the keys of items.
    func prefix(_ count: Int) -> UsedKeys {
        let pages = pages.prefix(count)
        return UsedKeys(items: Array(items.prefix(count - pages.count)), pages: Array(pages))
    }

    static func + (left: UsedKeys, right: UsedKeys) -> UsedKeys {
        UsedKeys(items: left.items + right.items, pages: left.pages + right.pages)
    }
}
