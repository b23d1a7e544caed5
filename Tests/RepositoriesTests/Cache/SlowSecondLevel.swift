import DataSources
import Model
import TestSupport

/// An empty file that is slow to read: reads wait at a gate.
final class SlowSecondLevel: PersistentDataSourceContract {
    let gate = Gate()
    private let begun = Watched(0)

    /// Waits until so many reads have begun.
    func reads(_ count: Int) async {
        await begun.wait { $0 >= count }
    }

    private func wait() async {
        begun.change { $0 += 1 }
        try? await gate.wait()
    }

    var isCurrent: Bool { true }
    func catchUp() async {}
    func tellForeignChanges(to tell: @escaping @Sendable (ForeignChange) -> Void) {}

    func item(_ key: ItemKey) async throws(LocalDataError) -> ItemEntity? {
        await wait()
        return nil
    }

    func items(_ keys: [ItemKey]) async throws(LocalDataError) -> [ItemEntity?] {
        await wait()
        return keys.map { _ in nil }
    }

    func page(_ key: PageKey) async throws(LocalDataError) -> StoredPage? {
        await wait()
        return nil
    }

    func save(_ change: LocalChange) {}
    func removeItem(_ key: ItemKey) {}
    func removePage(_ key: PageKey) {}
    func remove(_ selection: CacheSelection) async throws(LocalDataError) -> Int { 0 }
    func invalidate(_ selection: CacheSelection) async throws(LocalDataError) -> Int { 0 }
    func close() async -> Bool { true }
    func statistics() async -> LocalStatistics { LocalStatistics() }
    func search(_ query: SearchQuery) async throws(LocalDataError) -> SearchHits { SearchHits(items: [], count: 0) }
}
