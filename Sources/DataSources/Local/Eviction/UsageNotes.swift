import Model
import System

/// Notes which entries were read, until their use is written down. Noting is cheap and never waits for a disk.
final class UsageNotes: Sendable {
    /// How many keys are remembered at most; what is read beyond that is not noted until these are taken.
    static let limit = 16_384

    private struct State {
        var items: Set<ItemKey> = []
        var pages: Set<PageKey> = []
        var count: Int { items.count + pages.count }
    }

    private let state = Lock(State())

    /// Notes that an entry was read.
    func note<Key: CacheKey>(_ key: Key, _ entry: Key.Entry) {
        state.withLock { state in
            guard state.count < Self.limit else { return }
            if case .page(let key) = key.name { state.pages.insert(key) }
            for key in entry.itemKeys.prefix(Self.limit) { state.items.insert(key) }
        }
    }

    /// What was noted since this was called last.
    func takeAll() -> UsedKeys {
        let taken = state.withLock { state in
            defer { state = State() }
            return state
        }
        return UsedKeys(items: Array(taken.items), pages: Array(taken.pages))
    }
}

/// Entries that were used.
public struct UsedKeys: Equatable, Sendable {
    public var items: [ItemKey]
    public var pages: [PageKey]

    /// Entries.
    public init(items: [ItemKey] = [], pages: [PageKey] = []) {
        self.items = items
        self.pages = pages
    }

    /// How many they are.
    var count: Int { items.count + pages.count }

    /// So many of them at most.
    func prefix(_ count: Int) -> UsedKeys {
        let pages = pages.prefix(count)
        return UsedKeys(items: Array(items.prefix(count - pages.count)), pages: Array(pages))
    }

    static func + (left: UsedKeys, right: UsedKeys) -> UsedKeys {
        UsedKeys(items: left.items + right.items, pages: left.pages + right.pages)
    }
}
