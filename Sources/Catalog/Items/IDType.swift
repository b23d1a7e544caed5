import JSON
import System

/// The type of a resource's ids.
public enum IDType: String, Equatable, Sendable {
    case integer, string

    /// Returns the canonical form of an id that a client sends. Nil if the string is not an id of the given type.
    ///
    /// The canonical form of an integer has no leading zeros: `7`, `-7`.
    public func canonical(_ text: String) -> String? {
        switch self {
        case .string: return text.isEmpty ? nil : text
        case .integer:
            return text.withBytes { Self.isCanonicalInteger($0) } ? text : nil
        }
    }

    /// Whether a string is an integer: an optional minus sign and digits without leading zeros.
    private static func isCanonicalInteger(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let start = bytes.first == UInt8(ascii: "-") ? 1 : 0
        guard start < bytes.count else { return false }
        for at in start..<bytes.count where bytes[at] < UInt8(ascii: "0") || bytes[at] > UInt8(ascii: "9") {
            return false
        }
        return bytes[start] != UInt8(ascii: "0") || bytes.count == 1
    }

    /// Returns the canonical form of an id from a response. Nil if the value is not an id. The API may send integer ids
    /// as strings, and string ids as integers.
    public func canonical(_ view: JSONView) -> String? {
        (view.string ?? view.number).flatMap { canonical($0) }
    }

    /// Writes an id in its canonical form as JSON.
    public func write(_ id: String, to writer: inout JSONWriter) {
        switch self {
        case .integer: writer.literal(id)
        case .string: writer.string(id)
        }
    }
}
