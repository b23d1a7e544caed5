import JSON
import System

/// The values that identify the parent of a resource's items, such as `owner` and `repo` of an issue.
public final class ResourceScope: Equatable, Sendable {
    /// The parameter names and values of the scope, in the order of the catalog.
    public let values: [(name: String, value: JSONValue)]
    /// The values of the scope as canonical JSON.
    public let text: String

    /// Creates a scope from values in canonical form.
    public init(_ values: [(name: String, value: JSONValue)]) {
        self.values = values
        text = JSONValue.object(JSONObject(values.sorted { $0.name < $1.name }.map { ($0.name, $0.value) })).text
    }

    public static func == (left: ResourceScope, right: ResourceScope) -> Bool { left.text == right.text }
}

/// Required values for some parameters of a scope, such as a given `owner`. The other parameters may have any value.
public struct ScopeNarrowing: Equatable, Sendable {
    /// The parameter names and their required values. The values are in canonical form.
    public let values: [(name: String, value: JSONValue)]

    /// Creates a set of required values. An empty set matches every scope.
    public init(_ values: [(name: String, value: JSONValue)]) { self.values = values }

    public static func == (left: ScopeNarrowing, right: ScopeNarrowing) -> Bool {
        left.values.elementsEqual(right.values) { $0.name == $1.name && $0.value == $1.value }
    }
}

extension ResourceKey {
    /// Returns the key for one scope of this resource, such as the issues of one repository. The new key's name is the
    /// name of this key followed by the scope's canonical JSON.
    public func scoped(_ scope: ResourceScope) -> ResourceKey {
        let base = [fingerprint.high, fingerprint.low].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) }
        }
        let digest = HMAC.sha256(Array(scope.text.utf8), key: base)
        let low = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // All scopes of a resource share the first half of the fingerprint.
        return ResourceKey(name: name + scope.text, fingerprint: Fingerprint(high: fingerprint.high, low: low))
    }

    /// The name of the resource in the catalog. Unlike `name`, it never contains the values of a scope.
    public var resourceName: Substring { name[..<(name.utf8.firstIndex(of: UInt8(ascii: "{")) ?? name.endIndex)] }

    /// Whether the key belongs to `resource`, and its scope contains the required values.
    package func isScope(of resource: ResourceKey, with narrowing: ScopeNarrowing) -> Bool {
        fingerprint.high == resource.fingerprint.high && has(narrowing) && resourceName == resource.resourceName
    }

    /// Whether the key's scope contains the required values.
    package func has(_ narrowing: ScopeNarrowing) -> Bool {
        if narrowing.values.isEmpty { return true }
        let text = name[resourceName.endIndex...]
        guard !text.isEmpty, let scope = try? JSONValue(parsing: String(text)) else { return false }
        return narrowing.values.allSatisfy { scope[$0.name] == $0.value }
    }
}
