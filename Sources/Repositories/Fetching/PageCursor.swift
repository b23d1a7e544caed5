import Model

/// The position in the pages of a list that are read one after the other.
public struct PageCursor: Sendable {
    /// The page to read next; nil after the last.
    public var next: PageToken?
    private var seen: Set<PageToken> = [.unknown]

    public init(first: PageToken) { next = first }

    /// Marks the next page as read.
    ///
    /// - Returns: false if it was read before. A list that leads back to such a page would never end; some APIs end
    ///   their lists so.
    public mutating func enter() -> Bool {
        guard let next else { return false }
        return seen.insert(next).inserted
    }
}
