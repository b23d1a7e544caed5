import Catalog
import DataSources
import Model
import Repositories
import System
import TestSupport

/// Stands behind `ResourceRepositoryContract`: records its calls and answers as told.
///
/// Until it is configured memory has nothing, and every call that may fail does so and says why.
public final class ResourceRepositoryMock: ResourceRepositoryContract {
    /// One call with its arguments.
    public enum Call: Equatable, Sendable {
        case cachedItem(String, CacheControl)
        case cachedPage(PageRequest, CacheControl)
        case cachedItems([String], CacheControl)
        case item(String, CacheControl, skipsShared: Bool = false)
        case page(PageRequest, CacheControl)
        case items([String], CacheControl)
        case prefetch([PageRequest.Filter], limit: Int?, CacheControl)
        case scoped(ResourceScope)
        case search(String?, [PageRequest.Filter], scope: ScopeNarrowing? = nil, limit: Int, offset: Int)
        case scopeValues(String, ScopeNarrowing)
        case explainItem(String, CacheControl)
        case explainPage(PageRequest, CacheControl)
        case explainItems([String], CacheControl)
        case observeItem(String)
        case observePage(PageRequest)
    }

    /// What it answers.
    public struct Answers: Sendable {
        /// What memory alone answers.
        public var cachedItem: Answer<[UInt8]>?
        /// What memory alone answers.
        public var cachedPage: Answer<Page>?
        /// What memory alone answers.
        public var cachedItems: ManyAnswer?
        /// What a shared level answers; nil if it cannot be read at once.
        public var sharedItem: SharedRead<Answer<[UInt8]>>?
        /// What `item` comes to.
        public var item: Result<Answer<[UInt8]>, RepositoryError> = .failure(Answers.unset)
        /// What `page` comes to.
        public var page: Result<Answer<Page>, RepositoryError> = .failure(Answers.unset)
        /// What `items` comes to.
        public var items: Result<ManyAnswer, RepositoryError> = .failure(Answers.unset)
        /// What `items` says of its progress before it comes to that.
        public var progress: [(done: Int, total: Int)] = []
        /// What `prefetch` comes to.
        public var prefetch: Result<PrefetchAnswer, RepositoryError> = .failure(Answers.unset)
        /// What it says of its progress before it comes to that.
        public var pages: [(done: Int, total: Int?)] = []
        /// What explanations say.
        public var explanation = Explanation(entries: [], steps: [], requests: [])
        /// What `search` comes to.
        public var hits: Result<SearchHits, LocalDataError> = .failure(
            LocalDataError("ResourceRepositoryMock is not configured"))
        /// What a part of the scope can be.
        public var scopeValues: [String] = []
        /// How often the cache could answer.
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

    /// The resource it stands for.
    public let resource: ResourceDefinition
    private let state = Watched(State())

    /// A mock of a resource's repository that is not configured.
    public init(_ resource: ResourceDefinition) { self.resource = resource }

    /// The calls so far, in order.
    public var calls: [Call] { state.value.calls }

    /// Waits until the call was made.
    public func called(_ call: Call) async { await state.wait { $0.calls.contains(call) } }

    /// Sets what it answers from now on.
    public func configure(_ change: (inout Answers) -> Void) { state.change { change(&$0.answers) } }

    /// What memory was told to answer.
    public func cachedItem(_ id: String, _ control: CacheControl) -> Answer<[UInt8]>? {
        note(.cachedItem(id, control)).cachedItem
    }

    /// What memory was told to answer.
    public func cachedPage(_ request: PageRequest, _ control: CacheControl) -> Answer<Page>? {
        note(.cachedPage(request, control)).cachedPage
    }

    /// What memory was told to answer.
    public func cachedItems(_ ids: [String], _ control: CacheControl) -> ManyAnswer? {
        note(.cachedItems(ids, control)).cachedItems
    }

    /// Reads what it was told that a shared level has. Not recorded.
    public func readShared(
        _ id: String, _ control: CacheControl, then: @escaping @Sendable (SharedRead<Answer<[UInt8]>>) -> Void
    ) -> Bool {
        guard let read = state.value.answers.sharedItem else { return false }
        then(read)
        return true
    }

    /// What it was told to answer.
    public func item(
        _ id: String, _ control: CacheControl, skipsShared: Bool
    ) async throws(RepositoryError) -> Answer<[UInt8]> {
        try note(.item(id, control, skipsShared: skipsShared)).item.get()
    }

    /// What it was told to answer.
    public func page(_ request: PageRequest, _ control: CacheControl) async throws(RepositoryError) -> Answer<Page> {
        try note(.page(request, control)).page.get()
    }

    /// What it was told to answer, after the progress that it was told.
    public func items(
        _ ids: [String], _ control: CacheControl, onProgress: @Sendable (_ done: Int, _ total: Int) -> Void
    ) async throws(RepositoryError) -> ManyAnswer {
        let answers = note(.items(ids, control))
        for step in answers.progress { onProgress(step.done, step.total) }
        return try answers.items.get()
    }

    /// What it was told to answer, after the progress that it was told.
    public func prefetch(
        filters: [PageRequest.Filter], limit: Int?, _ control: CacheControl,
        onPage: @Sendable (_ done: Int, _ total: Int?) -> Void
    ) async throws(RepositoryError) -> PrefetchAnswer {
        let answers = note(.prefetch(filters, limit: limit, control))
        for step in answers.pages { onPage(step.done, step.total) }
        return try answers.prefetch.get()
    }

    /// Nothing tells its entries from others.
    public let fingerprint = "0123456789abcdef0123456789abcdef"

    /// What it was told to explain.
    public func explainItem(_ id: String, _ control: CacheControl) async -> Explanation {
        note(.explainItem(id, control)).explanation
    }

    /// What it was told to explain.
    public func explainPage(_ request: PageRequest, _ control: CacheControl) async -> Explanation {
        note(.explainPage(request, control)).explanation
    }

    /// What it was told to explain.
    public func explainItems(_ ids: [String], _ control: CacheControl) async -> Explanation {
        note(.explainItems(ids, control)).explanation
    }

    /// The ids of what it was told to find.
    public func ids(
        matching text: String, scope: ScopeNarrowing?, limit: Int
    ) async throws(LocalDataError) -> [String] {
        try note(.search(text, [], scope: scope, limit: limit, offset: 0)).hits.get().keys.map(\.id)
    }

    /// What it was told that there is.
    public func scopeValues(of name: String, scope: ScopeNarrowing) async throws(LocalDataError) -> [String] {
        note(.scopeValues(name, scope)).scopeValues
    }

    /// What it was told to find.
    public func search(
        _ text: String?, filters: [PageRequest.Filter], scope: ScopeNarrowing?, limit: Int, offset: Int
    ) async throws(LocalDataError) -> SearchHits {
        try note(.search(text, filters, scope: scope, limit: limit, offset: offset)).hits.get()
    }

    /// The same mock, which notes the scope.
    public func scoped(_ scope: ResourceScope) -> any ResourceRepositoryContract {
        _ = note(.scoped(scope))
        return self
    }

    /// Keeps the observer for `tellObservers(_:)`.
    public func observeItem(
        _ id: String, since known: KnownContents, tell: @escaping @Sendable (Observation) -> Void
    ) async -> @Sendable () -> Void {
        await observer(.observeItem(id), tell)
    }

    /// Keeps the observer for `tellObservers(_:)`.
    public func observePage(
        _ request: PageRequest, since known: KnownContents, tell: @escaping @Sendable (Observation) -> Void
    ) async -> @Sendable () -> Void {
        await observer(.observePage(request), tell)
    }

    /// Tells all observers that have not left.
    public func tellObservers(_ observation: Observation) {
        for tell in state.value.observers.values { tell(observation) }
    }

    /// Forgets all observers, who know this mock.
    public func forgetObservers() { state.change { $0.observers = [:] } }

    /// Lets the beginning of a watch wait for a gate, whether or not it is cancelled.
    public func hold(_ gate: Gate) { state.change { $0.gate = gate } }

    /// Calls `tell` whenever a watch has begun.
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

    /// What it was told.
    public var statistics: ResourceStatistics { state.value.answers.statistics }

    private func note(_ call: Call) -> Answers {
        state.change { state in
            state.calls.append(call)
            return state.answers
        }
    }
}
