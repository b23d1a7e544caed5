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
    /// The place up to which the run has certainly seen all changes, once it has read all pages; nil if unknown.
    var mark: SinceValue?
    /// A value from the future, which was ignored; nil if there was none.
    private(set) var ignored: SinceValue?

    init(_ since: SinceDefinition, start: Timestamp, mark: SinceValue?) {
        (self.since, self.start, self.mark) = (since, start, mark)
    }

    /// Adds the values of a page.
    ///
    /// If changes do not come in their order, an item may change after its page was read, and another change may be on
    /// a later page. A later page therefore counts only up to the start of the run.
    mutating func add(_ values: [SinceValue], isFirstPage: Bool) {
        for value in values {
            let moment = since.milliseconds(of: value)
            if let moment, moment > start.milliseconds + Self.maxFuture {
                ignored = value
                continue
            }
            let isSafe = since.isAscending || isFirstPage || moment.map { $0 <= start.milliseconds } ?? false
            if isSafe, mark.map({ $0 < value }) ?? true { mark = value }
        }
    }
}
