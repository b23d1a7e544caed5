import Catalog
import DataSources
import HTTP
import Model
import Redis
import System

/// Creates and configures the shared level of the cache, which is on a Redis server. Larder uses the shared level only
/// through this type.
package struct SharedLevel: Sendable {
    let entries: SharedDataSource
    private let resources = SharedResources()

    init(
        _ settings: SharedSettings, transport: HTTPClient, notes: (any CacheNotesContract)?, loop: EventLoop,
        clock: any ClockContract, onFault: @escaping @Sendable (DegradedPart) -> Void,
        onRecovery: @escaping @Sendable () -> Void
    ) {
        let condition = SharedHealthMonitor(settings.url, clock: clock, onFault: onFault, onRecovery: onRecovery)
        let server = RedisServer(settings.url, http: transport, clock: clock) { condition.note($0) }
        entries = SharedDataSource(
            settings, server: server, condition: condition, resources: resources, notes: notes, clock: clock,
            timer: loop)
    }

    /// Sets the resources of the catalog that use the shared cache level.
    func declare(_ catalog: Catalog, keys: [String: ResourceKey], _ fingerprints: FingerprintKey) {
        resources.declare(
            catalog.resources.compactMap { resource in
                guard let api = catalog.api(of: resource) else { return nil }
                let key = keys[resource.name] ?? ResourceKey(resource, of: api, key: fingerprints)
                return SharedResource(resource, of: api, key: key, secrets: catalog.secrets(of: api))
            })
    }

    /// Returns the rate limit that all machines share for an API. Nil if Larder cannot determine whether the machines
    /// use the same access token for the API.
    func budget(of api: APIDefinition) -> (any RateBudgetContract)? {
        api.budgetIdentity.map { entries.budget($0, timeout: api.timeout) }
    }

    /// Tests the Redis server of the shared cache level: connects, reads once and writes once. Returns the resulting
    /// statistics.
    package func probe() async -> SharedStatistics? { await entries.probe() }
}
