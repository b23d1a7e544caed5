import Catalog
import DataSources
import Model
import System

/// A sync's request for one page of a list. The request starts immediately, so that the API can answer while the sync
/// stores the previous page.
struct RunningRequest: Sendable {
    /// The value of `Cache.currentEpoch` at the start of the request.
    let epoch: Int
    private let task: Task<Result<SyncSource.Part, RepositoryError>, Never>

    /// Starts the request.
    ///
    /// - Parameters:
    ///   - bound: the smallest update time or sequence number to request; nil for the whole list.
    ///   - previous: the page before the requested page; nil if the sync has not read it. The cache might not contain
    ///     this page yet.
    init(
        _ page: PageToken, of source: SyncSource, filters: [PageRequest.Filter], since bound: SinceValue?,
        after previous: AdjacentPage?, epoch: Int
    ) {
        self.epoch = epoch
        task = Task(executorPreference: EventLoop.shared) {
            do throws(RepositoryError) {
                return .success(try await source.part(page, filters: filters, since: bound, after: previous))
            } catch {
                return .failure(error)
            }
        }
    }

    /// Waits for the page. If the calling task is cancelled, the request is cancelled too.
    func part() async throws(RepositoryError) -> SyncSource.Part {
        try await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }.get()
    }

    func cancel() { task.cancel() }
}
