import DataSources

/// The items and pages of one resource, wherever they are.
public protocol ResourceRepositoryContract: Sendable {
    /// The resource as the catalog declares it.
    var resource: ResourceDefinition { get }

    /// An item, if the policy lets memory alone answer. It never waits.
    func cachedItem(_ id: String, _ freshness: Freshness) -> Answer<[UInt8]>?

    /// A page, if the policy lets memory alone answer. It never waits.
    func cachedPage(_ request: PageRequest, _ freshness: Freshness) -> Answer<PageBytes>?

    /// Several items, if the policy lets memory alone answer. It never waits.
    func cachedItems(_ ids: [String], _ freshness: Freshness) -> ManyAnswer?

    /// An item as one JSON object.
    func item(_ id: String, _ freshness: Freshness) async throws(RepositoryError) -> Answer<[UInt8]>

    /// A page of the list.
    func page(_ request: PageRequest, _ freshness: Freshness) async throws(RepositoryError) -> Answer<PageBytes>

    /// Several items in the order of their ids.
    func items(_ ids: [String], _ freshness: Freshness) async throws(RepositoryError) -> ManyAnswer

    /// How often the cache could answer.
    var statistics: ResourceStatistics { get }
}
