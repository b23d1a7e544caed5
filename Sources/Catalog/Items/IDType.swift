import JSON
import System

/// What the ids of a resource are.
public enum IDType: String, Equatable, Sendable {
    case integer, string

    /// The one text that stands for an id; nil where `text` is none.
    ///
    /// An integer's text is its digits without leading zeros: `7`, `-7`.
    public func canonical(_ text: String) -> String? {
        switch self {
        case .string: return text.isEmpty ? nil : text
        case .integer:
            return text.withBytes { Self.isCanonicalInteger($0) } ? text : nil
        }
    }

    /// Digits without leading zeros, perhaps with a minus before them.
    private static func isCanonicalInteger(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let start = bytes.first == UInt8(ascii: "-") ? 1 : 0
        guard start < bytes.count else { return false }
        for at in start..<bytes.count where bytes[at] < UInt8(ascii: "0") || bytes[at] > UInt8(ascii: "9") {
            return false
        }
        return bytes[start] != UInt8(ascii: "0") || bytes.count == 1
    }

    /// The text of an id in an answer, which may be an integer or a string whatever is declared; nil where it is no id.
    public func canonical(_ view: JSONView) -> String? {
        (view.string ?? view.number).flatMap { canonical($0) }
    }

    /// Writes an id's text as JSON.
    public func write(_ id: String, to writer: inout JSONWriter) {
        switch self {
        case .integer: writer.literal(id)
        case .string: writer.string(id)
        }
    }
}
