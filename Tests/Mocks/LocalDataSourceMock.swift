import DataSources
import Model
import System

/// A double for `PersistentDataSourceContract`: records its calls, and answers from what it was given and what was
/// saved.
///
/// Until it is configured, every call that may fail does.
public final class LocalDataSourceMock: PersistentDataSourceContract {
    /// One call with its argument.
    public enum Call: Equatable, Sendable {
        case read([EntryKey])
        case save(LocalChange)
        case removeEntry(EntryKey)
        case remove(CacheSelection)
        case invalidate(CacheSelection)
        case statistics
        case catchUp
        case close
        case search(SearchQuery)
    }

    private struct State: EntryPlace {
        var failure: LocalDataError? = LocalDataError("LocalDataSourceMock is not configured")
        var calls: [Call] = []
        var items: [ItemKey: ItemEntity] = [:]
        var pages: [PageKey: PageEntity] = [:]
        var count = 0
        var statistics = LocalStatistics()
        var isCurrent = true
        var onCatchUp: @Sendable () -> Void = {}
        var change: ForeignChange?
        var tell: @Sendable (ForeignChange) -> Void = { _ in }
        var hits = SearchHits(items: [], count: 0)

        func item(_ key: ItemKey) -> ItemEntity? { items[key] }

        func page(_ key: PageKey) -> StoredPage? {
            guard let page = pages[key] else { return nil }
            let items = page.itemKeys.compactMap { self.items[$0] }
            return items.count == page.ids.count ? StoredPage(page: page, items: items) : nil
        }
    }

    private let state = Lock(State())

    /// A mock that is not configured.
    public init() {}

    /// From now on answers, and keeps these entries. `count` is what `remove` and `invalidate` return.
    public func succeed(
        items: [ItemEntity] = [], pages: [PageEntity] = [], count: Int = 0, statistics: LocalStatistics = .init()
    ) {
        state.withLock { state in
            state.failure = nil
            for item in items { state.items[item.key] = item }
            for page in pages { state.pages[page.key] = page }
            state.count = count
            state.statistics = statistics
        }
    }

    /// From now on fails.
    public func fail(_ message: String) {
        state.withLock { $0.failure = LocalDataError(message) }
    }

    /// The calls so far, in order.
    public var calls: [Call] { state.withLock { $0.calls } }

    /// An entry that was given or saved.
    public func read<Key: CacheKey>(_ key: Key) async throws(LocalDataError) -> Key.Entry? { try await read([key])[0] }

    /// Entries that were given or saved, in the order of their keys.
    public func read<Key: CacheKey>(_ keys: [Key]) async throws(LocalDataError) -> [Key.Entry?] {
        try answer(.read(keys.map(\.name))) { state in
            var state = state
            return keys.map { $0.entry(in: &state) }
        }
    }

    /// Stores the entries, once the mock is configured.
    public func save(_ change: LocalChange) {
        state.withLock { state in
            state.calls.append(.save(change))
            guard state.failure == nil else { return }
            for item in change.items { state.items[item.key] = item }
            if let page = change.page { state.pages[page.key] = page }
        }
    }

    /// Removes an entry.
    public func remove(_ key: some CacheKey) {
        state.withLock { state in
            state.calls.append(.removeEntry(key.name))
            switch key.name {
            case .item(let key): state.items[key] = nil
            case .page(let key): state.pages[key] = nil
            }
        }
    }

    /// Returns the configured count; nothing is removed.
    public func remove(_ selection: CacheSelection) async throws(LocalDataError) -> Int? {
        try answer(.remove(selection)) { $0.count }
    }

    /// Returns the configured count; nothing is marked.
    public func invalidate(_ selection: CacheSelection) async throws(LocalDataError) -> Int? {
        try answer(.invalidate(selection)) { $0.count }
    }

    /// Returns the configured statistics.
    public func statistics() async -> LocalStatistics {
        state.withLock { state in
            state.calls.append(.statistics)
            return state.statistics
        }
    }

    /// Notes the call.
    public func close() async -> Bool {
        state.withLock { $0.calls.append(.close) }
        return true
    }

    /// Whether `foreignChange` was not called since the last `catchUp`.
    public var isCurrent: Bool { state.withLock { $0.isCurrent } }

    /// From now on there is something to catch up with, which does this and is then told.
    public func foreignChange(_ change: ForeignChange? = nil, _ onCatchUp: @escaping @Sendable () -> Void = {}) {
        state.withLock { state in
            state.isCurrent = false
            state.change = change
            state.onCatchUp = onCatchUp
        }
    }

    /// Does and tells what `foreignChange` said.
    public func catchUp() async {
        let (onCatchUp, change, tell) = state.withLock { state in
            state.calls.append(.catchUp)
            state.isCurrent = true
            defer { (state.onCatchUp, state.change) = ({}, nil) }
            return (state.onCatchUp, state.change, state.tell)
        }
        onCatchUp()
        if let change { tell(change) }
    }

    /// Keeps the handler.
    public func reportForeignChanges(to handler: @escaping @Sendable (ForeignChange) -> Void) {
        state.withLock { $0.tell = handler }
    }

    /// From now on every search finds this.
    public func find(_ hits: SearchHits) { state.withLock { $0.hits = hits } }

    /// Returns what `find` said.
    public func search(_ query: SearchQuery) async throws(LocalDataError) -> SearchHits {
        try answer(.search(query)) { $0.hits }
    }

    private func answer<Answer: Sendable>(
        _ call: Call, _ body: (State) -> Answer
    ) throws(LocalDataError) -> Answer {
        try state.withLock { (state) throws(LocalDataError) in
            state.calls.append(call)
            if let failure = state.failure { throw failure }
            return body(state)
        }
    }
}
