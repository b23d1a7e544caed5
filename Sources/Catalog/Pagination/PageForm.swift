import JSON
import Model

/// The kind of page tokens that a list accepts.
public enum PageForm: Equatable, Sendable {
    /// Numbers from this minimum.
    case number(from: Int)
    /// Texts or numbers that only the API understands: the `next` or `previous` token of another page.
    case opaque

    /// Whether a page token is of this kind. Always false for `.first`, the first page of a list without page numbers.
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
