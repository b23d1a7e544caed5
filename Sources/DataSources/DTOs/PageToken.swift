import JSON

/// What names a page of a list.
public enum PageToken: Hashable, Sendable {
    /// A page number from 1.
    case number(Int)
    /// A text that only the API understands.
    case opaque(String)

    /// The token as JSON.
    public var json: JSONValue {
        switch self {
        case .number(let number): .integer(number)
        case .opaque(let text): .string(text)
        }
    }
}
