import Model

/// The position in the pages of a list that are read one after the other. It notices lists that would never end.
public struct PageCursor: Sendable {
    /// Some APIs filter what they have cut into pages, so that some are empty. More than these in a row lead nowhere.
    private static let maxEmptyPages = 100

    /// The page to read next; nil after the last.
    public var next: PageToken?
    private var seen: Set<PageToken> = [.unknown]
    /// The ids of the page before; nil if they are not known.
    private var ids: [String]?
    private var emptyPages = 0

    public init(first: PageToken) { next = first }

    /// Whether too many pages in a row were empty.
    public var hasTooManyEmptyPages: Bool { emptyPages > Self.maxEmptyPages }

    /// Marks the next page as read.
    ///
    /// - Returns: false if it was read before. A list that leads back to such a page would never end; some APIs end
    ///   their lists so.
    public mutating func enter() -> Bool {
        guard let next else { return false }
        return seen.insert(next).inserted
    }

    /// Compares the page that was read with the one before.
    ///
    /// - Parameter ids: the ids of its items; nil if they are not known.
    /// - Returns: false if both have the same items. A list that returns these under ever new cursors would never end.
    public mutating func take(_ ids: [String]?) -> Bool {
        if let ids, !ids.isEmpty, ids == self.ids { return false }
        emptyPages = ids?.isEmpty == true ? emptyPages + 1 : 0
        self.ids = ids
        return true
    }
}
