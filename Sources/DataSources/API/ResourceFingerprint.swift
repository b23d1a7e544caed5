import Catalog
import JSON
import Model
import System

extension ResourceKey {
    /// Creates the cache key of a resource: its name and a fingerprint. The fingerprint is a keyed hash of everything
    /// that affects the API's answers. The hash reveals no credentials.
    // The hash covers the base URL, the declaration, header fields and credentials.
    public init(_ resource: ResourceDefinition, of api: APIDefinition, key: FingerprintKey) {
        let digest = HMAC.sha256(Self.identity(of: resource, of: api), key: key.bytes)
        self.init(name: resource.name, fingerprint: Fingerprint(digest))
    }

    /// Returns a fingerprint of a resource's declaration alone, without the values of secrets and variables.
    public static func declarationFingerprint(
        _ resource: ResourceDefinition, of api: APIDefinition, key: FingerprintKey
    ) -> Fingerprint {
        let declared = String(decoding: resource.declaration + api.declaration, as: UTF8.self)
        let parts = [
            resource.name, resource.api, declared, api.effectiveBaseURL == api.baseURL ? "" : api.effectiveBaseURL,
        ]
        let text = JSONValue.array(parts.map { .string($0) }).text
        return Fingerprint(HMAC.sha256(Array(text.utf8), key: key.bytes))
    }

    /// Returns the bytes whose hash is the resource's fingerprint. These bytes contain everything that affects the
    /// API's answers, including credentials.
    static func identity(of resource: ResourceDefinition, of api: APIDefinition) -> [UInt8] {
        var parts = [resource.name, api.effectiveBaseURL, String(decoding: resource.declaration, as: UTF8.self)]
        parts += api.headers.flatMap { [$0.name, $0.value] }
        parts += api.auth?.identity ?? []
        parts += resource.expandedTexts
        parts += api.connection.identity
        if let path = resource.expandedPath { parts.append(path) }
        return text(of: parts)
    }

    /// Returns bytes that identify a resource. A fixed text replaces each secret, so catalogs that differ only in their
    /// secrets get equal bytes.
    ///
    /// - Parameter secrets: all secrets of the catalog.
    static func commonIdentity(
        of resource: ResourceDefinition, of api: APIDefinition, secrets: [String]
    ) -> [UInt8] {
        // A short secret may occur in other strings by chance. It is therefore replaced only if it is the whole string.
        // A longer secret is replaced before the shorter secrets that it contains.
        let whole = Set(secrets)
        let long = whole.filter(Redactor.isSearchable).sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }
        func masked(_ text: String) -> String {
            if whole.contains(text) { return Redactor.mark }
            return long.reduce(text) { $0.replacing($1, with: Redactor.mark) }
        }
        let declaration = String(decoding: resource.declaration, as: UTF8.self)
        // The empty string distinguishes this identity from `identity(of:of:)`, which begins with the resource's name.
        var parts = ["", resource.name, masked(api.effectiveBaseURL), declaration]
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
    /// The bytes that identify an API's rate limit: the API's URL, header fields and credentials. Processes with equal
    /// bytes share the limit. Nil if a command or a token endpoint provides the access token, because such tokens
    /// differ between machines.
    public var budgetIdentity: [UInt8]? {
        guard auth?.sources.isEmpty ?? true else { return nil }
        // Any header field may contain a token.
        let fields = headers.flatMap { [$0.name, $0.value] }
        let parts = [effectiveBaseURL] + fields + (auth?.identity ?? []) + connection.identity
        return Array(JSONValue.array(parts.map { .string($0) }).text.utf8)
    }
}

extension ResourceDefinition {
    /// The texts of the REST request templates, with values in place of the placeholders `${...}`.
    // They are hashed in addition to the resource's declaration, which contains only the placeholders.
    fileprivate var expandedTexts: [String] {
        guard case .rest(let operations) = transport else { return [] }
        // The declaration does not contain `sync`, so a `sync` without placeholders must not change the hash.
        let sync = operations.sync.flatMap { $0.definition.isExpanded ? $0.template.texts : nil }
        return operations.templates.flatMap(\.texts) + (sync ?? [])
    }

    /// The path of a GraphQL endpoint with its `${...}` placeholders replaced by values; nil if the path has no
    /// placeholders.
    fileprivate var expandedPath: String? {
        let declaration = String(decoding: declaration, as: UTF8.self)
        guard case .graphql(let path, _) = transport, declaration.contains("${") else { return nil }
        let declared = try? JSONValue(parsing: declaration)
        guard case .string(let text)? = declared?["graphql"]?["path"], text != path else { return nil }
        return path
    }
}

extension ResourceKey.Fingerprint {
    /// Creates a resource's fingerprint from the first 128 bits of a hash.
    fileprivate init(_ digest: [UInt8]) {
        func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: word(digest.prefix(8)), low: word(digest.dropFirst(8).prefix(8)))
    }
}
