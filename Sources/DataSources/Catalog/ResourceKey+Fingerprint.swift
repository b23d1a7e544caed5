import JSON

extension ResourceKey {
    /// The key of a resource as its catalog declares it: the fingerprint covers all that shapes its answers, the base
    /// URL that is really asked, the declaration, and header fields and credentials (only their hash ever gets into
    /// the cache file).
    public init(_ resource: ResourceDefinition, of api: APIDefinition) {
        var parts = [resource.name, api.reachedAt, String(decoding: resource.declaration, as: UTF8.self)]
        parts += api.headers.flatMap { [$0.name, $0.value] }
        switch api.auth {
        case nil: break
        case .bearer(let token): parts += ["bearer", token]
        case .basic(let user, let password): parts += ["basic", user, password]
        case .header(let name, let value): parts += ["header", name, value]
        case .query(let name, let value): parts += ["query", name, value]
        }
        if case .rest(let operations) = resource.transport {
            // As JSON they stand in the declaration, but there a secret is a reference.
            parts += operations.all.flatMap { $0.headers.map(\.value) + $0.query.map(\.value) }
        }
        let digest = SHA256.hash(Array(JSONValue.array(parts.map { .string($0) }).text.utf8))
        func word(_ range: Range<Int>) -> UInt64 { digest[range].reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(name: resource.name, fingerprint: Fingerprint(high: word(0..<8), low: word(8..<16)))
    }
}
