import Model

/// The position in a list that is read page by page. Detects lists that would never end.
public struct PageCursor: Sendable {
    /// The largest number of consecutive empty pages. An API that filters the items of each page may return some empty
    /// pages in a row, but not endlessly many.
    private static let maxEmptyPages = 100

    /// The next page to read; nil after the last page.
    public var next: PageToken?
    private var seen: Set<PageToken> = [.unknown]
    /// The ids of the previous page; nil if unknown.
    private var ids: [String]?
    private var emptyPages = 0

    public init(first: PageToken) { next = first }

    /// Whether too many consecutive pages were empty.
    public var hasTooManyEmptyPages: Bool { emptyPages > Self.maxEmptyPages }

    /// Marks the next page as read.
    ///
    /// - Returns: false if the page was read before. Some APIs end their lists with a link back to such a page.
    public mutating func enter() -> Bool {
        guard let next else { return false }
        return seen.insert(next).inserted
    }

    /// Compares a page with the previous page.
    ///
    /// - Parameter ids: the ids of the page's items; nil if unknown.
    /// - Returns: false if both pages have the same items. An API that repeats the same items with a new cursor each
    ///   time would never end the list.
    public mutating func take(_ ids: [String]?) -> Bool {
        if let ids, !ids.isEmpty, ids == self.ids { return false }
        emptyPages = ids?.isEmpty == true ? emptyPages + 1 : 0
        self.ids = ids
        return true
    }
}
