import DataSources

extension Container {
    /// `R/search` of a resource; nil where its API is not known.
    static func search(
        _ resource: ResourceDefinition, of catalog: Catalog, in cache: CacheSearch, clock: any ClockContract,
        errors: RPCErrorMapper
    ) -> SearchHandler? {
        guard let api = catalog.api(of: resource) else { return nil }
        let key = ResourceKey(resource, of: api)
        return SearchHandler(
            fields: resource.fields.map { FieldNames(fields: $0) }, errors: errors,
            search: { text, filters, limit, offset async throws(LocalDataError) in
                let since = resource.cache.keepFor.map {
                    Timestamp(milliseconds: clock.now().milliseconds - Int64($0))
                }
                return try await cache.hits(
                    SearchQuery(
                        resource: key, text: text, filters: filters, keptSince: since, limit: limit, offset: offset))
            })
    }
}
