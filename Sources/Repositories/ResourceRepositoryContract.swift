import Catalog
import DataSources
import Model

/// The items and pages of one resource, wherever they are.
public protocol ResourceRepositoryContract: AnyObject, Sendable {
    /// The resource as the catalog declares it.
    var resource: ResourceDefinition { get }

    /// The repository of one scope of the resource: of the items that have these parents.
    func scoped(_ scope: ResourceScope) -> any ResourceRepositoryContract

    /// An item, if the policy lets memory alone answer. It never waits.
    func cachedItem(_ id: String, _ control: CacheControl) -> Answer<[UInt8]>?

    /// A page, if the policy lets memory alone answer. It never waits.
    func cachedPage(_ request: PageRequest, _ control: CacheControl) -> Answer<Page>?

    /// Several items, if the policy lets memory alone answer. It never waits.
    func cachedItems(_ ids: [String], _ control: CacheControl) -> ManyAnswer?

    /// Starts to read an item from the shared level on the caller's thread, without a task, if that level is the next
    /// one that the policy reads and may answer alone.
    ///
    /// - Parameter then: called once, on the loop.
    /// - Returns: whether the read was started. `then` is not called otherwise.
    func readShared(
        _ id: String, _ control: CacheControl, then: @escaping @Sendable (SharedRead<Answer<[UInt8]>>) -> Void
    ) -> Bool

    /// An item as one JSON object.
    ///
    /// - Parameter skipsShared: whether `readShared` found the item missing for the same call.
    func item(
        _ id: String, _ control: CacheControl, skipsShared: Bool
    ) async throws(RepositoryError) -> Answer<[UInt8]>

    /// A page of the list.
    func page(_ request: PageRequest, _ control: CacheControl) async throws(RepositoryError) -> Answer<Page>

    /// Several items; those that the API does not have are named as missing. `onProgress` hears how many are settled.
    func items(
        _ ids: [String], _ control: CacheControl, onProgress: @Sendable (_ done: Int, _ total: Int) -> Void
    ) async throws(RepositoryError) -> ManyAnswer

    /// Sees to it that a whole list is kept, or its first pages. `onPage` hears how many there have been, and how many
    /// there will be if that is known.
    func prefetch(
        filters: [PageRequest.Filter], limit: Int?, _ control: CacheControl,
        onPage: @Sendable (_ done: Int, _ total: Int?) -> Void
    ) async throws(RepositoryError) -> PrefetchAnswer

    /// Looks among what is cached: words, each the beginning of a word of the item, and fields with their values. With
    /// a narrowing, among what is cached of all scopes of the resource that have these values.
    func search(
        _ text: String?, filters: [PageRequest.Filter], scope: ScopeNarrowing?, limit: Int, offset: Int
    ) async throws(LocalDataError) -> SearchHits

    /// The ids of what is cached that begin with a text; then those of items that have it among their words.
    func ids(matching text: String, scope: ScopeNarrowing?, limit: Int) async throws(LocalDataError) -> [String]

    /// The values that a part of the scope has among what is cached, each once.
    func scopeValues(of name: String, scope: ScopeNarrowing) async throws(LocalDataError) -> [String]

    /// Watches an item, until what is returned is called. Changes are told from what is known of it.
    func observeItem(
        _ id: String, since known: KnownContents, tell: @escaping @Sendable (Observation) -> Void
    ) async -> @Sendable () -> Void

    /// Watches a page and the items on it, until what is returned is called. Changes are told from what is known of it.
    func observePage(
        _ request: PageRequest, since known: KnownContents, tell: @escaping @Sendable (Observation) -> Void
    ) async -> @Sendable () -> Void

    /// Under what the resource's entries are kept, besides their own names.
    var fingerprint: String { get }

    /// What `item` would do.
    func explainItem(_ id: String, _ control: CacheControl) async -> Explanation

    /// What `page` would do.
    func explainPage(_ request: PageRequest, _ control: CacheControl) async -> Explanation

    /// What `items` would do.
    func explainItems(_ ids: [String], _ control: CacheControl) async -> Explanation

    /// How often the cache could answer.
    var statistics: ResourceStatistics { get }
}
