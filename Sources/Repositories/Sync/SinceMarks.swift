import Catalog
import DataSources
import System

/// The values of `from` that a run has seen. They decide from where the next request or the next run asks for changes.
struct SinceMarks {
    /// A value this far in the future of the clock is wrong, in milliseconds.
    static let maxFuture: Int64 = 86_400_000

    let since: SinceDefinition
    /// The start of the run.
    let start: Timestamp
    /// The largest value that the next run may start from, once this run has read all pages; nil if unknown.
    private(set) var mark: SinceValue?
    /// The mark after the first page.
    private var firstMark: SinceValue?
    /// A value from the future, which was ignored; nil if there was none.
    private(set) var ignored: SinceValue?

    init(_ since: SinceDefinition, start: Timestamp, mark: SinceValue?) {
        (self.since, self.start, self.mark, firstMark) = (since, start, mark, mark)
    }

    /// Returns the mark for a run that may have missed items. If the pages shift and the newest changes come last, a
    /// missed item may have any value from the first page on.
    func certain(shifts: Bool) -> SinceValue? { shifts && since.isAscending ? firstMark : mark }

    /// Raises the mark to the largest usable value of a page.
    ///
    /// An item may change after the run has read its page. If the list is not in ascending order, a later page may
    /// contain the value of an even later change. A mark with that value would hide the first change from the next run.
    /// Times after the start of the run are therefore not used. Values without a certain time are used only from the
    /// first page, unless the list is in ascending order.
    mutating func add(_ values: [SinceValue], isFirstPage: Bool) {
        for value in values {
            let moment = since.milliseconds(of: value)
            // A mark in the future would hide the changes before it. The next run reads this item again.
            if let moment, moment > start.milliseconds {
                if moment - start.milliseconds > Self.maxFuture { ignored = value }
                continue
            }
            let isSafe = since.isAscending || isFirstPage || moment != nil
            if isSafe, mark.map({ $0 < value }) ?? true { mark = value }
        }
        if isFirstPage { firstMark = mark }
    }
}
