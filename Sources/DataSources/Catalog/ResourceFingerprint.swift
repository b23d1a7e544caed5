import JSON
import System

extension ResourceKey {
    /// The key of a resource as its catalog declares it: the fingerprint covers all that shapes its answers, the base
    /// URL that is really asked, the declaration, and header fields and credentials (only their keyed hash ever gets
    /// into the cache file, or out of the process).
    public init(_ resource: ResourceDefinition, of api: APIDefinition, key: FingerprintKey) {
        let digest = HMAC.sha256(Self.identity(of: resource, of: api), key: key.bytes)
        self.init(name: resource.name, fingerprint: Fingerprint(digest))
    }

    /// The fingerprint under which version 0.1 kept the resource: a hash without a key. It is looked up, and never
    /// written or shown.
    public static func formerFingerprint(_ resource: ResourceDefinition, of api: APIDefinition) -> Fingerprint {
        Fingerprint(SHA256.hash(identity(of: resource, of: api)))
    }

    /// What tells a declaration from others, whatever its secrets and variables are.
    public static func declarationFingerprint(
        _ resource: ResourceDefinition, of api: APIDefinition, key: FingerprintKey
    ) -> Fingerprint {
        let declared = String(decoding: resource.declaration + api.declaration, as: UTF8.self)
        let parts = [resource.name, resource.api, declared, api.reachedAt == api.baseURL ? "" : api.reachedAt]
        let text = JSONValue.array(parts.map { .string($0) }).text
        return Fingerprint(HMAC.sha256(Array(text.utf8), key: key.bytes))
    }

    private static func identity(of resource: ResourceDefinition, of api: APIDefinition) -> [UInt8] {
        var parts = [resource.name, api.reachedAt, String(decoding: resource.declaration, as: UTF8.self)]
        parts += api.headers.flatMap { [$0.name, $0.value] }
        parts += api.auth?.identity ?? []
        if case .rest(let operations) = resource.transport {
            // As JSON they stand in the declaration, but there a secret is a reference.
            parts += operations.templates.flatMap(\.texts)
        }
        // A path without placeholders is declared as it is asked, unless something stands for `${...}` in it.
        parts += api.connection.identity
        let declaration = String(decoding: resource.declaration, as: UTF8.self)
        if case .graphql(let path, _) = resource.transport, declaration.contains("${") {
            let declared = try? JSONValue(parsing: declaration)
            if case .string(let text)? = declared?["graphql"]?["path"], text != path { parts.append(path) }
        }
        return Array(JSONValue.array(parts.map { .string($0) }).text.utf8)
    }
}

extension ResourceKey.Fingerprint {
    /// The first 128 bits of a hash.
    fileprivate init(_ digest: [UInt8]) {
        func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: word(digest.prefix(8)), low: word(digest.dropFirst(8).prefix(8)))
    }
}

extension Catalog {
    /// The fingerprint under which version 0.1 kept a resource of this catalog.
    public func formerFingerprint(of name: String) -> ResourceKey.Fingerprint? {
        guard let resource = resources.first(where: { $0.name == name }), let api = api(of: resource) else {
            return nil
        }
        return ResourceKey.formerFingerprint(resource, of: api)
    }
}
