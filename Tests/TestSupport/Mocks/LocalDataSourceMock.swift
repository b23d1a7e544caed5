import DataSources
import Model
import Repositories
import System

/// Stands behind `PersistentDataSourceContract`: records its calls, and answers from what it was given and what was
/// saved.
///
/// Until it is configured every call that may fail does so, and says why.
public final class LocalDataSourceMock: PersistentDataSourceContract {
    /// One call with its argument.
    public enum Call: Equatable, Sendable {
        case item(ItemKey)
        case items([ItemKey])
        case page(PageKey)
        case save(LocalChange)
        case removeItem(ItemKey)
        case removePage(PageKey)
        case remove(CacheSelection)
        case invalidate(CacheSelection)
        case statistics
        case catchUp
        case close
        case search(SearchQuery)
    }

    private struct State {
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

    /// An item that was given or saved.
    public func item(_ key: ItemKey) async throws(LocalDataError) -> ItemEntity? {
        try answer(.item(key)) { $0.items[key] }
    }

    /// Items that were given or saved, in the order of their keys.
    public func items(_ keys: [ItemKey]) async throws(LocalDataError) -> [ItemEntity?] {
        try answer(.items(keys)) { state in keys.map { state.items[$0] } }
    }

    /// A page that was given or saved, where all its items were too.
    public func page(_ key: PageKey) async throws(LocalDataError) -> StoredPage? {
        try answer(.page(key)) { state in
            guard let page = state.pages[key] else { return nil }
            let items = page.itemKeys.compactMap { state.items[$0] }
            return items.count == page.ids.count ? StoredPage(page: page, items: items) : nil
        }
    }

    /// Keeps the entries, once the mock is configured.
    public func save(_ change: LocalChange) {
        state.withLock { state in
            state.calls.append(.save(change))
            guard state.failure == nil else { return }
            for item in change.items { state.items[item.key] = item }
            if let page = change.page { state.pages[page.key] = page }
        }
    }

    /// Forgets an item.
    public func removeItem(_ key: ItemKey) {
        state.withLock { state in
            state.calls.append(.removeItem(key))
            state.items[key] = nil
        }
    }

    /// Forgets a page.
    public func removePage(_ key: PageKey) {
        state.withLock { state in
            state.calls.append(.removePage(key))
            state.pages[key] = nil
        }
    }

    /// Returns the configured count; nothing is forgotten.
    public func remove(_ selection: CacheSelection) async throws(LocalDataError) -> Int {
        try answer(.remove(selection)) { $0.count }
    }

    /// Returns the configured count; nothing is marked.
    public func invalidate(_ selection: CacheSelection) async throws(LocalDataError) -> Int {
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

    /// Notes whom to tell.
    public func tellForeignChanges(to tell: @escaping @Sendable (ForeignChange) -> Void) {
        state.withLock { $0.tell = tell }
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
