import DataSources
import Model
import System

/// The progress of a run through the pages of a list.
struct ListWalk {
    /// The reason why a run read no further page.
    enum End {
        /// The API reported no further page.
        case end
        /// The request limit was reached. The next run continues here.
        case stopped
        /// The API repeated a page, or a page did not exist. The list may have more items.
        case broken
        /// The API linked back to a page that was already read.
        case circular
    }

    /// The time at which the first page of the list was requested.
    let start: Timestamp
    /// Whether an earlier run has read the first pages of the list.
    let isContinued: Bool
    var end = End.end
    /// The number of items that this run has read.
    private(set) var items = 0
    private var cursor: PageCursor
    private var pages = 0
    /// The totals of the pages so far, including the pages of the run that this run continues.
    private(set) var totals: ListTotals

    init(position: SyncPosition?, first: PageToken, now: Timestamp) {
        start = position?.start ?? now
        isContinued = position != nil
        totals = position?.totals ?? ListTotals()
        cursor = PageCursor(first: position?.page ?? first)
    }

    /// Whether no page was read, and the next page is the first of the list.
    var isAtFirst: Bool { pages == 0 && !isContinued }

    /// Returns the next page to read; nil after the last page.
    mutating func enter() -> PageToken? {
        guard let next = cursor.next else { return nil }
        guard cursor.enter() else {
            end = .circular
            return nil
        }
        guard !cursor.hasTooManyEmptyPages else {
            end = .broken
            return nil
        }
        return next
    }

    /// Adds a page to the totals before it is stored.
    ///
    /// - Returns: false if the page equals the page before it. The API could then repeat the page forever.
    mutating func take(_ part: SyncSource.Part) -> Bool {
        guard cursor.take(part.ids) else {
            end = .broken
            return false
        }
        if part.lacksItems { totals.lacksItems = true }
        if let count = part.count {
            if let known = totals.count, known != count { totals.hasChanged = true }
            totals.count = count
        }
        return true
    }

    /// Continues after a stored page.
    ///
    /// - Parameter repeated: the number of its items that the walk had already read.
    mutating func add(_ part: SyncSource.Part, repeated: Int) {
        cursor.next = part.next
        pages += 1
        items += part.items.count
        if repeated > 0 { totals.hasRepeated = true }
    }

    /// Returns whether all items of the list were read; nil if unknown.
    ///
    /// - Parameters:
    ///   - seen: the number of different items that were read.
    ///   - knowsItsEnd: whether the API reports the end of the list.
    func isComplete(seen: Int, knowsItsEnd: Bool) -> Bool? {
        if end == .stopped || end == .broken || totals.lacksItems { return false }
        // The first pages may have changed since an earlier run has read them.
        if isContinued { return nil }
        if let count = totals.count, seen < count { return false }
        // If a list changes while it is read, an item may move to an earlier page and so be missed.
        if totals.hasChanged { return nil }
        if let count = totals.count { return seen == count ? true : nil }
        return totals.hasRepeated || end == .circular || !knowsItsEnd ? nil : true
    }
}
