import JSON
import Model

/// A cursor, which may be any JSON value, and the token that stands for it. A token is a number or a text: what is
/// neither, and a text that could be taken for such a one, stands there as JSON behind `json:`.
struct Cursor: Equatable {
    private static let mark = "json:"

    let value: JSONValue

    /// A cursor as an API said it.
    init(_ value: JSONValue) { self.value = value }

    /// The cursor that a token stands for; nil for the first page, which has none.
    ///
    /// - Throws: `APIError.invalidRequest` for a text that is no token of a cursor.
    init?(_ token: PageToken) throws(APIError) {
        switch token {
        case .first: return nil
        case .number(let number): value = .integer(number)
        case .opaque(let text) where text.hasPrefix(Self.mark):
            guard let value = try? JSONValue(parsing: String(text.dropFirst(Self.mark.count))) else {
                throw Self.unknown(token)
            }
            self.value = value
        case .opaque(let text): value = .string(text)
        }
    }

    /// The token; nil for a cursor that says that there is no other page.
    var token: PageToken? {
        switch value {
        case .null, .bool(false), .string(""): return nil
        case .number(let digits):
            if let number = Int(digits), String(number) == digits { return .number(number) }
        case .string(let text): if !text.hasPrefix(Self.mark) { return .opaque(text) }
        case .bool(true), .array, .object: break
        }
        return .opaque(Self.mark + value.text)
    }

    /// The error for a token that no page of the list has given.
    static func unknown(_ token: PageToken) -> APIError {
        APIError(.invalidRequest, "\(token.json.text) is not what came as 'next' or 'previous' of this list")
    }
}
