import DataSources
import Model
import System

extension ResourceRepository {
    /// Updates the local copy of a list.
    ///
    /// - Parameter onPage: called after each page with the number of items read so far, and the total if it is known.
    public func sync(
        _ request: SyncRequest, onPage: @Sendable (_ done: Int, _ total: Int?) -> Void
    ) async throws(SyncError) -> SyncAnswer {
        guard let syncer = syncer(request) else { throw .noFile }
        if !cache.isCurrent { await cache.catchUp() }
        return try await syncer.run(onPage: onPage)
    }

    /// Returns the steps and the first request that a call of `sync` would need. Does not make the call.
    public func explainSync(_ request: SyncRequest) async -> Explanation {
        await syncer(request)?.explanation()
            ?? Explanation(entries: [], steps: ["there is no cache file, so the call fails"], requests: [])
    }

    /// Creates the `ListSyncer` of a list. Nil if there is no cache file.
    private func syncer(_ request: SyncRequest) -> ListSyncer? {
        cache.syncs.map { store in
            ListSyncer(
                set: SyncSet(resource: key, list: PageRequest(filters: request.filters).canonicalList),
                request: request, source: SyncSource(reader, filters: request.filters, cache: cache), store: store,
                cache: cache, clock: clock, timer: EventLoop.shared, maxWait: timeout,
                maxAge: ListSyncer.maxAge(resource.cache), warn: context.warn)
        }
    }
}
