import System
import TestSupport

@testable import DataSources
@testable import Model

/// A shared level that keeps its entries in memory, and says what it is told of whose turn it is.
final class SharedLevelDouble: SharedDataSourceContract {
    private struct State {
        var asked: [(keys: [EntryKey], isForced: Bool)] = []
        /// What another process is asking the remote for.
        var elsewhere: Set<EntryKey> = []
        var ended = 0
        var patience = 10_000
        var isHeld = true
        /// Called with each look at what others have brought, with how many there were before.
        var onLook: @Sendable (Int) -> Void = { _ in }
        var looks = 0
        var brought = 0
        var keeps = true
        var shares = true
        /// What `readAtOnce` finds; nil if it cannot read.
        var atOnce: ItemEntity??
    }

    let entries = LocalDataSourceMock()
    private let state = Lock(State())

    init() { entries.succeed() }

    static let ticket = FetchTicket(
        generations: SharedGenerations(removed: "0000000000000001", invalidated: "0000000000000002"), beganAt: 0)

    /// Another process asks the remote for these, from now on.
    func fetchElsewhere(_ keys: Set<EntryKey>, patience: Int = 10_000, onLook: @escaping @Sendable (Int) -> Void) {
        state.withLock { ($0.elsewhere, $0.patience, $0.onLook) = (keys, patience, onLook) }
    }

    /// The turns that are taken are lost before they end.
    func loseTurns() { state.withLock { $0.isHeld = false } }

    /// The other process has ended, whatever became of it.
    func endElsewhere() { state.withLock { $0.elsewhere = [] } }

    var asked: [(keys: [EntryKey], isForced: Bool)] { state.withLock { $0.asked } }
    var ended: Int { state.withLock { $0.ended } }

    /// How many entries others have brought, as it is told.
    var brought: Int { state.withLock { $0.brought } }

    func take(_ keys: [EntryKey], isForced: Bool) async -> FetchTurn {
        state.withLock { state in
            state.asked.append((keys, isForced))
            let own = isForced ? Set(keys) : Set(keys).subtracting(state.elsewhere)
            return FetchTurn(
                own: own, looksAgain: !isForced, ticket: Self.ticket, patience: state.patience,
                isHeld: { [self] in self.state.withLock { $0.isHeld } },
                end: { [self] in self.state.withLock { $0.ended += 1 } })
        }
    }

    func lookAgain(_ keys: [ItemKey]) async -> [ItemEntity?] {
        looked()
        return (try? await entries.items(keys)) ?? keys.map { _ in nil }
    }

    func lookAgain(_ key: PageKey) async -> StoredPage? {
        looked()
        return try? await entries.page(key)
    }

    /// Of mode `read`.
    func keepNothing() { state.withLock { $0.keeps = false } }

    /// As for a resource that is not shared.
    func shareNothing() { state.withLock { $0.shares = false } }

    func shares(_ key: EntryKey) -> Bool { state.withLock { $0.shares } }

    func keeps(_ key: EntryKey) -> Bool { state.withLock { $0.keeps } }

    func countBrought(_ count: Int) { state.withLock { $0.brought += count } }

    private func looked() {
        let (onLook, looks) = state.withLock { state in
            state.looks += 1
            return (state.onLook, state.looks)
        }
        onLook(looks)
    }

    func readAtOnce(_ key: ItemKey, then: @escaping @Sendable (ItemEntity?) -> Void) -> Bool {
        guard let item = state.withLock({ $0.atOnce }) else { return false }
        then(item)
        return true
    }

    /// Lets `readAtOnce` find this item, or none.
    func readAtOnce(finds item: ItemEntity?) { state.withLock { $0.atOnce = .some(item) } }

    func item(_ key: ItemKey) async throws(LocalDataError) -> ItemEntity? { try await entries.item(key) }
    func items(_ keys: [ItemKey]) async throws(LocalDataError) -> [ItemEntity?] { try await entries.items(keys) }
    func page(_ key: PageKey) async throws(LocalDataError) -> StoredPage? { try await entries.page(key) }
    func save(_ change: LocalChange) { entries.save(change) }
    func removeItem(_ key: ItemKey) { entries.removeItem(key) }
    func removePage(_ key: PageKey) { entries.removePage(key) }
    func remove(_ selection: CacheSelection) async throws(LocalDataError) -> Int {
        try await entries.remove(selection)
    }
    func invalidate(_ selection: CacheSelection) async throws(LocalDataError) -> Int {
        try await entries.invalidate(selection)
    }
    func statistics() async -> LocalStatistics { await entries.statistics() }
    var isCurrent: Bool { true }
    func catchUp() async {}
    func tellForeignChanges(to tell: @escaping @Sendable (ForeignChange) -> Void) {}
    func search(_ query: SearchQuery) async throws(LocalDataError) -> SearchHits {
        throw LocalDataError("not here", isUnavailable: true)
    }
    func close() async -> Bool { await entries.close() }
}
