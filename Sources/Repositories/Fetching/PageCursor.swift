import Model

/// The position in a list while all of its pages are read. The cursor detects lists that would never end.
public struct PageCursor: Sendable {
    /// The maximum number of consecutive empty pages. An API that filters the items of each page may return several
    /// empty pages in a row.
    private static let maxEmptyPages = 100

    /// The next page to read; nil after the last page.
    public var next: PageToken?
    private var seen: Set<PageToken> = [.unknown]
    /// The ids of the items on the previous page; nil if unknown.
    private var ids: [String]?
    private var emptyPages = 0

    public init(first: PageToken) { next = first }

    /// Whether too many consecutive pages were empty.
    public var hasTooManyEmptyPages: Bool { emptyPages > Self.maxEmptyPages }

    /// Records that the caller reads the next page.
    ///
    /// - Returns: false if the caller has already read this page. Some APIs end their lists with a link back to an
    ///   earlier page.
    public mutating func enter() -> Bool {
        guard let next else { return false }
        return seen.insert(next).inserted
    }

    /// Returns whether `enter` will accept the page after the current page. Has no side effects, so that the caller can
    /// request the next page before it passes the current page to `take`.
    ///
    /// - Parameters:
    ///   - page: the token of the next page.
    ///   - isEmpty: whether the current page is empty.
    func canContinue(with page: PageToken, after isEmpty: Bool) -> Bool {
        !seen.contains(page) && (isEmpty ? emptyPages + 1 : 0) <= Self.maxEmptyPages
    }

    /// Returns whether a page has the same items as the previous page.
    func repeats(_ ids: [String]) -> Bool { !ids.isEmpty && ids == self.ids }

    /// Compares a page with the previous page.
    ///
    /// - Parameter ids: the ids of the page's items; nil if unknown.
    /// - Returns: whether the caller may continue. False if both pages have the same items, because the API could
    ///   repeat the page forever.
    public mutating func take(_ ids: [String]?) -> Bool {
        if let ids, !ids.isEmpty, ids == self.ids { return false }
        emptyPages = ids?.isEmpty == true ? emptyPages + 1 : 0
        self.ids = ids
        return true
    }
}
