import Catalog
import DataSources
import JSON
import Model
import System

/// The progress of a sync through the pages of a list.
struct ListWalk {
    /// The reason why a sync stopped reading pages.
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
        /// Whether every request asks for the first page, each time with a larger `bound`, instead of the next page.
        /// The sync then does not miss items that move to earlier pages.
        var restarts = false
        /// Whether the sync may have missed a change. This is possible if items moved to earlier pages while the sync
        /// read the list.
        var mayLackChanges = false
        /// Whether two pages reported different total numbers of changes. If so, items may have moved to earlier pages.
        var hasShifted = false
        /// The value of `bound` before its last change; nil before the first change.
        var earlierBound: SinceValue?
        /// The token for the next request for changes; nil if no page contained one.
        var token: PageToken?
        /// Whether the clock of the API has not reached the time since which this sync requests changes. The clock was
        /// then set back, so changes may have earlier times.
        var isClockBehind = false
    }

    /// The time of the request for the first page of the list. If this sync continues an interrupted sync, the
    /// interrupted sync made this request.
    let start: Timestamp
    /// Whether this sync continues an interrupted sync, which has read the first pages of the list.
    let isContinued: Bool
    var end = End.end
    /// The number of items that this sync has read.
    private(set) var items = 0
    /// The number of items that this sync has read, plus the number of deletions that the API has reported.
    private(set) var elements = 0
    private(set) var progress: Progress
    private let first: PageToken
    private let shifts: Bool
    /// Whether an interrupted sync can be continued without missing items that already existed at its start. True if
    /// items cannot move to an earlier page, or if the API reports the whole list as a series of changes.
    private let isStable: Bool
    private let declaration: String?
    /// Whether the sync requests the changes since a token.
    private let isFeed: Bool
    /// Whether the next sync starts at the first token that this sync reads. If false, it starts at the last token.
    private let keepsFirstToken: Bool
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
        isStable = !source.shifts || source.sync?.token?.beginsWithChanges == true
        isFeed = source.token != nil
        isWhole = mark == nil && !isFeed
        keepsFirstToken = source.keepsFirstToken
        start = position?.start ?? now
        isContinued = position != nil
        progress = Progress(totals: position?.totals ?? ListTotals(), next: position?.page ?? source.first)
        cursor = PageCursor(first: progress.next ?? source.first)
        if source.sync?.token != nil { progress.token = position?.mark.flatMap { PageToken(mark: $0) } }
        guard let since = source.sync?.since else { return }
        progress.bound = mark.map { since.bound(after: $0) }
        progress.marks = SinceMarks(
            since, start: start, limit: position?.limit, mark: mark ?? position?.mark.flatMap { since.value($0) },
            lacksDeletions: isWhole && source.sync?.elements.reportsDeletions == true)
        // A sync of the whole list does not restart: a request with a `bound` would omit items without an update time
        // or sequence number.
        progress.restarts = since.isAscending && source.shifts && !isWhole
    }

    /// Whether the sync reads the whole list.
    let isWhole: Bool

    /// Sets the token for the next request for changes. The API returned this token before the first page of the list.
    mutating func begin(at token: PageToken) { progress.token = token }

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
    ///
    /// - Parameter now: the time at which the page arrived.
    @_optimize(size)
    func progress(after part: SyncSource.Part, now: Timestamp) -> Progress? {
        // Two pages of a feed may name the same items, which have changed again.
        if !isFeed, cursor.repeats(part.ids) { return nil }
        var after = progress
        if part.lacksItems { after.totals.lacksItems = true }
        if part.omitsElements { after.totals.omitsElements = true }
        if let count = part.count {
            if let known = after.totals.count, known != count {
                if isWhole { after.totals.hasChanged = true }
                // After a restart, the API counts only the changes that are left.
                if !isWhole, !isFeed, shifts, !progress.restarts {
                    (after.mayLackChanges, after.hasShifted) = (true, true)
                }
            }
            after.totals.count = count
        }
        if isAtFirst, let date = part.date {
            after.marks?.lowerLimit(date: date, arrival: now)
            after.isClockBehind = marksTime(after: date)
        }
        after.marks?.add(part.values, isFirstPage: isAtFirst)
        if let token = part.token, after.token == nil || !keepsFirstToken { after.token = token }
        after.next = part.next
        if part.next != nil { after.restart(after: part, at: first) }
        return after
    }

    /// Returns whether this sync requests the changes since a time that is later than the header `Date`. The header has
    /// no fractions of a second.
    private func marksTime(after date: Timestamp) -> Bool {
        guard let bound = progress.bound, let time = progress.marks?.since.milliseconds(of: bound) else { return false }
        return time > date.milliseconds + 1000
    }

    /// Returns the position at which the next sync continues if this sync is interrupted after a page. Nil after the
    /// last page of the list.
    @_optimize(size)
    func position(after progress: Progress) -> SyncPosition? {
        guard let next = progress.next else { return nil }
        var position = SyncPosition(page: next, start: start, totals: progress.totals)
        position.mark = progress.marks?.certain(shifts: shifts)?.text ?? progress.token?.mark
        (position.limit, position.declaration) = (progress.marks?.limit, declaration)
        return position
    }

    /// Returns the page to request after `part`; nil if there is no further page. The sync requests this page before it
    /// stores `part`.
    func page(after part: SyncSource.Part, _ after: Progress) -> PageToken? {
        if after.bound != progress.bound { return first }
        let isEmpty = part.ids.isEmpty && part.removed.isEmpty
        return after.next.flatMap { cursor.canContinue(with: $0, after: isEmpty) ? $0 : nil }
    }

    /// Updates the progress after a page was stored.
    ///
    /// - Parameter repeated: the number of items on this page that the sync had already read on earlier pages.
    @_optimize(size)
    mutating func add(_ part: SyncSource.Part, _ after: Progress, repeated: Int) {
        // A page of deleted items is not empty.
        _ = cursor.take(part.ids.isEmpty ? part.removed.map(\.id) : part.ids)
        cursor.next = after.next
        if after.bound != progress.bound { cursor = PageCursor(first: first) }
        progress = after
        // If the newest changes come last and no item moves to an earlier page, an item that changes during the sync
        // occurs again on a later page.
        let isExpected = !shifts && progress.marks?.since.isAscending == true
        if repeated > 0, !isExpected { progress.totals.hasRepeated = true }
        pages += 1
        items += part.items.count
        elements += part.ids.count + part.removed.count
    }

    /// Whether the sync may have missed an item because the item moved to another page. This is possible with every
    /// pagination style, because the API may sort the list by a value that changes.
    var mayMove: Bool { shifts || pages > 1 || isContinued }

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
        // The API's number of items may include the omitted elements.
        let count = totals.omitsElements ? nil : totals.count
        if let count, seen < count { return false }
        // If a list changes while it is read, an item may move to an earlier page and so be missed.
        if totals.hasChanged { return nil }
        if let count { return seen == count ? true : nil }
        return totals.hasRepeated || end == .circular || !knowsItsEnd ? nil : true
    }

    /// Returns whether this sync is certain to have read all items that the list had at `start` and that still exist.
    /// Unlike `isComplete`, the result can be true for a sync that continues an interrupted sync. It is false if items
    /// can move to an earlier page.
    func hasAllItems(seen: Int, knowsItsEnd: Bool) -> Bool {
        let totals = progress.totals
        guard end == .end, isStable, knowsItsEnd, !totals.lacksItems else { return false }
        return totals.omitsElements || seen >= totals.count ?? 0
    }
}

extension ListWalk.Progress {
    /// Makes the next request ask for the first page again, and raises `bound`. `bound` is the smallest update time or
    /// sequence number that a request asks for. The new `bound` is the newest value so far, minus an overlap. Does
    /// nothing if `restarts` is false.
    ///
    /// In the following cases, the sync continues with the next page instead. `bound` then stays unchanged, and
    /// `mayLackChanges` becomes true:
    ///
    /// - An element of this page has no update time or sequence number.
    /// - The new `bound` is not greater than the current one, or excludes no item of this page.
    /// - The API seems to ignore `bound`.
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

extension PageToken {
    /// The text of a token in a `SyncMark`.
    var mark: String { json.text }

    /// Reads a token from its text in a `SyncMark`; nil if the text is not a token.
    init?(mark: String) {
        guard let value = try? JSONValue(parsing: mark), value != .null, let token = PageToken(value)
        else { return nil }
        self = token
    }
}
