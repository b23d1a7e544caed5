import DataSources
import Model

/// A cache file that no other process uses. Memory may therefore answer at once, before the file has registered a
/// write.
final class PrivateFile: PersistentDataSourceContract {
    private let file: EntityDataSource

    init(file: EntityDataSource) { self.file = file }

    var isCurrent: Bool { true }

    func catchUp() async {}

    func reportForeignChanges(to handler: @escaping @Sendable (ForeignChange) -> Void) {}

    func read<Key: CacheKey>(_ key: Key) async throws(LocalDataError) -> Key.Entry? { try await file.read(key) }

    func read<Key: CacheKey>(_ keys: [Key]) async throws(LocalDataError) -> [Key.Entry?] { try await file.read(keys) }

    func save(_ change: LocalChange) { file.save(change) }

    func remove(_ key: some CacheKey) { file.remove(key) }

    func remove(_ selection: CacheSelection) async throws(LocalDataError) -> Int? { try await file.remove(selection) }

    func invalidate(_ selection: CacheSelection) async throws(LocalDataError) -> Int? {
        try await file.invalidate(selection)
    }

    func search(_ query: SearchQuery) async throws(LocalDataError) -> SearchHits { try await file.search(query) }

    func close() async -> Bool { await file.close() }

    func statistics() async -> LocalStatistics { await file.statistics() }
}
