import DataSources
import Repositories

/// The way to the APIs.
extension Container {
    static func client(
        _ options: Options, _ catalog: Catalog, _ redactor: Redactor, _ counters: RemoteCounters
    ) -> any HTTPClientContract {
        let moved = catalog.apis.filter { $0.reachedAt != $0.baseURL }
        // A cassette names the URL that the catalog declares, wherever the API was reached.
        let canonicalURL: @Sendable (String) -> String = { url in
            guard let api = moved.first(where: { url.hasPrefix($0.reachedAt) }) else { return url }
            return api.baseURL + url.dropFirst(api.reachedAt.count)
        }
        let sanitize: @Sendable (String) -> String = { redactor.redact($0) }
        if let directory = options.replay {
            let replay = ReplayHTTPClient(directory: directory, canonicalURL: canonicalURL, sanitize: sanitize)
            return CountingHTTPClient(replay, counters: counters)
        }
        let client = CountingHTTPClient(HTTPClient(version: Version.current), counters: counters)
        guard let directory = options.record else { return client }
        return RecordingHTTPClient(
            wrapping: client, directory: directory, canonicalURL: canonicalURL, sanitize: sanitize)
    }

    static func repositories(
        _ catalog: Catalog, client: any HTTPClientContract, memory: MemoryDataSource, persistence: EntityDataSource?,
        clock: any ClockContract, redactor: Redactor, shared: ResourceRepository.Shared
    ) -> [any ResourceRepositoryContract] {
        catalog.resources.compactMap { resource in
            guard let api = catalog.api(of: resource) else { return nil }
            let remote: any RemoteDataSourceContract =
                switch resource.transport {
                case .rest(let operations):
                    RESTDataSource(
                        resource: resource, operations: operations, api: api, client: client, redactor: redactor)
                case .graphql(let operations):
                    GraphQLDataSource(
                        resource: resource, operations: operations, api: api,
                        client: GraphQLClient(client: client, api: api, path: operations.path), redactor: redactor)
                }
            return ResourceRepository(
                resource: resource, key: ResourceKey(resource, of: api), remote: remote, memory: memory,
                persistence: persistence, clock: clock, shared: shared)
        }
    }
}
