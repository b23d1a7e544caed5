import DataSources
import System

/// The shared level of the cache, as a process is wired with it.
struct SharedLevel: Sendable {
    /// What names entries, also where the cache file keeps their names.
    struct Names: Sendable {
        let settings: SharedSettings
        let resources = SharedResources()
        /// What stands for an entry in the names of the server; nil for one that is not shared.
        let hash: @Sendable (EntryKey) -> [UInt8]?

        init(_ settings: SharedSettings) {
            self.settings = settings
            let names = SharedNames(secret: settings.secret, namespace: settings.namespace)
            hash = { [resources] key in
                resources.resource(of: key.resource).map { names.entry(key, of: $0).hash }
            }
        }
    }

    let entries: SharedDataSource
    private let resources: SharedResources

    init(
        _ names: Names, transport: HTTPClient, index: (any SharedIndexContract)?, loop: EventLoop,
        clock: any ClockContract, onFault: @escaping @Sendable (DegradedPart) -> Void,
        onRecovery: @escaping @Sendable () -> Void
    ) {
        resources = names.resources
        let url = names.settings.url
        let condition = SharedCondition(url, clock: clock, onFault: onFault, onRecovery: onRecovery)
        let server = RedisServer(url, http: transport, clock: clock) { condition.note($0) }
        entries = SharedDataSource(
            names.settings, server: server, condition: condition, resources: names.resources, index: index,
            clock: clock, timer: loop)
    }

    /// Says which resources of the catalog that is served are shared.
    func declare(_ catalog: Catalog, keys: [String: ResourceKey], _ fingerprints: FingerprintKey) {
        resources.declare(
            catalog.resources.compactMap { resource in
                guard let api = catalog.api(of: resource) else { return nil }
                let key = keys[resource.name] ?? ResourceKey(resource, of: api, key: fingerprints)
                return SharedResource(resource, of: api, key: key, secrets: catalog.secrets)
            })
    }

    /// The rate limit of an API that all who share the level keep to together; nil where nobody can tell whether others
    /// have the same token.
    func budget(of api: APIDefinition) -> (any RateBudgetContract)? {
        api.budgetIdentity.map { entries.budget($0) }
    }

    /// How it is, after one attempt to reach the server and to write.
    func probe() async -> SharedStatistics? { await entries.probe() }
}
