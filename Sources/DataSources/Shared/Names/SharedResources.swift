import Model
import System

/// The resources of the catalog that is served, as far as they are shared.
public final class SharedResources: Sendable {
    private let declared = Lock<[SharedResource]>([])

    /// None yet.
    public init() {}

    /// Takes the place of all that were declared before.
    public func declare(_ resources: [SharedResource]) { declared.withLock { $0 = resources } }

    /// The resource that a key is of, in whatever scope; nil where that is not shared.
    public func resource(of key: ResourceKey) -> SharedResource? {
        // All scopes of one declaration have the same first half.
        let high = key.fingerprint.high
        guard let found = all.first(where: { $0.key.fingerprint.high == high }) else { return nil }
        return found.key.name == key.name || found.key.resourceName == key.resourceName ? found : nil
    }

    /// All of them.
    public var all: [SharedResource] { declared.withLock { $0 } }

    /// The resource of a name in the catalog; nil where that is not shared.
    public func named(_ name: some StringProtocol) -> SharedResource? { all.first { $0.key.resourceName == name } }
}
