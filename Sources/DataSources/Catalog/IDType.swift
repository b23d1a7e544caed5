import JSON

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
            let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
            let isInteger =
                !digits.isEmpty && digits.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
                && (digits.count == 1 || digits.first != UInt8(ascii: "0")) && text != "-0"
            return isInteger ? text : nil
        }
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
