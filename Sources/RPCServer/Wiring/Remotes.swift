import Catalog
import DataSources
import HTTP
import Model
import Repositories
import System

/// What reaches the APIs of all that is served, one catalog after the other.
package struct Remotes: Sendable {
    /// One for the process: a loop waits for one source.
    package let transport: any HTTPTransportContract
    /// What the environment says of connections and nobody may see.
    package let secrets: [String]
    /// What commands and token endpoints have given.
    package let tokens: TokenStore
    /// How gently each API is asked.
    let limiters: RequestLimiters
    /// Observes the requests; nil if nothing observes them.
    let watch: ClientWatch?
}

/// How one API is reached, by all resources that it serves.
struct RemoteAccess: Sendable {
    let client: any HTTPClientContract
    /// nil where no request leaves.
    let limiter: RequestLimiter?
}

/// The way to the APIs.
extension Container {
    /// A client for requests that belong to no catalog, the secrets in the environment's settings for connections, and
    /// what closes the connections.
    package static func client(
        _ options: Options, _ environment: Environment
    ) -> (client: any HTTPClientContract, secrets: [String], close: () -> Void) {
        let connections = HTTPEnvironment(environment.bytes)
        let transport = HTTPClient(
            version: Version.current, environment: connections, loop: .shared, memoryInFlight: options.memoryInFlight)
        let client = APIClient(
            transport, limiter: nil, retries: 2, counters: RemoteCounters(), clock: SystemClock(),
            timer: EventLoop.shared)
        return (client, connections.secrets, transport.shutdown)
    }

    /// How each API is reached, by its name. What is replayed is asked of nobody: it has no limits, and would be the
    /// same when asked for again.
    private static func access(
        _ loaded: CatalogLoader.Loaded, _ redactor: Redactor, _ process: Process
    ) -> [String: RemoteAccess] {
        let catalog = loaded.catalog
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
            let limiter = isReplay ? nil : process.remotes.limiters.limiter(of: api)
            // A recording answers whoever asks, and has no credentials.
            let authorizer =
                isReplay
                ? nil
                : process.remotes.tokens.authorizer(
                    for: api, catalog: loaded.origin, secrets: catalog.secrets + process.remotes.secrets)
            let client = APIClient(
                transport, limiter: limiter, authorizer: authorizer, waits: api.waits,
                retries: isReplay ? 0 : api.retries, counters: process.counters,
                clock: process.clock, timer: process.loop)
            let recording = options.record.map {
                RecordingHTTPClient(
                    wrapping: client, directory: $0, canonicalURL: canonicalURL, redactor: redactor,
                    headers: catalog.answerHeaders)
            }
            let whole: any HTTPClientContract = recording ?? client
            let watched = process.remotes.watch?.wrap(whole, redactor) ?? whole
            access[api.name] = RemoteAccess(client: watched, limiter: limiter)
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

    package static func repositories(
        _ loaded: CatalogLoader.Loaded, _ redactor: Redactor, _ process: Process
    ) -> [any ResourceRepositoryContract] {
        let catalog = loaded.catalog
        let keys = FingerprintMemory(process).keys(of: catalog)
        let access = access(loaded, redactor, process)
        process.sharedLevel?.declare(catalog, keys: keys, process.key)
        return catalog.resources.compactMap { resource in
            guard let api = catalog.api(of: resource), let access = access[api.name] else { return nil }
            let client = access.client
            let remote: any RemoteDataSourceContract =
                switch resource.transport {
                // What is replayed is sent to nobody.
                case _ where !api.absences.isEmpty && process.options.replay == nil:
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
                remote: remote, clock: process.clock, context: process.shared, redact: { redactor.redact($0) })
        }
    }
}
