import JSON
import Model

/// The form of the tokens that identify pages of a list.
public enum PageForm: Equatable, Sendable {
    /// A number, not below this minimum.
    case number(from: Int)
    /// The `next` or `previous` of another page: a text or a number that only the API understands.
    case opaque

    /// Whether a token has this form. The token of the first page without a number (`.first`) never has.
    public func takes(_ token: PageToken) -> Bool {
        switch (self, token) {
        case (.number(let minimum), .number(let number)): number >= minimum
        case (.opaque, .number), (.opaque, .opaque): true
        case (.number, .opaque), (_, .first): false
        }
    }

    /// The description of valid tokens, as it completes "must be …" in an error message.
    public var expected: String {
        switch self {
        case .number(let minimum): "a number from \(minimum)"
        case .opaque: "the 'next' or 'previous' of another page"
        }
    }
}
