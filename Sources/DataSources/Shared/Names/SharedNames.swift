import JSON
import Model
import System

/// The name of an entry in the shared level. It is a hash that does not reveal the entry.
struct SharedName: Hashable, Sendable {
    /// The 32 bytes of the HMAC-SHA-256 of the entry's identity.
    let hash: [UInt8]
    /// The Redis key under which the entry is stored.
    let key: String
}

/// Computes the names of entries and the tags of values in one namespace of the shared level. Without the team's
/// secret, a name reveals nothing about its entry, and a tag cannot be forged.
// Names and tags are HMACs with keys that are derived from the secret.
struct SharedNames: Sendable {
    private let prefix: String
    private let names: HMAC.Key
    private let values: HMAC.Key
    /// A Redis key that never holds a value. Larder uses this key to test the rights of the Redis user.
    let nothing: String
    /// The pattern that matches all keys of the namespace, in the syntax of a Redis ACL, such as `~larder:1:team:*`.
    let pattern: String

    init(secret: [UInt8], namespace: String) {
        let secret = HMAC.Key(secret)
        names = HMAC.Key(secret.sha256("larder:1:names".utf8))
        values = HMAC.Key(secret.sha256("larder:1:values".utf8))
        prefix = "larder:1:\(namespace)"
        nothing = Self.key(prefix, "l", names.sha256("[]".utf8))
        pattern = "~\(prefix):*"
    }

    /// Returns the name of an item or a page in the shared level.
    ///
    /// - Parameter resource: the resource of the entry, without a scope. The scope is taken from `key`.
    func entry(_ key: EntryKey, of resource: SharedResource) -> SharedName {
        let full = key.resource.name
        let scope = full == resource.key.name ? "" : String(full[key.resource.resourceName.endIndex...])
        switch key {
        case .item(let item):
            return name("i", resource.digest, scope) { writer in
                writer.string(item.id)
                writer.bool(item.isPartial)
            }
        case .page(let page):
            return name("p", resource.digest, scope) { $0.string(page.request) }
        }
    }

    /// Returns the Redis key for the lease of an entry.
    func lease(of name: SharedName) -> String { Self.key(prefix, "l", name.hash) }

    /// Returns the Redis key of a resource's generations (`SharedGenerations`). All scopes of a resource share one key.
    func generations(of resource: SharedResource) -> String { name("g", resource.digest).key }

    /// Returns the Redis key of a rate limit's token bucket.
    ///
    /// - Parameter identity: the identity of the limit (`APIDefinition.budgetIdentity`).
    func bucket(_ identity: [UInt8]) -> String { name("b", SHA256.hexHash(identity)).key }

    private func name(
        _ kind: StaticString, _ parts: String..., more: (inout JSONWriter) -> Void = { _ in }
    ) -> SharedName {
        var writer = JSONWriter(capacity: 160)
        writer.beginArray()
        writer.string(kind)
        for part in parts { writer.string(part) }
        more(&writer)
        writer.endArray()
        let hash = names.sha256(writer.bytes)
        return SharedName(hash: hash, key: Self.key(prefix, kind, hash))
    }

    /// Returns a Redis key that consists of the prefix, the kind of key, and the hash in braces.
    // The braces mark the hash tag that Redis Cluster uses.
    private static func key(_ prefix: String, _ kind: StaticString, _ hash: [UInt8]) -> String {
        var key = prefix
        key.reserveCapacity(prefix.utf8.count + 72)
        key += ":\(kind):{"
        key += SHA256.hex(hash)
        key += "}"
        return key
    }
}

/// Computes and compares the tags of values in the shared level. A tag is an HMAC in lowercase hexadecimal digits.
extension SharedNames {
    /// The number of hexadecimal digits in a tag.
    static let tagSize = 64

    /// Returns the tag of a value in the shared level.
    ///
    /// - Parameters:
    ///   - header: the first line of the value, without the tag at its end.
    ///   - payload: the bytes after the first line.
    func tag(ofValue name: SharedName, header: ArraySlice<UInt8>, payload: ArraySlice<UInt8>) -> [UInt8] {
        var hasher = values.hasher()
        hasher.update(name.key.utf8)
        hasher.update("\n".utf8)
        hasher.update(header)
        hasher.update("}\n".utf8)
        hasher.update(payload)
        return SHA256.hexDigits(hasher.finish())
    }

    /// Returns whether two tags are equal. The comparison takes constant time.
    static func isSame(_ tag: some Collection<UInt8>, _ other: some Collection<UInt8>) -> Bool {
        guard tag.count == tagSize, other.count == tagSize else { return false }
        return zip(tag, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
