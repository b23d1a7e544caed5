import DataSources
import Model
import Repositories

extension ResourceRepositoryContract {
    /// Watches an item, of which nothing is known yet.
    public func observeItem(
        _ id: String, tell: @escaping @Sendable (Observation) -> Void
    ) async -> @Sendable () -> Void {
        await observeItem(id, since: KnownContents(), tell: tell)
    }

    /// Watches a page, of which nothing is known yet.
    public func observePage(
        _ request: PageRequest, tell: @escaping @Sendable (Observation) -> Void
    ) async -> @Sendable () -> Void {
        await observePage(request, since: KnownContents(), tell: tell)
    }
}
