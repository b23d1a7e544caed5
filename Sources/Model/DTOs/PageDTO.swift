import JSON

/// A page of items as the API sent it.
public struct PageDTO: Equatable, Sendable {
    /// The items in the API's order.
    public let items: ItemDTOs
    /// Where the page stands in its list.
    public let info: PageInfoDTO
    /// Where the answer came from, its secrets replaced; nil where nobody said.
    public let url: String?
    /// How many requests were made for the answer.
    public let attempts: Int
    /// The catalog's selectors that found nothing in the answer, in words; of a list's first page only.
    public let unfound: [String]

    /// A page; of an answer to one request, where nothing else is said.
    public init(items: ItemDTOs, info: PageInfoDTO, url: String? = nil, attempts: Int = 1, unfound: [String] = []) {
        self.items = items
        self.unfound = unfound
        self.info = info
        self.url = url
        self.attempts = attempts
    }

    /// A page; of an answer to one request, where nothing else is said.
    public init(items: [ItemDTO], info: PageInfoDTO, url: String? = nil, attempts: Int = 1) {
        self.init(items: ItemDTOs(items), info: info, url: url, attempts: attempts)
    }
}

/// Where a page stands in its list; nil is what the API does not say.
public struct PageInfoDTO: Equatable, Sendable {
    public var current: PageToken
    /// How many pages there are.
    public var pages: Int?
    /// How many items the list has.
    public var count: Int?
    /// The page after it.
    public var next: PageToken?
    /// The page before it.
    public var previous: PageToken?
    /// Whether the list ends here although the API does not say so: nobody can tell whether there is more.
    public var isEndUncertain = false

    /// Page info.
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
