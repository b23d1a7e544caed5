import JSON
import Model

/// What may name a page of a list.
public enum PageForm: Equatable, Sendable {
    /// A number, at least so large.
    case number(from: Int)
    /// What another page's `next` or `previous` said: a text or a number that only the API understands.
    case opaque

    /// Whether a token can name a page.
    public func takes(_ token: PageToken) -> Bool {
        switch (self, token) {
        case (.number(let least), .number(let number)): number >= least
        case (.opaque, .number), (.opaque, .opaque): true
        case (.number, .opaque), (_, .first): false
        }
    }

    /// What is expected, as it completes "must be …".
    public var expected: String {
        switch self {
        case .number(let least): "a number from \(least)"
        case .opaque: "what came as 'next' or 'previous'"
        }
    }
}
