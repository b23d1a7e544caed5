import Catalog
import DataSources
import Model

/// A source of the items and pages of one resource. Each answer comes from the cache or the API.
public protocol ResourceRepositoryContract: AnyObject, Sendable {
    /// The declaration of the resource in the catalog.
    var resource: ResourceDefinition { get }

    /// Returns the repository of one scope, such as the issues of one project.
    func scoped(_ scope: ResourceScope) -> any ResourceRepositoryContract

    /// Returns an item from memory. Nil if memory does not contain the item, or if the policy does not accept the
    /// cached item. The function never waits.
    func cachedItem(_ id: String, _ control: CacheControl) -> Answer<[UInt8]>?

    /// Returns a page from memory. Nil if memory does not contain the page, or if the policy does not accept the cached
    /// page. The function never waits.
    func cachedPage(_ request: PageRequest, _ control: CacheControl) -> Answer<Page>?

    /// Returns several items from memory. Nil if memory does not contain all items, or if the policy does not accept a
    /// cached item. The function never waits.
    func cachedItems(_ ids: [String], _ control: CacheControl) -> BatchAnswer?

    /// Whether `readShared` can start a read. False if there is no shared cache level, or if there is a cache file,
    /// which Larder would read first.
    var readsSharedAtOnce: Bool { get }

    /// Starts to read an item from the shared cache level, without a Swift task, and passes the result to a callback.
    /// Does nothing if the policy forbids the read, or if another level must be read first.
    ///
    /// - Parameter then: called once, on the event loop, if the read was started.
    /// - Returns: whether the read was started.
    func readShared(
        _ id: String, _ control: CacheControl, then: @escaping @Sendable (SharedRead<Answer<[UInt8]>>) -> Void
    ) -> Bool

    /// Returns an item as one JSON object.
    ///
    /// - Parameter skipsShared: whether the caller has already used `readShared`, and the shared cache level did not
    ///   contain the item.
    /// - Throws: `RepositoryError` if neither the cache nor the API can answer.
    func item(
        _ id: String, _ control: CacheControl, skipsShared: Bool
    ) async throws(RepositoryError) -> Answer<[UInt8]>

    /// Returns a page of the list.
    ///
    /// - Throws: `RepositoryError` if neither the cache nor the API can answer.
    func page(_ request: PageRequest, _ control: CacheControl) async throws(RepositoryError) -> Answer<Page>

    /// Returns several items. The answer lists items as missing if the API does not have them.
    ///
    /// - Parameter onProgress: called with the number of finished items, and the total.
    /// - Throws: `RepositoryError` if neither the cache nor the API can answer.
    func items(
        _ ids: [String], _ control: CacheControl, onProgress: @Sendable (_ done: Int, _ total: Int) -> Void
    ) async throws(RepositoryError) -> BatchAnswer

    /// Reads a whole list, or only its first pages, into the cache.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of pages; nil for all pages.
    ///   - onPage: called after each page with the number of pages so far, and the total number if it is known.
    /// - Throws: `RepositoryError` for the first page that cannot be read.
    func prefetch(
        filters: [PageRequest.Filter], limit: Int?, _ control: CacheControl,
        onPage: @Sendable (_ done: Int, _ total: Int?) -> Void
    ) async throws(RepositoryError) -> PrefetchAnswer

    /// Updates the local copy of a list.
    ///
    /// - Parameter onPage: called after each page with the number of items read so far, and the total if it is known.
    /// - Throws: `SyncError` if the API or the cache file failed, or if another sync of the list blocked this sync.
    ///   Pages that were already stored remain in the cache.
    func sync(
        _ request: SyncRequest, onPage: @Sendable (_ done: Int, _ total: Int?) -> Void
    ) async throws(SyncError) -> SyncAnswer

    /// Reads the first pages of the list, or of its changes since an earlier sample, as a sync would. Stores nothing.
    ///
    /// - Parameters:
    ///   - earlier: the sample of the whole list; nil to read the whole list.
    ///   - maxPages: the maximum number of pages.
    /// - Returns: nil if the catalog's `sync` cannot request changes of this list.
    /// - Throws: `RepositoryError` if the API cannot answer.
    func sampleSync(
        _ filters: [PageRequest.Filter], since earlier: SyncSample?, maxPages: Int
    ) async throws(RepositoryError) -> SyncSample?

    /// Searches the resource's cached items of any age. Makes no requests.
    ///
    /// - Parameters:
    ///   - text: the search words. An item matches if each of these words is the beginning of a word in the item.
    ///   - filters: values that fields of the item must have.
    ///   - scope: the parameter values that select the scopes to search.
    ///     If nil, searches only the repository's own scope.
    ///   - limit: the maximum number of items to return.
    ///   - offset: the number of items to skip.
    /// - Throws: `LocalDataError` if the cache file exists but the search fails.
    func search(
        _ text: String?, filters: [PageRequest.Filter], scope: ScopeNarrowing?, limit: Int, offset: Int
    ) async throws(LocalDataError) -> SearchHits

    /// Returns the ids of cached items whose id begins with `text`. If there are none, returns the ids of items that
    /// contain a word beginning with `text`.
    func ids(matching text: String, scope: ScopeNarrowing?, limit: Int) async throws(LocalDataError) -> [String]

    /// Returns the distinct values of a scope parameter in the cached items.
    func scopeValues(of name: String, scope: ScopeNarrowing) async throws(LocalDataError) -> [String]

    /// Observes an item. Returns a function that stops the observation.
    ///
    /// - Parameters:
    ///   - known: the last reported content. The observer reports only differences from this content.
    ///   - tell: called with each change.
    func observeItem(
        _ id: String, since known: LastSeen, tell: @escaping @Sendable (Observation) -> Void
    ) async -> @Sendable () -> Void

    /// Observes a page and its items. Returns a function that stops the observation.
    ///
    /// - Parameters:
    ///   - known: the last reported content. The observer reports only differences from this content.
    ///   - tell: called with each change.
    func observePage(
        _ request: PageRequest, since known: LastSeen, tell: @escaping @Sendable (Observation) -> Void
    ) async -> @Sendable () -> Void

    /// The part of each cache key that identifies the resource and its scope.
    var key: ResourceKey { get }

    /// The hash of the resource's declaration and credentials, as 32 hexadecimal digits. Each cache key of the resource
    /// contains this hash.
    var fingerprint: String { get }

    /// Returns the steps and requests that a call of `item` would need. Does not make the call.
    func explainItem(_ id: String, _ control: CacheControl) async -> Explanation

    /// Returns the steps and requests that a call of `page` would need. Does not make the call.
    func explainPage(_ request: PageRequest, _ control: CacheControl) async -> Explanation

    /// Returns the steps and requests that a call of `items` would need. Does not make the call.
    func explainItems(_ ids: [String], _ control: CacheControl) async -> Explanation

    /// Returns the steps and the first request that a call of `sync` would need. Does not make the call.
    func explainSync(_ request: SyncRequest) async -> Explanation

    /// The hits and misses of the resource's cache.
    var statistics: ResourceStatistics { get }
}
