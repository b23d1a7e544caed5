import Model
import System

/// The resources of the current catalog that are stored in the shared level.
public final class SharedResources: Sendable {
    private let declared = Lock<[SharedResource]>([])

    /// Creates an empty collection. `declare` sets the resources when a catalog is loaded.
    public init() {}

    /// Replaces all shared resources. Must be called when a catalog is loaded.
    public func declare(_ resources: [SharedResource]) { declared.withLock { $0 = resources } }

    /// Finds the shared resource for a cache key, regardless of the key's scope. Returns nil if the resource is not
    /// shared.
    public func resource(of key: ResourceKey) -> SharedResource? {
        // The first half of the fingerprint is equal in all scopes of a resource.
        let high = key.fingerprint.high
        guard let found = all.first(where: { $0.key.fingerprint.high == high }) else { return nil }
        return found.key.name == key.name || found.key.resourceName == key.resourceName ? found : nil
    }

    /// All resources of the current catalog that are stored in the shared level.
    public var all: [SharedResource] { declared.withLock { $0 } }

    /// Returns the shared resource with a given name in the catalog; nil if the resource is not shared.
    public func named(_ name: some StringProtocol) -> SharedResource? { all.first { $0.key.resourceName == name } }
}
