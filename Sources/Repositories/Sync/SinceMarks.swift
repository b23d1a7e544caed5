import Catalog
import DataSources
import System

/// Determines the update time or sequence number from which changes can be requested next: by the next request of this
/// sync, and by the next sync.
struct SinceMarks {
    /// The maximum time in milliseconds by which the update time of an item may be ahead of the clock. Later times are
    /// considered wrong.
    static let maxFuture: Int64 = 86_400_000

    let since: SinceDefinition
    /// The time at which the first page of the list was requested, by the clock of this machine.
    let start: Timestamp
    /// The time up to which the pages of the list contain all changes. This is the time at which the first page was
    /// requested, or an earlier time. The pages may lack later changes.
    private(set) var limit: Timestamp
    /// The update time or sequence number from which the next sync can request changes; nil if unknown. It is valid
    /// only if this sync reads all pages.
    private(set) var mark: SinceValue?
    /// Whether this sync reads the whole list, and the API reports deleted items only in answers with changes. The
    /// sequence numbers of later pages are then not used for `mark`. They may be larger than the number of a recent
    /// deletion, so the next sync would miss this deletion.
    private let lacksDeletions: Bool
    /// The update time or sequence number that `mark` had after the first page of the list. The next sync can start at
    /// this value even if this sync has missed items on later pages (see `certain(shifts:)`).
    private var firstMark: SinceValue?
    /// An update time that was ignored because it is too far in the future; nil if there was none.
    private(set) var ignored: SinceValue?

    /// Creates the state of a sync that has not read a page yet.
    ///
    /// - Parameters:
    ///   - limit: the `limit` of the interrupted sync that this sync continues; nil for a new sync.
    ///   - mark: the update time or sequence number from an earlier sync; nil if there is none.
    ///   - lacksDeletions: whether this sync reads the whole list, and the API reports deleted items only in answers
    ///     with changes.
    init(
        _ since: SinceDefinition, start: Timestamp, limit: Timestamp? = nil, mark: SinceValue?,
        lacksDeletions: Bool = false
    ) {
        (self.since, self.start, self.mark, firstMark) = (since, start, mark, mark)
        self.lacksDeletions = lacksDeletions
        self.limit = limit ?? start
    }

    /// Lowers `limit` if the clock of this machine is at least a second ahead of the API's clock. The new limit is the
    /// start of the first request, measured by the API's clock. Smaller differences cannot be detected, because the
    /// header `Date` has no fractions of a second.
    ///
    /// - Parameters:
    ///   - date: the time of the first answer by the API's clock (the header `Date`).
    ///   - arrival: the time at which the first page arrived, by the clock of this machine.
    mutating func lowerLimit(date: Timestamp, arrival: Timestamp) {
        guard date.milliseconds + 1000 <= start.milliseconds else { return }
        let duration = max(0, arrival.milliseconds - start.milliseconds)
        limit = min(limit, Timestamp(milliseconds: date.milliseconds - duration))
    }

    /// Returns the mark from which the next sync can safely request changes, even if this sync has missed items.
    ///
    /// Usually this is `mark`. In a list in ascending order, however, a changed item moves to the end. If `shifts` is
    /// true, later items may then move to a page that the sync has already read. The mark after the first page is safe
    /// in such a list.
    ///
    /// - Parameter shifts: whether items of the list may move to an earlier page.
    func certain(shifts: Bool) -> SinceValue? { shifts && since.isAscending ? firstMark : mark }

    /// Raises `mark` to the largest usable update time or sequence number of a page.
    ///
    /// A value is usable if a sync that starts at this value misses no changes:
    ///
    /// * Update times are usable up to `limit`. An item may change after its page was read, and a later page may
    ///   contain an even newer time.
    /// * Sequence numbers of the first page are usable. Those of later pages are usable only if the list is in
    ///   ascending order and contains deleted items.
    mutating func add(_ values: [SinceValue], isFirstPage: Bool) {
        for value in values {
            let moment = since.milliseconds(of: value)
            // A mark in the future would hide the changes before it. The next run reads this item again.
            if let moment, moment > limit.milliseconds {
                if moment - start.milliseconds > Self.maxFuture { ignored = value }
                continue
            }
            let isSafe = (since.isAscending && !lacksDeletions) || isFirstPage || moment != nil
            if isSafe, mark.map({ $0 < value }) ?? true { mark = value }
        }
        if isFirstPage { firstMark = mark }
    }
}
