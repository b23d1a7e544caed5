import DataSources
import Model
import TestSupport

/// A double of an empty cache file whose reads wait at a gate.
final class SlowCacheFile: PersistentDataSourceContract {
    let gate = Gate()
    private let begun = Watched(0)

    /// Waits until `count` reads have started.
    func reads(_ count: Int) async {
        await begun.wait { $0 >= count }
    }

    private func wait() async {
        begun.change { $0 += 1 }
        try? await gate.wait()
    }

    var isCurrent: Bool { true }
    func catchUp() async {}
    func reportForeignChanges(to handler: @escaping @Sendable (ForeignChange) -> Void) {}

    func read<Key: CacheKey>(_ key: Key) async throws(LocalDataError) -> Key.Entry? {
        await wait()
        return nil
    }

    func read<Key: CacheKey>(_ keys: [Key]) async throws(LocalDataError) -> [Key.Entry?] {
        await wait()
        return keys.map { _ in nil }
    }

    func save(_ change: LocalChange) {}
    func remove(_ key: some CacheKey) {}
    func remove(_ selection: CacheSelection) async throws(LocalDataError) -> Int? { 0 }
    func invalidate(_ selection: CacheSelection) async throws(LocalDataError) -> Int? { 0 }
    func close() async -> Bool { true }
    func statistics() async -> LocalStatistics { LocalStatistics() }
    func search(_ query: SearchQuery) async throws(LocalDataError) -> SearchHits { SearchHits(items: [], count: 0) }
}
