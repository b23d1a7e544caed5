import Mocks
import System

@testable import DataSources
@testable import Model

/// A double of the shared level that keeps its entries in memory and records how its leases are used.
final class SharedLevelDouble: SharedDataSourceContract {
    private struct State {
        var asked: [(keys: [EntryKey], isForced: Bool)] = []
        /// The keys that another process is fetching.
        var elsewhere: Set<EntryKey> = []
        var ended = 0
        var maxWait = 10_000
        var isHeld = true
        /// Called with each repeated read, with the number of repeated reads so far.
        var onReread: @Sendable (Int) -> Void = { _ in }
        var rereads = 0
        var reads: [EntryKey] = []
        var received = 0
        var stores = true
        var shares = true
        /// The item that `readAtOnce` finds; nil if it cannot read.
        var atOnce: ItemEntity??
    }

    let entries = LocalDataSourceMock()
    private let state = Lock(State())

    init() { entries.succeed() }

    static let ticket = FetchTicket(
        generations: SharedGenerations(removed: "0000000000000001", invalidated: "0000000000000002"), beganAt: 0)

    /// Lets another process fetch the given keys from now on.
    func fetchElsewhere(_ keys: Set<EntryKey>, maxWait: Int = 10_000, onReread: @escaping @Sendable (Int) -> Void) {
        state.withLock { ($0.elsewhere, $0.maxWait, $0.onReread) = (keys, maxWait, onReread) }
    }

    /// Makes all leases expire before they are released.
    func loseLeases() { state.withLock { $0.isHeld = false } }

    /// Ends the fetches of the simulated other process.
    func endElsewhere() { state.withLock { $0.elsewhere = [] } }

    var asked: [(keys: [EntryKey], isForced: Bool)] { state.withLock { $0.asked } }
    var ended: Int { state.withLock { $0.ended } }

    /// The keys that were read, without repeated reads.
    var reads: [EntryKey] { state.withLock { $0.reads } }

    /// The number of entries that were received from other processes.
    var received: Int { state.withLock { $0.received } }

    func take(_ keys: [EntryKey], isForced: Bool) async -> FetchLease {
        state.withLock { state in
            state.asked.append((keys, isForced))
            let own = isForced ? Set(keys) : Set(keys).subtracting(state.elsewhere)
            return FetchLease(
                own: own, mustReread: !isForced, ticket: Self.ticket, maxWait: state.maxWait,
                isHeld: { [self] in self.state.withLock { $0.isHeld } },
                end: { [self] in self.state.withLock { $0.ended += 1 } })
        }
    }

    func beginFetch(of resource: ResourceKey) async -> FetchTicket? { Self.ticket }

    func reread<Key: CacheKey>(_ keys: [Key]) async -> [Key.Entry?] {
        let (onReread, rereads) = state.withLock { state in
            state.rereads += 1
            return (state.onReread, state.rereads)
        }
        onReread(rereads)
        return (try? await entries.read(keys)) ?? keys.map { _ in nil }
    }

    /// Makes the level store nothing, as in mode `read`.
    func storeNothing() { state.withLock { $0.stores = false } }

    /// Makes the level behave as for a resource that is not shared.
    func shareNothing() { state.withLock { $0.shares = false } }

    func shares(_ key: EntryKey) -> Bool { state.withLock { $0.shares } }

    func stores(_ key: EntryKey) -> Bool { state.withLock { $0.stores } }

    func countReceived(_ count: Int) { state.withLock { $0.received += count } }

    func readAtOnce(_ key: ItemKey, then: @escaping @Sendable (ItemEntity?) -> Void) -> Bool {
        guard let item = state.withLock({ $0.atOnce }) else { return false }
        then(item)
        return true
    }

    /// Sets the item that `readAtOnce` finds; nil for none.
    func readAtOnce(finds item: ItemEntity?) { state.withLock { $0.atOnce = .some(item) } }

    func read<Key: CacheKey>(_ key: Key) async throws(LocalDataError) -> Key.Entry? { try await read([key])[0] }
    func read<Key: CacheKey>(_ keys: [Key]) async throws(LocalDataError) -> [Key.Entry?] {
        state.withLock { $0.reads += keys.map(\.name) }
        return try await entries.read(keys)
    }
    func save(_ change: LocalChange) { entries.save(change) }
    func remove(_ key: some CacheKey) { entries.remove(key) }
    func remove(_ selection: CacheSelection) async throws(LocalDataError) -> Int? {
        try await entries.remove(selection)
    }
    func invalidate(_ selection: CacheSelection) async throws(LocalDataError) -> Int? {
        try await entries.invalidate(selection)
    }
    func statistics() async -> LocalStatistics { await entries.statistics() }
    func close() async { _ = await entries.close() }
}
