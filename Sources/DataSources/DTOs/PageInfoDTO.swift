import JSON

/// Where a page stands in its list; nil is what the API does not say.
public struct PageInfoDTO: Equatable, Sendable {
    /// The page itself.
    public var current: PageToken
    /// How many pages there are.
    public var pages: Int?
    /// How many items the list has.
    public var count: Int?
    /// The page after it.
    public var next: PageToken?
    /// The page before it.
    public var previous: PageToken?

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
