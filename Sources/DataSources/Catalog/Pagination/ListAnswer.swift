import JSON

/// The answer to the request for a page, as a pagination reads it.
public struct ListAnswer: Sendable {
    /// The page that was asked for.
    public let page: PageToken
    /// Whether it was asked for with filters.
    public let isFiltered: Bool
    /// The items that came.
    public let items: ItemDTOs
    /// What selectors start at: the body, or a GraphQL answer's `data`.
    let body: JSONPart
    let headers: [HTTPHeader]
    /// Before the paths in messages; `data.` for GraphQL.
    let prefix: String

    /// A number of pages or items; nil where the answer does not say it.
    ///
    /// - Throws: `APIError.decodingFailed` with the path of what is no such number.
    public func count(at selector: AnswerSelector?) throws(APIError) -> Int? {
        switch selector {
        case nil: return nil
        case .header(let name):
            guard let text = headers[name] else { return nil }
            guard let count = Int(text), count >= 0 else {
                throw APIError(.decodingFailed, "expected a number in the header '\(name)'", path: name)
            }
            return count
        case .body(let selector):
            return try body.withView { (view) throws(APIError) in
                guard let found = selector.select(in: view), !found.isNull else { return nil }
                guard let count = found.integer, count >= 0 else {
                    let path = prefix + selector.path
                    throw APIError(.decodingFailed, "expected a number at '\(path)'", path: path)
                }
                return count
            }
        }
    }
}

/// Where an answer says something about a list: in its body, or in a header field.
public enum AnswerSelector: Equatable, Sendable {
    case body(JSONSelector)
    /// The name of a header field.
    case header(String)
}
