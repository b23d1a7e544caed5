import JSON
import Model

/// The settings of `sync` with the style `token`. The API's answers contain a token, which marks a point in the history
/// of the list. A request with this token returns the changes since that point, and a new token.
public struct TokenDefinition: Equatable, Sendable {
    /// The name of the query parameter, body member or variable that sends the token. Nil if the token is a URL, to
    /// which the next request for changes is sent.
    public var parameter: String?
    /// The place of the next token in an answer with changes.
    public var next: ChangeTokenSource
    /// The place of the first token, if the answers with the whole list contain it. Nil if a sync requests the first
    /// token separately (`initialSelector`).
    public var initial: ChangeTokenSource?
    /// The selector that finds the first token in the answer to a separate request. A sync sends this request before it
    /// reads the whole list. Nil if there is no such request.
    public var initialSelector: AnswerSelector?
    /// Whether a request for changes returns the whole list if the request contains no token. If false, a sync reads
    /// the whole list with the requests of `list`.
    public var beginsWithChanges = false

    /// Whether a sync keeps the first token that it reads. If false, it keeps the last token.
    ///
    /// The first token of a whole list is safe, because it marks a point before the changes that happen while Larder
    /// reads the list.
    ///
    /// - Parameters:
    ///   - isWhole: whether the sync reads the whole list.
    ///   - pagination: the pagination of the changes. It determines whether a later page has newer elements, and
    ///     therefore a newer token.
    public func keepsFirstToken(ofWholeList isWhole: Bool, _ pagination: any PaginationContract) -> Bool {
        if isWhole, !beginsWithChanges { return true }
        guard case .firstElement = next.place else { return false }
        if let cursor = pagination as? CursorPagination, case .firstItem = cursor.next { return false }
        return true
    }
}

/// The place of a token in the answers of an API.
public struct ChangeTokenSource: Equatable, Sendable {
    public enum Place: Equatable, Sendable {
        /// The token is a value in the body or in a header field.
        case answer(AnswerSelector)
        /// The token is a value in the first element of the list.
        case firstElement(JSONSelector)
        /// The token is a value in the last element of the list.
        case lastElement(JSONSelector)
    }

    public var place: Place
    /// Whether the token is a URL.
    public var isURL = false

    package init(place: Place, isURL: Bool = false) { (self.place, self.isURL) = (place, isURL) }

    /// Returns the token in an answer; nil if the answer contains no token. If `isURL` is true, converts the URL to a
    /// page token of the list.
    ///
    /// - Throws: `APIError` if `isURL` is true, but the value is not a URL of the API.
    package func token(in answer: ListAnswer) throws(APIError) -> PageToken? {
        switch place {
        case .answer(let selector):
            if isURL { return try answer.token(of: try answer.url(at: selector)) }
            return answer.value(at: selector).flatMap { Cursor($0).token }
        case .firstElement(let selector): return Self.token(at: selector, in: answer.items.first { _ in true })
        case .lastElement(let selector): return Self.token(at: selector, in: answer.items.reduce(nil) { $1 })
        }
    }

    private static func token(at selector: JSONSelector, in item: ItemDTO?) -> PageToken? {
        item?.json.withView { view in selector.select(in: view).flatMap { Cursor(JSONValue($0)).token } }
    }
}

/// The rules that determine the meaning of list elements: items, ids of changed items, or deleted items.
public struct ElementRules: Equatable, Sendable {
    /// The rule that recognizes list elements that represent deleted items; nil if the API does not report deletions.
    public var deleted: ElementRule?
    /// The rule that recognizes list elements to ignore; nil if no element is ignored.
    public var skipped: ElementRule?
    /// The selector that finds the item in a list element; nil if the element is the item.
    public var item: JSONSelector?
    /// The selector that finds the item's id in a list element; nil if the resource's own declaration of the id
    /// applies.
    public var id: JSONSelector?
    /// Whether the elements contain only the ids of changed items.
    public var areIDs = false

    /// Whether the answers report deleted items.
    public var reportsDeletions: Bool { deleted != nil || areIDs }

    package init() {}
}
