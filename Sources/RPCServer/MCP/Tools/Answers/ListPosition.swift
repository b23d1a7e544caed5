import Catalog
import JSON
import Protocol

/// The place in a list up to which an AI model has received the items: a page, and the number of items on that page
/// that the model has received.
///
/// The start of a page is written as the page token. Any other position is written as `larder:OFFSET:PAGE`, with the
/// page token as JSON.
struct ListPosition: Equatable, Sendable {
    /// The token of the page; `null` for the first page.
    let page: JSONValue
    let offset: Int

    private static let prefix = "larder:"

    init(page: JSONValue, offset: Int = 0) {
        self.page = page
        self.offset = offset
    }

    /// Reads the `page` argument of a call. Without the argument, the position is the start of the list.
    ///
    /// - Parameter form: the kind of the list's page tokens. If pages have numbers, a string of decimal digits means a
    ///   page number.
    /// - Throws: `invalidParams` for a string that starts with `larder:` but is not a valid position.
    init(_ view: JSONView?, of form: PageForm) throws(RPCError) {
        guard let view, let text = view.string, text.hasPrefix(Self.prefix) else {
            let page = view.map { Self.page($0, of: form) } ?? .null
            if case .number = form, case .string = page {
                throw RPCError(.invalidParams, "'page' must be 'page.next' of an earlier answer, or a page number")
            }
            self.init(page: page)
            return
        }
        let rest = text.dropFirst(Self.prefix.count)
        guard let colon = rest.firstIndex(of: ":"), let offset = Int(rest[..<colon]), offset >= 0,
            let page = try? JSONValue(parsing: String(rest[rest.index(after: colon)...]))
        else {
            throw RPCError(.invalidParams, "'page' must be an unchanged 'page.next' of an earlier answer")
        }
        self.init(page: page, offset: offset)
    }

    /// Returns the position as a value for the argument `page`: a string, or null after the last page.
    ///
    /// - Parameter form: the kind of the list's page tokens.
    func token(of form: PageForm) -> JSONValue {
        if offset == 0 {
            switch (page, form) {
            case (.string(let text), _) where !text.hasPrefix(Self.prefix): return page
            case (.number(let digits), .number): return .string(digits)
            case (.string, _), (.number, _): break
            default: return page
            }
        }
        return .string("\(Self.prefix)\(offset):\(page.text)")
    }

    private static func page(_ view: JSONView, of form: PageForm) -> JSONValue {
        if case .number = form, let number = view.string.flatMap({ Int($0) }) { return .integer(number) }
        return JSONValue(view)
    }
}
