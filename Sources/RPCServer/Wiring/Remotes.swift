import DataSources
import Repositories
import System

/// What reaches the APIs of all that is served, one catalog after the other.
struct Remotes: Sendable {
    /// One for the process: a loop waits for one source.
    let transport: any HTTPTransportContract
    /// What the environment says of connections and nobody may see.
    let secrets: [String]
    /// Notes what is asked; nil where nobody looks.
    let exchanges: ExchangeLog?
}

/// How one API is reached, by all resources that it serves.
struct RemoteAccess: Sendable {
    let client: any HTTPClientContract
    /// nil where no request leaves.
    let limiter: RequestLimiter?
}

/// The way to the APIs.
extension Container {
    /// How each API is reached, by its name. What is replayed is asked of nobody: it has no limits, and would be the
    /// same when asked for again.
    private static func access(
        _ catalog: Catalog, _ redactor: Redactor, _ process: Process
    ) -> [String: RemoteAccess] {
        let options = process.options
        let isReplay = options.replay != nil
        let canonicalURL = canonicalURL(catalog)
        let transport: any HTTPTransportContract =
            if let directory = options.replay {
                ReplayHTTPClient(directory: directory, canonicalURL: canonicalURL, redactor: redactor)
            } else {
                process.remotes.transport
            }
        var access: [String: RemoteAccess] = [:]
        for api in catalog.apis {
            let limiter =
                isReplay
                ? nil
                : RequestLimiter(
                    maxConcurrent: api.maxConcurrent, rateLimit: api.rateLimit, timer: process.loop)
            let client = APIClient(
                transport, limiter: limiter, retries: isReplay ? 0 : api.retries, counters: process.counters,
                clock: process.clock, timer: process.loop)
            let recording = options.record.map {
                RecordingHTTPClient(
                    wrapping: client, directory: $0, canonicalURL: canonicalURL, redactor: redactor,
                    headers: catalog.answerHeaders)
            }
            let whole: any HTTPClientContract = recording ?? client
            let watched = process.remotes.exchanges.map {
                WatchingHTTPClient(wrapping: whole, log: $0, redactor: redactor)
            }
            access[api.name] = RemoteAccess(client: watched ?? whole, limiter: limiter)
        }
        return access
    }

    /// A cassette names the URL that the catalog declares, wherever the API was reached.
    private static func canonicalURL(_ catalog: Catalog) -> @Sendable (String) -> String {
        let moved = catalog.apis.filter { $0.reachedAt != $0.baseURL }
        return { url in
            guard let api = moved.first(where: { url.hasPrefix($0.reachedAt) }) else { return url }
            return api.baseURL + url.dropFirst(api.reachedAt.count)
        }
    }

    static func repositories(
        _ loaded: CatalogLoader.Loaded, _ redactor: Redactor, _ process: Process
    ) -> [any ResourceRepositoryContract] {
        let catalog = loaded.catalog
        let keys = FingerprintMemory(process).keys(of: catalog)
        let access = access(catalog, redactor, process)
        return catalog.resources.compactMap { resource in
            guard let api = catalog.api(of: resource), let access = access[api.name] else { return nil }
            let client = access.client
            let remote: any RemoteDataSourceContract =
                switch resource.transport {
                case _ where !api.absences.isEmpty:
                    UnreachableDataSource(resource: resource, api: api, catalog: loaded.origin)
                case .rest(let operations):
                    RESTDataSource(
                        resource: resource, operations: operations, api: api, client: client, redactor: redactor,
                        limiter: access.limiter)
                case .graphql(let path, let operations):
                    GraphQLDataSource(
                        resource: resource, path: path, operations: operations, api: api,
                        client: GraphQLClient(client: client, api: api, path: path), redactor: redactor,
                        limiter: access.limiter)
                }
            return ResourceRepository(
                resource: resource, key: keys[resource.name] ?? ResourceKey(resource, of: api, key: process.key),
                remote: remote, clock: process.clock, shared: process.shared, redact: { redactor.redact($0) })
        }
    }
}
