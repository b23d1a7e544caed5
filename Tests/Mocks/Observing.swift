import DataSources
import Model
import Repositories

extension ResourceRepositoryContract {
    /// Observes an item without earlier contents. Returns a function that ends the observation.
    public func observeItem(
        _ id: String, tell: @escaping @Sendable (Observation) -> Void
    ) async -> @Sendable () -> Void {
        await observeItem(id, since: LastSeen(), tell: tell)
    }

    /// Observes a page without earlier contents. Returns a function that ends the observation.
    public func observePage(
        _ request: PageRequest, tell: @escaping @Sendable (Observation) -> Void
    ) async -> @Sendable () -> Void {
        await observePage(request, since: LastSeen(), tell: tell)
    }
}
