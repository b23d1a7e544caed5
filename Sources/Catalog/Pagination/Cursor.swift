import JSON
import Model

/// The conversion between a cursor, which can be any JSON value, and a page token, which is a number or a text. Other
/// values, and texts that start with `json:`, become the text `json:` followed by the value as JSON.
struct Cursor: Equatable {
    private static let prefix = "json:"

    let value: JSONValue

    /// Creates a cursor from the value in a response.
    init(_ value: JSONValue) { self.value = value }

    /// Creates the cursor of a page token; nil for the first page, which has no cursor.
    ///
    /// - Throws: `APIError.invalidRequest` for a text with invalid JSON after `json:`.
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

    /// The page token of the cursor; nil for null, false and an empty text, which mean that there is no other page.
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

    /// Returns the error for a token that cannot come from a page of the list.
    static func unknown(_ token: PageToken) -> APIError {
        APIError(
            .invalidRequest, "\(token.json.text) is not a page of this list; use 'next' or 'previous' of another page")
    }
}
