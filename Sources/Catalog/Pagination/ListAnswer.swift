import JSON
import Model
import System

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
    /// What URLs in it mean; nil where pages have none, as over GraphQL.
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

    /// What the URLs of an answer mean.
    package struct Links: Sendable {
        let links: PageLinks
        /// The URL that was asked.
        let request: String

        package init(links: PageLinks, request: String) {
            self.links = links
            self.request = request
        }
    }
    /// The selectors that were asked for and found nothing.
    let unfound = Lock<[AnswerSelector]>([])

    /// What stands there; nil where nothing does. A header field is a text.
    func value(at selector: AnswerSelector?) -> JSONValue? {
        guard let selector else { return nil }
        let found: JSONValue? =
            switch selector {
            case .header(let name): headers[name].map { .string($0) }
            case .body(let selector): body.withView { view in selector.select(in: view).map { JSONValue($0) } }
            }
        if found == nil { note(unfound: selector) }
        return found
    }

    private func note(unfound selector: AnswerSelector) {
        unfound.withLock { if !$0.contains(selector) { $0.append(selector) } }
    }

    /// The selectors that were asked for and found nothing, in words.
    package var unfoundInWords: [String] {
        unfound.withLock { $0 }.map { selector in
            switch selector {
            case .header(let name): return "'{\"header\": \"\(name)\"}'"
            case .body(let selector):
                let meant = body.withView { selector.meant(in: $0) }
                return "'\(selector.path)'" + (meant.map { " (did you mean '\($0)'?)" } ?? "")
            }
        }
    }

    /// What the last item has there; nil where no items came.
    ///
    /// - Throws: `APIError.decodingFailed` with the path of what is not there.
    func lastItem(at selector: JSONSelector) throws(APIError) -> JSONValue? {
        guard let last = items.reduce(nil, { $1 }) as ItemDTO? else { return nil }
        let value = last.json.withView { view in selector.select(in: view).map { JSONValue($0) } }
        guard let value, value != .null else {
            let path = last.path.isEmpty ? selector.path : "\(last.path).\(selector.path)"
            throw APIError(.decodingFailed, "expected a cursor at '\(path)'", path: path)
        }
        return value
    }

    /// A yes or a no; nil where the answer does not say it. APIs also write these as 1 and 0, and as texts.
    ///
    /// - Throws: `APIError.decodingFailed` with the path of what is neither.
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
            throw APIError(.decodingFailed, "expected \(expected) in the header '\(name)'", path: name)
        case .body(let selector): throw unexpected(expected, at: selector)
        }
    }

    /// The URL that stands there; nil where the answer says that there is none.
    ///
    /// - Throws: `APIError.decodingFailed` with the path of what is neither.
    func url(at selector: AnswerSelector?) throws(APIError) -> String? {
        switch value(at: selector) {
        case nil, .null, .bool(false), .string(""): return nil
        case .string(let text): return text
        default:
            guard case .body(let selector) = selector else { return nil }
            throw unexpected("a URL", at: selector)
        }
    }

    /// The token of a page that is asked for by a URL.
    ///
    /// - Throws: `APIError.invalidResponse` for what is no URL, or one of another origin.
    func token(of url: String?) throws(APIError) -> PageToken? {
        guard let url, let links else { return nil }
        return .opaque(try links.links.target(of: url, in: links.request))
    }

    /// The error for a value that is something else.
    ///
    /// - Parameter member: the member at fault of what the selector leads to.
    func unexpected(_ expected: String, at selector: JSONSelector, _ member: String? = nil) -> APIError {
        let path = prefix + selector.path + (member.map { selector == .whole ? $0 : ".\($0)" } ?? "")
        return APIError(.decodingFailed, "expected \(expected) at '\(path)'", path: path)
    }

    /// `3` for `3.0`.
    private static func withoutFraction(_ number: String) -> String {
        guard let point = number.firstIndex(of: ".") else { return number }
        return number[number.index(after: point)...].allSatisfy { $0 == "0" } ? String(number[..<point]) : number
    }

    /// A number of pages or items; nil where the answer does not say it.
    ///
    /// - Throws: `APIError.decodingFailed` with the path of what is no such number.
    public func count(at selector: AnswerSelector?) throws(APIError) -> Int? {
        switch selector {
        case nil: return nil
        case .header(let name):
            guard let text = headers[name] else {
                note(unfound: .header(name))
                return nil
            }
            guard let count = Int(text), count >= 0 else {
                throw APIError(.decodingFailed, "expected a number in the header '\(name)'", path: name)
            }
            return count
        case .body(let selector):
            return try body.withView { (view) throws(APIError) in
                guard let found = selector.select(in: view), !found.isNull else {
                    if selector.select(in: view) == nil { note(unfound: .body(selector)) }
                    return nil
                }
                // Some APIs write all numbers as texts, or with a fraction that is none.
                let digits = found.number.map(Self.withoutFraction)
                guard let count = (digits ?? found.string).flatMap({ Int($0) }), count >= 0 else {
                    throw unexpected("a number", at: selector)
                }
                return count
            }
        }
    }
}
