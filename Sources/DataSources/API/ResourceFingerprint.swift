import Catalog
import JSON
import Model
import System

extension ResourceKey {
    /// The key of a resource as its catalog declares it: the fingerprint covers all that shapes its answers, the base
    /// URL that is really asked, the declaration, and header fields and credentials (only their keyed hash ever gets
    /// into the cache file, or out of the process).
    public init(_ resource: ResourceDefinition, of api: APIDefinition, key: FingerprintKey) {
        let digest = HMAC.sha256(Self.identity(of: resource, of: api), key: key.bytes)
        self.init(name: resource.name, fingerprint: Fingerprint(digest))
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

    /// All that shapes the answers, credentials among it.
    static func identity(of resource: ResourceDefinition, of api: APIDefinition) -> [UInt8] {
        var parts = [resource.name, api.reachedAt, String(decoding: resource.declaration, as: UTF8.self)]
        parts += api.headers.flatMap { [$0.name, $0.value] }
        parts += api.auth?.identity ?? []
        parts += resource.expandedTexts
        parts += api.connection.identity
        if let path = resource.expandedPath { parts.append(path) }
        return text(of: parts)
    }

    /// The same for all who ask, whoever they are: without credentials, and with a mark for each secret. Two that
    /// differ in their secrets alone have one.
    ///
    /// - Parameter secrets: every text of the catalog that is secret.
    static func commonIdentity(
        of resource: ResourceDefinition, of api: APIDefinition, secrets: [String]
    ) -> [UInt8] {
        // A short secret stands in a text by chance too: it is looked for as a whole text only. A secret that holds
        // another one comes before it.
        let whole = Set(secrets)
        let long = whole.filter(Redactor.looksFor).sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }
        func masked(_ text: String) -> String {
            if whole.contains(text) { return Redactor.mark }
            return long.reduce(text) { $0.replacing($1, with: Redactor.mark) }
        }
        let declaration = String(decoding: resource.declaration, as: UTF8.self)
        // Nothing else begins with an empty text: a resource has a name.
        var parts = ["", resource.name, masked(api.reachedAt), declaration]
        parts += api.headers.flatMap { [$0.name, masked($0.value)] }
        parts += resource.expandedTexts.map { masked($0) }
        if let path = resource.expandedPath { parts.append(masked(path)) }
        return text(of: parts)
    }

    private static func text(of parts: [String]) -> [UInt8] {
        Array(JSONValue.array(parts.map { .string($0) }).text.utf8)
    }
}

extension APIDefinition {
    /// Who asks where: all who have the same share one budget of requests; nil where a token must be asked for first,
    /// of which nobody can tell whether others have the same. It may hold credentials.
    public var budgetIdentity: [UInt8]? {
        guard auth?.sources.isEmpty ?? true else { return nil }
        // A token may stand in any header field.
        let fields = headers.flatMap { [$0.name, $0.value] }
        let parts = [reachedAt] + fields + (auth?.identity ?? []) + connection.identity
        return Array(JSONValue.array(parts.map { .string($0) }).text.utf8)
    }
}

extension ResourceDefinition {
    /// The texts of requests in which something may stand for `${...}`: as JSON they stand in the declaration, but
    /// there a secret is a reference.
    fileprivate var expandedTexts: [String] {
        if case .rest(let operations) = transport { operations.templates.flatMap(\.texts) } else { [] }
    }

    /// The path of a GraphQL endpoint, where something stands for `${...}` in it: one without placeholders is declared
    /// as it is asked.
    fileprivate var expandedPath: String? {
        let declaration = String(decoding: declaration, as: UTF8.self)
        guard case .graphql(let path, _) = transport, declaration.contains("${") else { return nil }
        let declared = try? JSONValue(parsing: declaration)
        guard case .string(let text)? = declared?["graphql"]?["path"], text != path else { return nil }
        return path
    }
}

extension ResourceKey.Fingerprint {
    /// The first 128 bits of a hash.
    fileprivate init(_ digest: [UInt8]) {
        func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: word(digest.prefix(8)), low: word(digest.dropFirst(8).prefix(8)))
    }
}
