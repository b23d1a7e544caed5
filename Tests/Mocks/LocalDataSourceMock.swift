import DataSources
import Model
import System

/// A mock of a persistent data source. It records its calls and returns the configured and saved entries.
///
/// Before `succeed` is called, every call that can fail fails.
public final class LocalDataSourceMock: PersistentDataSourceContract {
    /// A recorded call with its argument.
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

    /// Creates a mock whose calls fail.
    public init() {}

    /// Lets later calls succeed.
    ///
    /// - Parameters:
    ///   - items: the items to add to the stored entries.
    ///   - pages: the pages to add to the stored entries.
    ///   - count: the result of `remove` and `invalidate`.
    ///   - statistics: the result of `statistics`.
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

    /// Lets later calls fail with the given message.
    public func fail(_ message: String) {
        state.withLock { $0.failure = LocalDataError(message) }
    }

    /// The calls so far, in order.
    public var calls: [Call] { state.withLock { $0.calls } }

    /// Returns a configured or saved entry.
    public func read<Key: CacheKey>(_ key: Key) async throws(LocalDataError) -> Key.Entry? { try await read([key])[0] }

    /// Returns configured or saved entries, in the order of the keys.
    public func read<Key: CacheKey>(_ keys: [Key]) async throws(LocalDataError) -> [Key.Entry?] {
        try answer(.read(keys.map(\.name))) { state in
            var state = state
            return keys.map { $0.entry(in: &state) }
        }
    }

    /// Stores the entries if the mock is configured.
    public func save(_ change: LocalChange) {
        state.withLock { state in
            state.calls.append(.save(change))
            guard state.failure == nil else { return }
            for item in change.items { state.items[item.key] = item }
            if let page = change.page { state.pages[page.key] = page }
        }
    }

    public func remove(_ key: some CacheKey) {
        state.withLock { state in
            state.calls.append(.removeEntry(key.name))
            switch key.name {
            case .item(let key): state.items[key] = nil
            case .page(let key): state.pages[key] = nil
            }
        }
    }

    /// Returns the configured count without removing entries.
    public func remove(_ selection: CacheSelection) async throws(LocalDataError) -> Int? {
        try answer(.remove(selection)) { $0.count }
    }

    /// Returns the configured count without marking entries.
    public func invalidate(_ selection: CacheSelection) async throws(LocalDataError) -> Int? {
        try answer(.invalidate(selection)) { $0.count }
    }

    public func statistics() async -> LocalStatistics {
        state.withLock { state in
            state.calls.append(.statistics)
            return state.statistics
        }
    }

    public func close() async -> Bool {
        state.withLock { $0.calls.append(.close) }
        return true
    }

    /// Whether there was no `foreignChange` since the last `catchUp`.
    public var isCurrent: Bool { state.withLock { $0.isCurrent } }

    /// Simulates a change by another process.
    ///
    /// - Parameters:
    ///   - change: the change to report; nil to report none.
    ///   - onCatchUp: called by the next `catchUp`, before it reports the change.
    public func foreignChange(_ change: ForeignChange? = nil, _ onCatchUp: @escaping @Sendable () -> Void = {}) {
        state.withLock { state in
            state.isCurrent = false
            state.change = change
            state.onCatchUp = onCatchUp
        }
    }

    /// Reports the simulated change.
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

    public func reportForeignChanges(to handler: @escaping @Sendable (ForeignChange) -> Void) {
        state.withLock { $0.tell = handler }
    }

    /// Sets the result of later searches.
    public func find(_ hits: SearchHits) { state.withLock { $0.hits = hits } }

    /// Returns the result that was set with `find`.
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
