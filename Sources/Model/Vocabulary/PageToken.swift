import JSON

/// What names a page of a list.
public enum PageToken: Hashable, Sendable {
    /// The page that a list begins with, where nothing else names it; `null` on the wire.
    case first
    /// A page number or an offset, or a number that only the API understands.
    case number(Int)
    /// A text that only the API understands; never empty where a client sent it.
    case opaque(String)

    /// Stands in a kept page for a next one of which nobody knows whether it is there.
    public static let unknown = PageToken.opaque("")

    /// The token that a client sent; nil for a value that names no page. Which numbers do, and whether texts do,
    /// depends on the list.
    public init?(_ view: JSONView) {
        if let number = view.integer {
            self = .number(number)
        } else if let text = view.string, !text.isEmpty {
            self = .opaque(text)
        } else {
            return nil
        }
    }

    /// The token of a reply; nil for `null` and for a value that names no page.
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
