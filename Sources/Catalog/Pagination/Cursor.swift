import JSON
import Model

/// A cursor from a response, which can be converted to a page token and back.
///
/// A number or string becomes the page token itself. Any other JSON value becomes a string: `json:` followed by the
/// value as JSON. A string that starts with `json:` is encoded in this way, too.
struct Cursor: Equatable {
    private static let prefix = "json:"

    let value: JSONValue

    /// Creates a cursor from a value in a response.
    init(_ value: JSONValue) { self.value = value }

    /// Creates a cursor from a page token. Nil for the first page, which needs no cursor.
    ///
    /// - Throws: `APIError.invalidRequest` if the token contains invalid JSON after `json:`.
    init?(_ token: PageToken) throws(APIError) {
        switch token {
        case .first: return nil
        case .number(let number): value = .integer(number)
        case .opaque(let text) where text.hasPrefix(Self.prefix):
            guard let value = try? JSONValue(parsing: String(text.dropFirst(Self.prefix.count))) else {
                throw Self.unknown(token)
            }
            self.value = value
        case .opaque(let text): value = .string(text)
        }
    }

    /// The page token for the cursor. Nil if the cursor is null, false or an empty string. Each of these values means
    /// that there is no further page.
    var token: PageToken? {
        switch value {
        case .null, .bool(false), .string(""): return nil
        case .number(let digits):
            if let number = Int(digits), String(number) == digits { return .number(number) }
        case .string(let text): if !text.hasPrefix(Self.prefix) { return .opaque(text) }
        case .bool(true), .array, .object: break
        }
        return .opaque(Self.prefix + value.text)
    }

    /// Returns the error for a page token that does not come from a page of the list.
    static func unknown(_ token: PageToken) -> APIError {
        APIError(
            .invalidRequest,
            "\(token.json.text) is not a page token of this list; use the value of 'next' or 'previous' from a page of"
                + " this list")
    }
}
