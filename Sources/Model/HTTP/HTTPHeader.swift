/// A header field (RFC 9110, section 5). Names are compared case-insensitively.
public struct HTTPHeader: Equatable, Sendable {
    /// The name of the field as written.
    public let name: String
    public let value: String

    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Whether the field has the given name, ignoring case.
    public func isNamed(_ other: String) -> Bool {
        name.utf8.count == other.utf8.count
            && (name == other || name.utf8.elementsEqual(other.utf8) { Self.lowered($0) == Self.lowered($1) })
    }

    private static func lowered(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }

    /// Whether a header field can be sent safely (RFC 9110, section 5). The name must be a token. The value must be one
    /// line without control characters.
    public static func isSafe(name: String, value: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0) }
            && !value.utf8.contains { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }
    }
}

extension [HTTPHeader] {
    /// The value of the first header field with the given name, ignoring case; nil if there is none.
    public subscript(name: String) -> String? { first { $0.isNamed(name) }?.value }
}
