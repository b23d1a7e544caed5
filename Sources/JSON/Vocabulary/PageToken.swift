/// What names a page of a list.
public enum PageToken: Hashable, Sendable {
    /// A page number from 1.
    case number(Int)
    /// A text that only the API understands; never empty where a client sent it.
    case opaque(String)

    /// The token that a client sent; nil for a value that names no page.
    public init?(_ view: JSONView) {
        if let number = view.integer, number >= 1 {
            self = .number(number)
        } else if let text = view.string, !text.isEmpty {
            self = .opaque(text)
        } else {
            return nil
        }
    }

    public var json: JSONValue {
        switch self {
        case .number(let number): .integer(number)
        case .opaque(let text): .string(text)
        }
    }
}
