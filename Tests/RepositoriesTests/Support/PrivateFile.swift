import DataSources
import Model

/// A cache file that no other process has. So memory may answer as soon as an entry is in it: that the file knows of
/// the write is not waited for.
final class PrivateFile: PersistentDataSourceContract {
    private let file: EntityDataSource

    init(file: EntityDataSource) { self.file = file }

    var isCurrent: Bool { true }

    func catchUp() async {}

    func tellForeignChanges(to tell: @escaping @Sendable (ForeignChange) -> Void) {}

    func item(_ key: ItemKey) async throws(LocalDataError) -> ItemEntity? { try await file.item(key) }

    func items(_ keys: [ItemKey]) async throws(LocalDataError) -> [ItemEntity?] { try await file.items(keys) }

    func page(_ key: PageKey) async throws(LocalDataError) -> StoredPage? { try await file.page(key) }

    func save(_ change: LocalChange) { file.save(change) }

    func removeItem(_ key: ItemKey) { file.removeItem(key) }

    func removePage(_ key: PageKey) { file.removePage(key) }

    func remove(_ selection: CacheSelection) async throws(LocalDataError) -> Int { try await file.remove(selection) }

    func invalidate(_ selection: CacheSelection) async throws(LocalDataError) -> Int {
        try await file.invalidate(selection)
    }

    func search(_ query: SearchQuery) async throws(LocalDataError) -> SearchHits { try await file.search(query) }

    func close() async -> Bool { await file.close() }

    func statistics() async -> LocalStatistics { await file.statistics() }
}
