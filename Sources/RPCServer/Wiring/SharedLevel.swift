import Catalog
import DataSources
import HTTP
import Model
import Redis
import System

/// Creates the shared level of the cache, and gives other parts access to it.
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

    /// Declares which resources of the served catalog are shared.
    func declare(_ catalog: Catalog, keys: [String: ResourceKey], _ fingerprints: FingerprintKey) {
        resources.declare(
            catalog.resources.compactMap { resource in
                guard let api = catalog.api(of: resource) else { return nil }
                let key = keys[resource.name] ?? ResourceKey(resource, of: api, key: fingerprints)
                return SharedResource(resource, of: api, key: key, secrets: catalog.secrets)
            })
    }

    /// The shared rate limit of an API; nil if its token cannot be compared with those of other machines.
    func budget(of api: APIDefinition) -> (any RateBudgetContract)? {
        api.budgetIdentity.map { entries.budget($0, timeout: api.timeout) }
    }

    /// Connects, reads and writes once. Returns the resulting state.
    package func probe() async -> SharedStatistics? { await entries.probe() }
}
