import JSON

/// The identity of a page in its list.
public enum PageToken: Hashable, Sendable {
    /// The first page of a list that has no number or cursor; `null` on the wire.
    case first
    /// A page number, an offset, or a number that only the API understands.
    case number(Int)
    /// A cursor text that only the API understands. A text from a client is never empty.
    case opaque(String)

    /// The stored next page if the API does not say whether there is one.
    public static let unknown = PageToken.opaque("")

    /// Creates a token from a client's value; nil if the value cannot identify a page. The list decides later whether
    /// it accepts numbers or texts.
    public init?(_ view: JSONView) {
        if let number = view.integer {
            self = .number(number)
        } else if let text = view.string, !text.isEmpty {
            self = .opaque(text)
        } else {
            return nil
        }
    }

    /// Creates a token from a reply; nil for `null` and for values that cannot identify a page.
    public init?(_ value: JSONValue?) {
        switch value {
        case .number(let digits):
            guard let number = Int(digits) else { return nil }
            self = .number(number)
        case .string(let text) where !text.isEmpty: self = .opaque(text)
        default: return nil
        }
    }

    public var json: JSONValue {
        switch self {
        case .first: .null
        case .number(let number): .integer(number)
        case .opaque(let text): .string(text)
        }
    }
}
