import Catalog
import DataSources
import Model
import System

/// The progress of a sync through the pages of a list.
struct ListWalk {
    /// The reason why a sync reads no further page.
    enum End {
        /// The API reported no further page.
        case end
        /// The request limit was reached. The next sync continues with the next page.
        case stopped
        /// The API repeated a page, or a page did not exist. The list may have more items.
        case broken
        /// The API linked back to a page that was already read.
        case circular
    }

    /// The state of a sync after a page. It is stored together with the page.
    struct Progress {
        /// The totals over all pages so far. If the sync continues an interrupted sync, they include the earlier pages.
        var totals = ListTotals()
        /// The next page; nil after the last page.
        var next: PageToken?
        /// The smallest update time or sequence number that the next request asks for; nil for the whole list.
        var bound: SinceValue?
        /// The update times or sequence numbers of the elements so far; nil if the list declares no `sync`.
        var marks: SinceMarks?
        /// Whether each request asks for the first page again, with a larger `bound`. Therefore, the sync does not
        /// miss items that move to earlier pages.
        var restarts = false
        /// Whether the sync may have missed a change. This is possible if items moved to earlier pages while the sync
        /// read the list.
        var mayLackChanges = false
        /// The value of `bound` before its last change; nil before the first change.
        var earlierBound: SinceValue?
    }

    /// The time of the request for the first page of the list. If this sync continues an interrupted sync, the
    /// interrupted sync made this request.
    let start: Timestamp
    /// Whether this sync continues an interrupted sync, which has read the first pages of the list.
    let isContinued: Bool
    var end = End.end
    /// The number of items that this sync has read.
    private(set) var items = 0
    private(set) var progress: Progress
    private let first: PageToken
    private let shifts: Bool
    private let declaration: String?
    private var cursor: PageCursor
    private var pages = 0

    /// Creates the progress of a sync before its first request.
    ///
    /// - Parameters:
    ///   - position: the position at which an interrupted sync continues; nil for the first page.
    ///   - mark: the update time or sequence number from which the sync requests changes; nil for the whole list.
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

    /// Whether the sync reads the whole list.
    let isWhole: Bool

    /// The smallest update time or sequence number that the next request asks for; nil for the whole list.
    var bound: SinceValue? { progress.bound }

    /// Whether the sync has read no page yet and starts at the first page of the list.
    var isAtFirst: Bool { pages == 0 && !isContinued }

    /// Returns the next page to read. Nil after the last page, or if the API repeats pages or returns too many empty
    /// pages.
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

    /// Returns the progress after a page. Nil if the page has the same items as the previous page, because the API
    /// could repeat the page forever.
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

    /// Returns the position at which the next sync continues if this sync is interrupted after a page. Nil after the
    /// last page of the list.
    @_optimize(size)
    func position(after progress: Progress) -> SyncPosition? {
        guard let next = progress.next else { return nil }
        var position = SyncPosition(page: next, start: start, totals: progress.totals)
        position.mark = progress.marks?.certain(shifts: shifts)?.text
        position.declaration = declaration
        return position
    }

    /// Returns the page that the sync will request after a page that is not stored yet. Nil if there is none.
    func page(after part: SyncSource.Part, _ after: Progress) -> PageToken? {
        if after.bound != progress.bound { return first }
        let isEmpty = part.ids.isEmpty && part.removed.isEmpty
        return after.next.flatMap { cursor.canContinue(with: $0, after: isEmpty) ? $0 : nil }
    }

    /// Updates the progress after a page was stored.
    ///
    /// - Parameter repeated: the number of the page's items that the sync had already read.
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
    /// Makes the next request ask for the first page again, with a larger `bound`. If the API would then return the
    /// current page again, the sync continues with the next page instead. In this case, it may miss a change.
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
