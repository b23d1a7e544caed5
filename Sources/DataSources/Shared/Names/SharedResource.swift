import Catalog
import JSON
import Model
import System

/// A resource whose entries are stored in the shared level.
// A class rather than a struct, because each lookup copies it: a copy of a reference is cheap.
public final class SharedResource: Sendable {
    /// The resource's key in the cache levels of this machine: memory and the cache file. It contains no scope.
    public let key: ResourceKey
    /// The bytes that identify the resource on all machines that share its entries. They may contain credentials.
    public let identity: [UInt8]
    /// The lifetime of the resource's entries, in milliseconds; nil if it is unlimited.
    public let keepFor: Milliseconds?
    /// The timeout of the resource's API, in milliseconds.
    public let timeout: Milliseconds
    /// The names of the values that make up a scope of the resource, such as `owner` and `repo`.
    let scope: [String]
    /// The SHA-256 hash of the resource's identity, in hexadecimal digits.
    let digest: String

    init(
        key: ResourceKey, identity: [UInt8], keepFor: Milliseconds? = nil, timeout: Milliseconds = 10_000,
        scope: [String] = []
    ) {
        self.key = key
        self.scope = scope
        self.identity = identity
        self.keepFor = keepFor
        self.timeout = timeout
        digest = SHA256.hexHash(identity)
    }

    /// Describes a resource of a catalog for the shared level. Returns nil if the resource is not shared.
    ///
    /// Machines with equal static credentials share entries. With credentials from commands, OAuth or client
    /// certificates, a resource is shared only if the catalog declares `"shared": "everyone"`.
    ///
    /// - Parameters:
    ///   - key: the key of the resource, without a scope.
    ///   - secrets: all secrets of the catalog.
    // Such credentials cannot be compared across machines.
    public convenience init?(
        _ resource: ResourceDefinition, of api: APIDefinition, key: ResourceKey, secrets: [String]
    ) {
        guard api.missingValues.isEmpty else { return nil }
        let identity: [UInt8]
        switch resource.cache.shared {
        case .never: return nil
        case .everyone: identity = ResourceKey.commonIdentity(of: resource, of: api, secrets: secrets)
        case nil:
            guard api.auth?.sources.isEmpty ?? true, api.connection.certificate == nil else { return nil }
            identity = ResourceKey.identity(of: resource, of: api)
        }
        self.init(
            key: key, identity: identity, keepFor: resource.cache.keepFor, timeout: api.timeout,
            scope: resource.scope.map(\.name))
    }

    /// The maximum time to wait for an entry that another process is fetching, in milliseconds.
    var maxWait: Milliseconds { timeout / 2 }

    /// Returns the key of the resource with the given scope values. Returns nil if a value of the scope is missing.
    func key(in narrowing: ScopeNarrowing?) -> ResourceKey? {
        if scope.isEmpty { return key }
        guard let narrowing, scope.allSatisfy({ name in narrowing.values.contains { $0.name == name } }) else {
            return nil
        }
        return key.scoped(ResourceScope(narrowing.values))
    }
}
