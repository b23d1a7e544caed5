import Catalog
import DataSources
import Model
import Repositories
import System
import TestSupport

/// A mock of a resource's repository. It records its calls and returns the configured answers.
///
/// Before it is configured, the memory cache is empty and every call that can fail fails.
public final class ResourceRepositoryMock: ResourceRepositoryContract {
    /// A recorded call with its arguments.
    public enum Call: Equatable, Sendable {
        case cachedItem(String, CacheControl)
        case cachedPage(PageRequest, CacheControl)
        case cachedItems([String], CacheControl)
        case item(String, CacheControl, skipsShared: Bool = false)
        case page(PageRequest, CacheControl)
        case items([String], CacheControl)
        case prefetch([PageRequest.Filter], limit: Int?, CacheControl)
        case sync(SyncRequest)
        case scoped(ResourceScope)
        case search(String?, [PageRequest.Filter], scope: ScopeNarrowing? = nil, limit: Int, offset: Int)
        case scopeValues(String, ScopeNarrowing)
        case explainItem(String, CacheControl)
        case explainPage(PageRequest, CacheControl)
        case explainItems([String], CacheControl)
        case explainSync(SyncRequest)
        case observeItem(String)
        case observePage(PageRequest)
    }

    /// The configured answers.
    public struct Answers: Sendable {
        /// The result of `cachedItem`.
        public var cachedItem: Answer<[UInt8]>?
        /// The result of `cachedPage`.
        public var cachedPage: Answer<Page>?
        /// The result of `cachedItems`.
        public var cachedItems: BatchAnswer?
        /// The result of the shared level; nil if it cannot be read without waiting.
        public var sharedItem: SharedRead<Answer<[UInt8]>>?
        /// The result of `item`.
        public var item: Result<Answer<[UInt8]>, RepositoryError> = .failure(Answers.unset)
        /// The result of `page`.
        public var page: Result<Answer<Page>, RepositoryError> = .failure(Answers.unset)
        /// The result of `items`.
        public var items: Result<BatchAnswer, RepositoryError> = .failure(Answers.unset)
        /// The progress that `items` reports before it returns.
        public var progress: [(done: Int, total: Int)] = []
        /// The result of `prefetch`.
        public var prefetch: Result<PrefetchAnswer, RepositoryError> = .failure(Answers.unset)
        /// The progress that `prefetch` reports before it returns.
        public var pages: [(done: Int, total: Int?)] = []
        /// The result of `sync`, which reports `pages` first.
        public var sync: Result<SyncAnswer, SyncError> = .failure(.repository(Answers.unset))
        /// The result of the `explain` methods.
        public var explanation = Explanation(entries: [], steps: [], requests: [])
        /// The result of `search`.
        public var hits: Result<SearchHits, LocalDataError> = .failure(
            LocalDataError("ResourceRepositoryMock is not configured"))
        /// The result of `scopeValues`.
        public var scopeValues: [String] = []
        /// The cache statistics of the resource.
        public var statistics = ResourceStatistics(hits: 0, misses: 0)

        private static let unset = RepositoryError.remote(
            APIError(.network, "ResourceRepositoryMock is not configured"))
    }

    private struct State {
        var answers = Answers()
        var calls: [Call] = []
        var observers: [Int: @Sendable (Observation) -> Void] = [:]
        var gate: Gate?
        var onObserve: @Sendable () -> Void = {}
    }

    public let resource: ResourceDefinition
    private let state = Watched(State())

    /// Creates a mock that is not configured.
    public init(_ resource: ResourceDefinition) { self.resource = resource }

    /// The calls so far, in order.
    public var calls: [Call] { state.value.calls }

    /// Waits until this call has been made.
    public func called(_ call: Call) async { await state.wait { $0.calls.contains(call) } }

    /// Changes the answers to later calls.
    public func configure(_ change: (inout Answers) -> Void) { state.change { change(&$0.answers) } }

    /// Returns the configured answer of the memory cache.
    public func cachedItem(_ id: String, _ control: CacheControl) -> Answer<[UInt8]>? {
        note(.cachedItem(id, control)).cachedItem
    }

    /// Returns the configured answer of the memory cache.
    public func cachedPage(_ request: PageRequest, _ control: CacheControl) -> Answer<Page>? {
        note(.cachedPage(request, control)).cachedPage
    }

    /// Returns the configured answer of the memory cache.
    public func cachedItems(_ ids: [String], _ control: CacheControl) -> BatchAnswer? {
        note(.cachedItems(ids, control)).cachedItems
    }

    /// Whether an answer of the shared level is configured.
    public var readsSharedAtOnce: Bool { state.value.answers.sharedItem != nil }

    /// Passes the configured answer of the shared level to `then`. Returns false if there is none. Does not record the
    /// call.
    public func readShared(
        _ id: String, _ control: CacheControl, then: @escaping @Sendable (SharedRead<Answer<[UInt8]>>) -> Void
    ) -> Bool {
        guard let read = state.value.answers.sharedItem else { return false }
        then(read)
        return true
    }

    /// Returns the configured answer.
    public func item(
        _ id: String, _ control: CacheControl, skipsShared: Bool
    ) async throws(RepositoryError) -> Answer<[UInt8]> {
        try note(.item(id, control, skipsShared: skipsShared)).item.get()
    }

    /// Returns the configured answer.
    public func page(_ request: PageRequest, _ control: CacheControl) async throws(RepositoryError) -> Answer<Page> {
        try note(.page(request, control)).page.get()
    }

    /// Reports the configured progress and returns the configured answer.
    public func items(
        _ ids: [String], _ control: CacheControl, onProgress: @Sendable (_ done: Int, _ total: Int) -> Void
    ) async throws(RepositoryError) -> BatchAnswer {
        let answers = note(.items(ids, control))
        for step in answers.progress { onProgress(step.done, step.total) }
        return try answers.items.get()
    }

    /// Reports the configured progress and returns the configured answer.
    public func prefetch(
        filters: [PageRequest.Filter], limit: Int?, _ control: CacheControl,
        onPage: @Sendable (_ done: Int, _ total: Int?) -> Void
    ) async throws(RepositoryError) -> PrefetchAnswer {
        let answers = note(.prefetch(filters, limit: limit, control))
        for step in answers.pages { onPage(step.done, step.total) }
        return try answers.prefetch.get()
    }

    /// Reports the configured progress and returns the configured answer.
    public func sync(
        _ request: SyncRequest, onPage: @Sendable (_ done: Int, _ total: Int?) -> Void
    ) async throws(SyncError) -> SyncAnswer {
        let answers = note(.sync(request))
        for step in answers.pages { onPage(step.done, step.total) }
        return try answers.sync.get()
    }

    /// Returns no sample, as for a list without `sync`. Does not record the call.
    public func sampleSync(
        _ filters: [PageRequest.Filter], since earlier: SyncSample?, maxPages: Int
    ) async throws(RepositoryError) -> SyncSample? {
        nil
    }

    public var key: ResourceKey {
        let half: UInt64 = 0x0123_4567_89AB_CDEF
        return ResourceKey(name: resource.name, fingerprint: .init(high: half, low: half))
    }

    /// A fixed fingerprint: all mocks have the same one.
    public let fingerprint = "0123456789abcdef0123456789abcdef"

    /// Returns the configured explanation.
    public func explainItem(_ id: String, _ control: CacheControl) async -> Explanation {
        note(.explainItem(id, control)).explanation
    }

    /// Returns the configured explanation.
    public func explainPage(_ request: PageRequest, _ control: CacheControl) async -> Explanation {
        note(.explainPage(request, control)).explanation
    }

    /// Returns the configured explanation.
    public func explainItems(_ ids: [String], _ control: CacheControl) async -> Explanation {
        note(.explainItems(ids, control)).explanation
    }

    /// Returns the configured explanation.
    public func explainSync(_ request: SyncRequest) async -> Explanation {
        note(.explainSync(request)).explanation
    }

    /// Returns the ids of the configured search hits.
    public func ids(
        matching text: String, scope: ScopeNarrowing?, limit: Int
    ) async throws(LocalDataError) -> [String] {
        try note(.search(text, [], scope: scope, limit: limit, offset: 0)).hits.get().keys.map(\.id)
    }

    /// Returns the configured values.
    public func scopeValues(of name: String, scope: ScopeNarrowing) async throws(LocalDataError) -> [String] {
        note(.scopeValues(name, scope)).scopeValues
    }

    /// Returns the configured search hits.
    public func search(
        _ text: String?, filters: [PageRequest.Filter], scope: ScopeNarrowing?, limit: Int, offset: Int
    ) async throws(LocalDataError) -> SearchHits {
        try note(.search(text, filters, scope: scope, limit: limit, offset: offset)).hits.get()
    }

    /// Records the scope and returns this mock.
    public func scoped(_ scope: ResourceScope) -> any ResourceRepositoryContract {
        _ = note(.scoped(scope))
        return self
    }

    /// Registers an observer for `tellObservers(_:)`.
    public func observeItem(
        _ id: String, since known: LastSeen, tell: @escaping @Sendable (Observation) -> Void
    ) async -> @Sendable () -> Void {
        await observer(.observeItem(id), tell)
    }

    /// Registers an observer for `tellObservers(_:)`.
    public func observePage(
        _ request: PageRequest, since known: LastSeen, tell: @escaping @Sendable (Observation) -> Void
    ) async -> @Sendable () -> Void {
        await observer(.observePage(request), tell)
    }

    /// Notifies all registered observers.
    public func tellObservers(_ observation: Observation) {
        for tell in state.value.observers.values { tell(observation) }
    }

    /// Removes all observers, which would otherwise retain this mock.
    public func forgetObservers() { state.change { $0.observers = [:] } }

    /// Delays the start of later observations until the gate is open, even if their task is cancelled.
    public func hold(_ gate: Gate) { state.change { $0.gate = gate } }

    /// Sets a function that is called when an observation has started.
    public func onObserve(_ tell: @escaping @Sendable () -> Void) { state.change { $0.onObserve = tell } }

    private func observer(
        _ call: Call, _ tell: @escaping @Sendable (Observation) -> Void
    ) async -> @Sendable () -> Void {
        if let gate = state.value.gate { await Task { _ = try? await gate.wait() }.value }
        let (number, onObserve) = state.change { state in
            state.calls.append(call)
            state.observers[state.calls.count] = tell
            return (state.calls.count, state.onObserve)
        }
        onObserve()
        return { [self] in state.change { $0.observers[number] = nil } }
    }

    /// The configured statistics.
    public var statistics: ResourceStatistics { state.value.answers.statistics }

    private func note(_ call: Call) -> Answers {
        state.change { state in
            state.calls.append(call)
            return state.answers
        }
    }
}
