import JSON

/// Which page of a list: what came as `next` or `previous` of another one.
public enum PageParam: Equatable, Sendable {
    /// A page number.
    case number(Int)
    /// An opaque text.
    case token(String)

    init?(_ view: JSONView) {
        if let number = view.integer, number >= 1 {
            self = .number(number)
        } else if let token = view.string, !token.isEmpty {
            self = .token(token)
        } else {
            return nil
        }
    }
}
