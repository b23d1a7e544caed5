import JSON
import System

/// The name of something in the shared level.
public struct SharedName: Hashable, Sendable {
    /// The 32 bytes that stand for what is named.
    public let hash: [UInt8]
    /// The server's key for it.
    public let key: String
}

/// Names and tags in a shared level, made with a secret that all who share it have. Who has not the secret learns
/// nothing from a name, and cannot make what carries a tag.
public struct SharedNames: Sendable {
    private let prefix: String
    private let names: HMAC.Key
    private let values: HMAC.Key
    private let changeTags: HMAC.Key
    /// The key of the stream of changes.
    public let changes: String
    /// A key, named as that of a lease, under which nothing ever is.
    let nothing: String
    /// The keys of the namespace, as an ACL names them.
    let pattern: String

    /// The names in one namespace.
    public init(secret: [UInt8], namespace: String) {
        let secret = HMAC.Key(secret)
        names = HMAC.Key(secret.sha256("larder:1:names".utf8))
        values = HMAC.Key(secret.sha256("larder:1:values".utf8))
        changeTags = HMAC.Key(secret.sha256("larder:1:changes".utf8))
        prefix = "larder:1:\(namespace)"
        changes = Self.key(prefix, "c", names.sha256(#"["c"]"#.utf8))
        nothing = Self.key(prefix, "l", names.sha256("[]".utf8))
        pattern = "~\(prefix):*"
    }

    /// The name of an item or a page of a resource.
    ///
    /// - Parameter resource: that of the entry's key; the scope is the key's.
    public func entry(_ key: EntryKey, of resource: SharedResource) -> SharedName {
        let unscoped = key.resource.resourceName
        let scope = String(key.resource.name[unscoped.endIndex...])
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

    /// The key of the lease of an entry.
    public func lease(of name: SharedName) -> String { Self.key(prefix, "l", name.hash) }

    /// The name of the marks of a resource, which are those of all of its scopes.
    public func marks(of resource: SharedResource) -> SharedName { name("m", resource.digest) }

    /// The key of the bucket of those who share a budget of requests.
    ///
    /// - Parameter identity: `APIDefinition.budgetIdentity`.
    public func bucket(_ identity: [UInt8]) -> String { name("b", SHA256.hexHash(identity)).key }

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

    /// The braces are a part of it: a cluster would keep keys together by what stands between them.
    private static func key(_ prefix: String, _ kind: StaticString, _ hash: [UInt8]) -> String {
        "\(prefix):\(kind):{\(SHA256.hex(hash))}"
    }
}

/// Tags, as lowercase hexadecimal digits in ASCII.
extension SharedNames {
    /// How many digits a tag has.
    static let tagSize = 64

    /// The tag of a value.
    ///
    /// - Parameters:
    ///   - header: its first line without the tag and without the brace behind that.
    ///   - payload: what stands behind that line.
    func tag(ofValue name: SharedName, header: ArraySlice<UInt8>, payload: ArraySlice<UInt8>) -> [UInt8] {
        var hasher = values.hasher()
        hasher.update(name.key.utf8)
        hasher.update("\n".utf8)
        hasher.update(header)
        hasher.update("}\n".utf8)
        hasher.update(payload)
        return Array(SHA256.hex(hasher.finish()).utf8)
    }

    /// The tag of what the stream of changes says.
    func tag(ofChange text: [UInt8]) -> [UInt8] {
        var hasher = changeTags.hasher()
        hasher.update(changes.utf8)
        hasher.update("\n".utf8)
        hasher.update(text)
        return Array(SHA256.hex(hasher.finish()).utf8)
    }

    /// Whether a tag is the one that it has to be. How long that takes tells nobody how much of it is right.
    static func isSame(_ tag: some Collection<UInt8>, _ other: some Collection<UInt8>) -> Bool {
        guard tag.count == tagSize, other.count == tagSize else { return false }
        return zip(tag, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
