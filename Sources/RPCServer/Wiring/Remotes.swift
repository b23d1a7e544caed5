import DataSources
import Repositories
import System

/// What reaches the APIs of all that is served, one catalog after the other.
struct Remotes: Sendable {
    /// One for the process: a loop waits for one source.
    let transport: any HTTPTransportContract
    /// What the environment says of connections and nobody may see.
    let secrets: [String]
    /// What commands and token endpoints have given.
    let tokens: TokenStore
    /// How gently each API is asked.
    let limiters: RequestLimiters
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
    /// What drafts catalogs of an API's answers, and what closes its connections.
    static func inference(
        _ options: Options, _ environment: Environment
    ) -> (inference: CatalogInference, close: () -> Void) {
        let connections = HTTPEnvironment(environment.bytes)
        let transport = HTTPClient(
            version: Version.current, environment: connections, loop: .shared, memoryInFlight: options.memoryInFlight)
        let client = APIClient(
            transport, limiter: nil, retries: 2, counters: RemoteCounters(), clock: SystemClock(),
            timer: EventLoop.shared)
        let inference = CatalogInference(
            client: client, secrets: environment.secrets(variables: options.variables), hidden: connections.secrets)
        return (inference, transport.shutdown)
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
                remote: remote, clock: process.clock, shared: process.shared, redact: { redactor.redact($0) })
        }
    }
}
