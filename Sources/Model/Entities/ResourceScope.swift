import JSON
import System

/// The values of a resource's scope: of which parents its items are.
public final class ResourceScope: Equatable, Sendable {
    /// The values in the order of the catalog.
    public let values: [(name: String, value: JSONValue)]
    /// The values as one canonical text.
    public let text: String

    /// A scope of values in their canonical form.
    public init(_ values: [(name: String, value: JSONValue)]) {
        self.values = values
        text = JSONValue.object(JSONObject(values.sorted { $0.name < $1.name }.map { ($0.name, $0.value) })).text
    }

    public static func == (left: ResourceScope, right: ResourceScope) -> Bool { left.text == right.text }
}

/// Values that a scope must have; those of other names may be any.
public struct ScopeNarrowing: Equatable, Sendable {
    /// The values in their canonical form.
    public let values: [(name: String, value: JSONValue)]

    /// A narrowing to these values; to none of them is none.
    public init(_ values: [(name: String, value: JSONValue)]) { self.values = values }

    public static func == (left: ScopeNarrowing, right: ScopeNarrowing) -> Bool {
        left.values.elementsEqual(right.values) { $0.name == $1.name && $0.value == $1.value }
    }
}

extension ResourceKey {
    /// The key of the resource in one scope. Its name tells which: that is how the file, too, tells scopes apart.
    public func scoped(_ scope: ResourceScope) -> ResourceKey {
        let base = [fingerprint.high, fingerprint.low].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) }
        }
        let digest = HMAC.sha256(Array(scope.text.utf8), key: base)
        let low = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // All scopes of one declaration have the same first half.
        return ResourceKey(name: name + scope.text, fingerprint: Fingerprint(high: fingerprint.high, low: low))
    }

    /// The resource's name in the catalog, without the values of a scope.
    public var resourceName: Substring { name[..<(name.utf8.firstIndex(of: UInt8(ascii: "{")) ?? name.endIndex)] }

    /// Whether it is the key of one of the scopes of a resource that has these values.
    package func isScope(of resource: ResourceKey, with narrowing: ScopeNarrowing) -> Bool {
        fingerprint.high == resource.fingerprint.high && has(narrowing) && resourceName == resource.resourceName
    }

    /// Whether its scope has these values; some of them may be left out.
    package func has(_ narrowing: ScopeNarrowing) -> Bool {
        if narrowing.values.isEmpty { return true }
        let text = name[resourceName.endIndex...]
        guard !text.isEmpty, let scope = try? JSONValue(parsing: String(text)) else { return false }
        return narrowing.values.allSatisfy { scope[$0.name] == $0.value }
    }
}
