import JSON
import System

/// A resource whose entries a shared level may have.
public struct SharedResource: Equatable, Sendable {
    /// The key of the resource without a scope, as this machine's file names it.
    public let key: ResourceKey
    /// What names in the shared level are made over: the same on all machines that may share the resource's entries. It
    /// may hold credentials.
    public let identity: [UInt8]
    /// For how many milliseconds its entries are kept; nil is for ever.
    public let keepFor: Int?
    /// For how many milliseconds another process's fetch is waited for at most: half of the API's timeout.
    public let patience: Int
    /// The names of the parents of its items.
    let scope: [String]
    /// The hash of the identity, which is long, in hexadecimal digits.
    let digest: String

    /// A resource that is shared by all who have this identity of it.
    init(
        key: ResourceKey, identity: [UInt8], keepFor: Int? = nil, patience: Int = 5_000, scope: [String] = []
    ) {
        self.key = key
        self.scope = scope
        self.identity = identity
        self.keepFor = keepFor
        self.patience = patience
        digest = SHA256.hexHash(identity)
    }

    /// A resource of a catalog; nil where it is not shared.
    ///
    /// Entries are shared among those who have equal static credentials. Who is behind a command, OAuth or the path of
    /// a certificate, no other machine can tell: their entries are shared with everyone, or with nobody.
    ///
    /// - Parameters:
    ///   - key: its key without a scope.
    ///   - secrets: every text of the catalog that is secret.
    public init?(_ resource: ResourceDefinition, of api: APIDefinition, key: ResourceKey, secrets: [String]) {
        guard api.absences.isEmpty else { return nil }
        let identity: [UInt8]
        switch resource.cache.shared {
        case .never: return nil
        case .everyone: identity = ResourceKey.commonIdentity(of: resource, of: api, secrets: secrets)
        case nil:
            guard api.auth?.sources.isEmpty ?? true, api.connection.certificate == nil else { return nil }
            identity = ResourceKey.identity(of: resource, of: api)
        }
        self.init(
            key: key, identity: identity, keepFor: resource.cache.keepFor, patience: api.timeout / 2,
            scope: resource.scope.map(\.name))
    }

    /// Its key in one scope; nil where some of the values are missing, so that several scopes are meant.
    func key(in narrowing: ScopeNarrowing?) -> ResourceKey? {
        if scope.isEmpty { return key }
        guard let narrowing, scope.allSatisfy({ name in narrowing.values.contains { $0.name == name } }) else {
            return nil
        }
        return key.scoped(ResourceScope(narrowing.values))
    }
}
