import JSON
import Model

/// The kind of page tokens that a list accepts.
public enum PageForm: Equatable, Sendable {
    /// Page numbers, starting at the associated minimum.
    case number(from: Int)
    /// Page tokens that only the API can interpret: strings or numbers. A client receives a token in the field `next`
    /// or `previous` of a page, and sends the token back to request that page.
    case opaque

    /// Whether a page token has the form that the list accepts. Always false for `.first`, which requests the first
    /// page without a token.
    public func takes(_ token: PageToken) -> Bool {
        switch (self, token) {
        case (.number(let minimum), .number(let number)): number >= minimum
        case (.opaque, .number), (.opaque, .opaque): true
        case (.number, .opaque), (_, .first): false
        }
    }

    /// The description of valid page tokens. Error messages use it after "must be".
    public var expected: String {
        switch self {
        case .number(let minimum): "a number from \(minimum)"
        case .opaque: "the 'next' or 'previous' of another page"
        }
    }
}
