import Catalog
import DataSources
import Model

/// The items and pages of one resource, from the cache or the remote.
public protocol ResourceRepositoryContract: AnyObject, Sendable {
    /// The resource as the catalog declares it.
    var resource: ResourceDefinition { get }

    /// Returns the repository of one scope: the items below the scope's parents.
    func scoped(_ scope: ResourceScope) -> any ResourceRepositoryContract

    /// Returns an item if the policy accepts an answer from memory alone. Never waits.
    func cachedItem(_ id: String, _ control: CacheControl) -> Answer<[UInt8]>?

    /// Returns a page if the policy accepts an answer from memory alone. Never waits.
    func cachedPage(_ request: PageRequest, _ control: CacheControl) -> Answer<Page>?

    /// Returns several items if the policy accepts an answer from memory alone. Never waits.
    func cachedItems(_ ids: [String], _ control: CacheControl) -> BatchAnswer?

    /// Starts a read of the shared level on the caller's thread, without a task. Does nothing unless the policy accepts
    /// entries from that level and nothing else must be read first.
    ///
    /// - Parameter then: called once, on the event loop.
    /// - Returns: whether the read was started. If not, `then` is not called.
    func readShared(
        _ id: String, _ control: CacheControl, then: @escaping @Sendable (SharedRead<Answer<[UInt8]>>) -> Void
    ) -> Bool

    /// Returns an item as one JSON object.
    ///
    /// - Parameter skipsShared: whether `readShared` was already used for the same call, and the shared level did not
    ///   have the item.
    /// - Throws: `RepositoryError` if neither the cache nor the remote can answer.
    func item(
        _ id: String, _ control: CacheControl, skipsShared: Bool
    ) async throws(RepositoryError) -> Answer<[UInt8]>

    /// Returns a page of the list.
    ///
    /// - Throws: `RepositoryError` if neither the cache nor the remote can answer.
    func page(_ request: PageRequest, _ control: CacheControl) async throws(RepositoryError) -> Answer<Page>

    /// Returns several items. Those that the API does not have are listed as missing.
    ///
    /// - Parameter onProgress: called with the number of items that are done, and the total.
    /// - Throws: `RepositoryError` if neither the cache nor the remote can answer.
    func items(
        _ ids: [String], _ control: CacheControl, onProgress: @Sendable (_ done: Int, _ total: Int) -> Void
    ) async throws(RepositoryError) -> BatchAnswer

    /// Caches a whole list, or its first pages.
    ///
    /// - Parameters:
    ///   - limit: the largest number of pages; nil for all.
    ///   - onPage: called after each page with the number of pages read so far, and the total number if it is known.
    /// - Throws: `RepositoryError` for the first page that cannot be read.
    func prefetch(
        filters: [PageRequest.Filter], limit: Int?, _ control: CacheControl,
        onPage: @Sendable (_ done: Int, _ total: Int?) -> Void
    ) async throws(RepositoryError) -> PrefetchAnswer

    /// Searches the cached items of the resource, of any age. Makes no requests.
    ///
    /// - Parameters:
    ///   - text: words; each must be the beginning of a word in the item.
    ///   - filters: values that fields of the item must have.
    ///   - scope: the values that a scope must have to be searched; nil to search only the repository's own scope.
    ///   - limit: the largest number of items to return.
    ///   - offset: the number of items to skip.
    /// - Throws: `LocalDataError` if the cache file exists and cannot be searched.
    func search(
        _ text: String?, filters: [PageRequest.Filter], scope: ScopeNarrowing?, limit: Int, offset: Int
    ) async throws(LocalDataError) -> SearchHits

    /// Returns the ids of cached items: first the ids that begin with a text, then the ids of items that contain a word
    /// that begins with it.
    func ids(matching text: String, scope: ScopeNarrowing?, limit: Int) async throws(LocalDataError) -> [String]

    /// Returns the distinct values of a scope parameter in the cached items.
    func scopeValues(of name: String, scope: ScopeNarrowing) async throws(LocalDataError) -> [String]

    /// Observes an item. Call the returned closure to stop.
    ///
    /// - Parameters:
    ///   - known: the content that was last reported; only differences from it are reported.
    ///   - tell: called with each change.
    func observeItem(
        _ id: String, since known: LastSeen, tell: @escaping @Sendable (Observation) -> Void
    ) async -> @Sendable () -> Void

    /// Observes a page and its items. Call the returned closure to stop.
    ///
    /// - Parameters:
    ///   - known: the content that was last reported; only differences from it are reported.
    ///   - tell: called with each change.
    func observePage(
        _ request: PageRequest, since known: LastSeen, tell: @escaping @Sendable (Observation) -> Void
    ) async -> @Sendable () -> Void

    /// The fingerprint in the keys of the resource's entries: 32 hexadecimal digits.
    var fingerprint: String { get }

    /// Explains what a call of `item` would do, without making the call.
    func explainItem(_ id: String, _ control: CacheControl) async -> Explanation

    /// Explains what a call of `page` would do, without making the call.
    func explainPage(_ request: PageRequest, _ control: CacheControl) async -> Explanation

    /// Explains what a call of `items` would do, without making the call.
    func explainItems(_ ids: [String], _ control: CacheControl) async -> Explanation

    /// The hits and misses of the resource's cache.
    var statistics: ResourceStatistics { get }
}
