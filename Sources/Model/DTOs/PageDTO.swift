import JSON
import System

/// A page of items as received from the API, before the items are mapped.
public struct PageDTO: Equatable, Sendable {
    /// The items, in the API's order.
    public let items: ItemDTOs
    /// The page info: the position of the page in its list.
    public let info: PageInfoDTO
    /// The URL of the request, with secrets redacted; nil if unknown.
    public let url: String?
    /// The number of requests that Larder sent to get the answer.
    public let attempts: Int
    /// The catalog's selectors that matched no value in the answer. They are recorded only for the first page of a
    /// list.
    public let unfound: [String]
    /// The token for the next request for changes of the list; nil if the answer contains none.
    public var token: PageToken?
    /// The time of the answer by the clock of the API (the header `Date`); nil if the answer has no such header.
    public var date: Timestamp?

    public init(items: ItemDTOs, info: PageInfoDTO, url: String? = nil, attempts: Int = 1, unfound: [String] = []) {
        self.items = items
        self.unfound = unfound
        self.info = info
        self.url = url
        self.attempts = attempts
    }

    /// Creates a page from an array of items.
    public init(items: [ItemDTO], info: PageInfoDTO, url: String? = nil, attempts: Int = 1) {
        self.init(items: ItemDTOs(items), info: info, url: url, attempts: attempts)
    }
}

/// The page info: the position of a page in its list. Values that the API does not report are nil.
public struct PageInfoDTO: Equatable, Sendable {
    public var current: PageToken
    /// The number of pages in the list.
    public var pages: Int?
    /// The number of items in the list.
    public var count: Int?
    /// The token of the next page.
    public var next: PageToken?
    /// The token of the previous page.
    public var previous: PageToken?
    /// Whether the end of the list is uncertain: the API returned no token for the next page, but the list may
    /// continue.
    public var isEndUncertain = false

    public init(
        current: PageToken, pages: Int? = nil, count: Int? = nil, next: PageToken? = nil, previous: PageToken? = nil
    ) {
        self.current = current
        self.pages = pages
        self.count = count
        self.next = next
        self.previous = previous
    }
}
