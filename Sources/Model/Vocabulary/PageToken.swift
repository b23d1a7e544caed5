import JSON

/// A token that identifies a page in its list.
public enum PageToken: Hashable, Sendable {
    /// The first page of a list whose pages have cursors instead of numbers. Its JSON form is `null`.
    case first
    /// A page number, an offset, or a number that only the API understands.
    case number(Int)
    /// A string that only the API understands, such as a cursor. Empty strings from clients are rejected.
    case opaque(String)

    /// A placeholder for the next page's token in cached pages. It means that the API does not report whether there is
    /// a next page.
    public static let unknown = PageToken.opaque("")

    /// Creates a token from a client's value. Returns nil unless the value is an integer or a non-empty string.
    public init?(_ view: JSONView) {
        if let number = view.integer {
            self = .number(number)
        } else if let text = view.string, !text.isEmpty {
            self = .opaque(text)
        } else {
            return nil
        }
    }

    /// Creates a token from a JSON value. Returns nil for `null` and for other values that are not page tokens.
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
