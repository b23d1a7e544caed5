import JSON
import Model
import System

/// A response to a list request, with the context that pagination styles need to read the response.
public struct ListAnswer: Sendable {
    /// The token of the requested page.
    public let page: PageToken
    /// Whether the request contained filters.
    public let isFiltered: Bool
    /// The items in the response.
    public let items: ItemDTOs
    /// The JSON value that selectors search: the body, or the `data` object of a GraphQL response.
    let body: JSONPart
    let headers: [HTTPHeader]
    /// The prefix of paths in error messages: `data.` for GraphQL, otherwise empty.
    let prefix: String
    /// The converter for URLs in the response; nil for GraphQL, because its pages have no URLs.
    var links: Links?

    package init(
        page: PageToken, isFiltered: Bool, items: ItemDTOs, body: JSONPart, headers: [HTTPHeader], prefix: String,
        links: Links? = nil
    ) {
        self.page = page
        self.isFiltered = isFiltered
        self.items = items
        self.body = body
        self.headers = headers
        self.prefix = prefix
        self.links = links
    }

    /// The data for resolving the URLs in a response: the URL of the request, and the converter from URLs to page
    /// tokens.
    package struct Links: Sendable {
        let links: PageLinks
        /// The URL of the request. Relative URLs in the response are resolved against this URL.
        let request: String

        package init(links: PageLinks, request: String) {
            self.links = links
            self.request = request
        }
    }
    /// The selectors that have matched no value in the response so far.
    let unfound = Lock<[AnswerSelector]>([])

    /// Returns the value that a selector matches in the response; nil if there is none. The value of a header field is
    /// returned as a string.
    func value(at selector: AnswerSelector?) -> JSONValue? {
        guard let selector else { return nil }
        let found: JSONValue? =
            switch selector {
            case .header(let name): headers[name].map { .string($0) }
            case .body(let selector): body.withView { view in selector.select(in: view).map { JSONValue($0) } }
            }
        if found == nil { recordMissing(selector) }
        return found
    }

    private func recordMissing(_ selector: AnswerSelector) {
        // A list with only one page has no link with the relation `next`, so the missing link is not reported.
        if case .body(let selector) = selector, body.withView({ selector.hasUnmetCondition(in: $0) }) { return }
        unfound.withLock { if !$0.contains(selector) { $0.append(selector) } }
    }

    /// The selectors without a match in the response, as text for an error message.
    package var missingSelectors: [String] {
        unfound.withLock { $0 }.map { selector in
            switch selector {
            case .header(let name): return "'{\"header\": \"\(name)\"}'"
            case .body(let selector):
                let meant = body.withView { selector.meant(in: $0) }
                return "'\(selector.path)'" + (meant.map { " (did you mean '\($0)'?)" } ?? "")
            }
        }
    }

    /// Returns the value that a selector matches in the first or last item of the page. Nil if the page has no items.
    ///
    /// - Parameter isLast: whether to read the last item instead of the first item.
    /// - Throws: `APIError.decodingFailed` if the item has no such value. The error contains the path.
    func item(at selector: JSONSelector, isLast: Bool) throws(APIError) -> JSONValue? {
        guard let item = isLast ? items.reduce(nil, { $1 }) : items.first(where: { _ in true }) else { return nil }
        let value = item.json.withView { view in selector.select(in: view).map { JSONValue($0) } }
        guard let value, value != .null else {
            let path = item.path.isEmpty ? selector.path : "\(item.path).\(selector.path)"
            let key = isLast ? "last" : "first"
            throw APIError(
                .decodingFailed, "expected a cursor at '\(path)'; correct \"\(key)\" in \"pagination\"", path: path)
        }
        return value
    }

    /// Returns the boolean that a selector matches; nil if there is none. Some APIs send 1, 0, "true" or "false"
    /// instead of a boolean, and these values are accepted too.
    ///
    /// - Throws: `APIError.decodingFailed` for any other value. The error contains the path of the value.
    func flag(at selector: AnswerSelector?) throws(APIError) -> Bool? {
        guard let selector, let value = value(at: selector) else { return nil }
        switch (value, value.plainText.lowercased()) {
        case (.null, _): return nil
        case (_, "true"), (_, "1"): return true
        case (_, "false"), (_, "0"): return false
        default: break
        }
        let expected = "true, false, 1 or 0"
        switch selector {
        case .header(let name):
            throw APIError(
                .decodingFailed,
                "expected \(expected) in the header '\(name)'; correct the header's name in \"pagination\"", path: name)
        case .body(let selector): throw unexpected(expected, at: selector)
        }
    }

    /// Returns the URL that a selector matches. Nil if there is no value, or if the value is null, false or an empty
    /// string.
    ///
    /// - Throws: `APIError.decodingFailed` for any other value. The error contains the path of the value.
    func url(at selector: AnswerSelector?) throws(APIError) -> String? {
        switch value(at: selector) {
        case nil, .null, .bool(false), .string(""): return nil
        case .string(let text): return text
        default:
            guard case .body(let selector) = selector else { return nil }
            throw unexpected("a URL", at: selector)
        }
    }

    /// Returns the page token for the URL of a page.
    ///
    /// - Throws: `APIError.invalidResponse` for an invalid URL and for a URL of another origin.
    func token(of url: String?) throws(APIError) -> PageToken? {
        guard let url, let links else { return nil }
        return .opaque(try links.links.target(of: url, in: links.request))
    }

    /// Returns the error for an unexpected value.
    ///
    /// - Parameters:
    ///   - expected: the description of the expected value: `an object`.
    ///   - selector: the selector of the value, or of the object that contains the value.
    ///   - member: the name of the value in this object; nil if the selector matches the value itself.
    func unexpected(_ expected: String, at selector: JSONSelector, _ member: String? = nil) -> APIError {
        let path = prefix + selector.path + (member.map { selector == .whole ? $0 : ".\($0)" } ?? "")
        return APIError(.decodingFailed, "expected \(expected) at '\(path)'", path: path)
    }

    /// Returns a whole number as an integer: `3` for `3.0`. Returns other numbers unchanged.
    private static func withoutFraction(_ number: String) -> String {
        guard let point = number.firstIndex(of: ".") else { return number }
        return number[number.index(after: point)...].allSatisfy { $0 == "0" } ? String(number[..<point]) : number
    }

    /// Reads a number of pages or items from the value that a selector matches; nil if it matches no value.
    ///
    /// - Throws: `APIError.decodingFailed` for a value that is not a number or is negative. The error contains the path
    ///   of the value.
    public func count(at selector: AnswerSelector?) throws(APIError) -> Int? {
        switch selector {
        case nil: return nil
        case .header(let name):
            guard let text = headers[name] else {
                recordMissing(.header(name))
                return nil
            }
            guard let count = Int(text), count >= 0 else {
                throw APIError(
                    .decodingFailed,
                    "the API's header '\(name)' is not a number; correct the header's name in \"pagination\"",
                    path: name)
            }
            return count
        case .body(let selector):
            return try body.withView { (view) throws(APIError) in
                guard let found = selector.select(in: view), !found.isNull else {
                    if selector.select(in: view) == nil { recordMissing(.body(selector)) }
                    return nil
                }
                // Some APIs write all numbers as strings, or with the fraction `.0`.
                let digits = found.number.map(Self.withoutFraction)
                guard let count = (digits ?? found.string).flatMap({ Int($0) }), count >= 0 else {
                    throw unexpected("a number", at: selector)
                }
                return count
            }
        }
    }
}
