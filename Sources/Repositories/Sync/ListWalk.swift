import Catalog
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

    /// The state of a walk after a page, which is stored with the page.
    struct Progress {
        /// The totals of the pages so far, including the pages of the run that this run continues.
        var totals = ListTotals()
        /// The next page; nil after the last page.
        var next: PageToken?
        /// The smallest `from` that the next request asks for; nil for the whole list.
        var bound: SinceValue?
        /// The values of `from` so far; nil if the list declares no `sync`.
        var marks: SinceMarks?
        /// Whether requests ask for the first page of the changes since the largest value so far. In a list of numbered
        /// pages, the next page would lack the items that move to an earlier page.
        var restarts = false
        /// Whether the run has requested the next page instead, so that it may have missed a change.
        var mayLackChanges = false
        /// The bound of the previous requests, if it was smaller.
        var earlierBound: SinceValue?
    }

    /// The time at which the first page of the list was requested.
    let start: Timestamp
    /// Whether an earlier run has read the first pages of the list.
    let isContinued: Bool
    var end = End.end
    /// The number of items that this run has read.
    private(set) var items = 0
    private(set) var progress: Progress
    private let first: PageToken
    private let shifts: Bool
    private let declaration: String?
    private var cursor: PageCursor
    private var pages = 0

    /// - Parameters:
    ///   - position: the place at which the walk continues; nil for the first page.
    ///   - mark: the mark since which the run asks for changes; nil for the whole list.
    @_optimize(size)
    init(position: SyncPosition?, source: SyncSource, now: Timestamp, since mark: SinceValue? = nil) {
        (first, shifts, declaration) = (source.first, source.shifts, source.sync?.digest)
        isWhole = mark == nil
        start = position?.start ?? now
        isContinued = position != nil
        progress = Progress(totals: position?.totals ?? ListTotals(), next: position?.page ?? source.first)
        cursor = PageCursor(first: progress.next ?? source.first)
        guard let since = source.sync?.since else { return }
        progress.bound = mark.map { since.bound(after: $0) }
        progress.marks = SinceMarks(
            since, start: start, mark: mark ?? position?.mark.flatMap { since.value($0) })
        // A request for changes lacks the items without a value, so a run through the whole list needs all its pages.
        progress.restarts = since.isAscending && source.shifts && !isWhole
    }

    /// Whether the run reads the whole list.
    let isWhole: Bool

    /// The smallest `from` that the next request asks for; nil for all items.
    var bound: SinceValue? { progress.bound }

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

    /// Returns the progress after a page; nil if the page equals the page before it. The API could then repeat the page
    /// forever.
    @_optimize(size)
    func progress(after part: SyncSource.Part) -> Progress? {
        if cursor.repeats(part.ids) { return nil }
        var after = progress
        if part.lacksItems { after.totals.lacksItems = true }
        if part.omitsElements { after.totals.omitsElements = true }
        // The number of changes is not that of the list.
        if let count = part.count, bound == nil {
            if let known = after.totals.count, known != count { after.totals.hasChanged = true }
            after.totals.count = count
        }
        after.marks?.add(part.values, isFirstPage: isAtFirst)
        after.next = part.next
        if part.next != nil { after.restart(after: part, at: first) }
        return after
    }

    /// Returns the place at which the next run continues after a page of the whole list; nil at its end.
    @_optimize(size)
    func position(after progress: Progress) -> SyncPosition? {
        guard let next = progress.next else { return nil }
        var position = SyncPosition(page: next, start: start, totals: progress.totals)
        position.mark = progress.marks?.certain(shifts: shifts)?.text
        position.declaration = declaration
        return position
    }

    /// Continues after a stored page.
    ///
    /// - Parameter repeated: the number of its items that the walk had already read.
    @_optimize(size)
    mutating func add(_ part: SyncSource.Part, _ after: Progress, repeated: Int) {
        // A page of deleted items is not empty.
        _ = cursor.take(part.ids.isEmpty ? part.removed.map(\.id) : part.ids)
        cursor.next = after.next
        if after.bound != progress.bound { cursor = PageCursor(first: first) }
        progress = after
        // If the newest changes come last and no item moves to an earlier page, an item that changes comes again.
        let isExpected = !shifts && progress.marks?.since.isAscending == true
        if repeated > 0, !isExpected { progress.totals.hasRepeated = true }
        pages += 1
        items += part.items.count
    }

    /// Returns whether all items of the list were read; nil if unknown.
    ///
    /// - Parameters:
    ///   - seen: the number of different items that were read.
    ///   - knowsItsEnd: whether the API reports the end of the list.
    @_optimize(size)
    func isComplete(seen: Int, knowsItsEnd: Bool) -> Bool? {
        let totals = progress.totals
        if end == .stopped || end == .broken || totals.lacksItems { return false }
        // The first pages may have changed since an earlier run has read them.
        if isContinued { return nil }
        // The API's number of items may include those elements.
        let count = totals.omitsElements ? nil : totals.count
        if let count, seen < count { return false }
        // If a list changes while it is read, an item may move to an earlier page and so be missed.
        if totals.hasChanged { return nil }
        if let count { return seen == count ? true : nil }
        return totals.hasRepeated || end == .circular || !knowsItsEnd ? nil : true
    }
}

extension ListWalk.Progress {
    /// Continues with the first page of the changes since the largest value so far, if the pages shift and this request
    /// repeats only a part of the page. Otherwise, the run continues with the next page, and may miss a change.
    fileprivate mutating func restart(after part: SyncSource.Part, at first: PageToken) {
        guard restarts, let marks, let highest = marks.mark else { return }
        // Dates may have a precision of seconds, so the next page may have more items of the same second.
        let next = marks.since.bound(after: highest, maxOverlap: 1000)
        guard !part.lacksValues, let lowest = part.values.min(), lowest < next, bound.map({ $0 < next }) ?? true else {
            return mayLackChanges = true
        }
        // The API seems to ignore the parameter.
        if let earlierBound, lowest < earlierBound {
            (restarts, mayLackChanges) = (false, true)
            return
        }
        (earlierBound, bound, self.next) = (bound, next, first)
    }
}
