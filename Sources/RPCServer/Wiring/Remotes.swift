import Catalog
import DataSources
import HTTP
import Model
import Repositories
import System

/// The objects for API access that survive catalog reloads: the HTTP client, the access tokens and the rate limiters.
package struct Remotes: Sendable {
    /// The HTTP client of the process. There is only one, because a second client could not use the same event loop.
    package let transport: any HTTPTransportContract
    /// The secrets in environment variables that configure connections, such as a proxy's password. The redactor must
    /// replace these secrets.
    package let secrets: [String]
    /// The access tokens from commands and from the token endpoints of APIs.
    package let tokens: TokenStore
    /// The rate limiters of the APIs.
    let limiters: RequestLimiters
    /// The observer of requests to APIs; nil if no observer is needed.
    let watch: ClientWatch?
}

/// The HTTP client and the rate limiter that all resources of an API share.
struct RemoteAccess: Sendable {
    let client: any HTTPClientContract
    /// The API's rate limiter; nil for replayed responses, which need no requests.
    let limiter: RequestLimiter?
}

/// Creates the API clients and the repositories of a catalog.
extension Container {
    /// Returns an HTTP client for requests that belong to no catalog, such as the requests of `larder catalog infer`.
    /// Also returns the secrets in environment variables that configure connections, and a function that closes the
    /// connections.
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

    /// Returns the HTTP client and the rate limiter of each API, by API name. In replay mode, there are no rate
    /// limiters and no retries.
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
            // Replayed responses need no credentials.
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

    /// Returns a function that undoes the effect of `--base-url` on a request URL. This is necessary, because cassettes
    /// (recorded responses) contain the base URLs of the catalog.
    private static func canonicalURL(_ catalog: Catalog) -> @Sendable (String) -> String {
        let moved = catalog.apis.filter { $0.effectiveBaseURL != $0.baseURL }
        return { url in
            guard let api = moved.first(where: { url.hasPrefix($0.effectiveBaseURL) }) else { return url }
            return api.baseURL + url.dropFirst(api.effectiveBaseURL.count)
        }
    }

    /// Creates the repository of each resource in the catalog.
    package static func repositories(
        _ loaded: CatalogLoader.Loaded, _ redactor: Redactor, _ process: Process
    ) -> [any ResourceRepositoryContract] {
        let catalog = loaded.catalog
        let keys = ResourceKeyResolver(process).keys(of: catalog)
        let access = access(loaded, redactor, process)
        process.sharedLevel?.declare(catalog, keys: keys, process.key)
        return catalog.resources.compactMap { resource in
            guard let api = catalog.api(of: resource), let access = access[api.name] else { return nil }
            let client = access.client
            let remote: any RemoteDataSourceContract =
                switch resource.transport {
                // Replayed responses need no requests, so missing secrets and variables do not matter.
                case _ where !api.missingValues.isEmpty && process.options.replay == nil:
                    UnconfiguredDataSource(resource: resource, api: api, catalog: loaded.origin)
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
                remote: remote, clock: process.clock, context: process.shared, timeout: api.timeout,
                redact: { redactor.redact($0) })
        }
    }
}
