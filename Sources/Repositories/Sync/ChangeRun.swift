import Catalog
import DataSources
import Model
import System

/// Runs syncs that ask the API only for the changes of a list.
extension ListSyncer {
    /// Returns the position at which an interrupted sync of the whole list continues; nil to start at the first page.
    func position(_ state: SyncState) -> SyncPosition? {
        // Page tokens may depend on the requests that the catalog declares.
        request.startsOver || state.position?.declaration != source.sync?.digest ? nil : state.position
    }

    /// Runs a sync that requests only the changes since a given update time or sequence number.
    @_optimize(size)
    func runForChanges(
        _ ticket: SyncTicket, since mark: SinceValue, onPage: @Sendable (_ done: Int, _ total: Int?) -> Void
    ) async throws(SyncError) -> SyncAnswer {
        var answer = SyncAnswer(state: ticket.state)
        answer.mode = .since
        var walk = ListWalk(position: nil, source: source, now: clock.now(), since: mark)
        try await read(&walk, ticket, &answer, onPage)
        let hasReachedEnd = walk.end == .end && !walk.progress.totals.lacksItems
        let hasMoved = walk.progress.marks.map { $0.since.isAscending && $0.mark != mark } ?? false
        let isCertain = ticket.state.isWhole && !walk.progress.mayLackChanges
        answer.isComplete = !hasReachedEnd ? false : isCertain ? true : nil
        var end = SyncEnd()
        end.isHeld = ticket.state.isHeld
        if hasReachedEnd {
            if source.sync?.deleted != nil { answer.deletions = .told }
            end.syncedAt = walk.start
            end.mark = self.mark(after: walk, answer)
        } else if walk.end == .stopped, !hasMoved {
            // The next run would ask for the same pages. An interrupted run through the whole list continues instead.
            end.mark = .remove
        }
        try await finish(ticket, end, &answer)
        return answer
    }

    /// Returns the mark to store after a page of changes. The mark is the update time or sequence number from which the
    /// next sync requests changes. Pages advance the mark only if the API lists the oldest changes first.
    func mark(during progress: ListWalk.Progress, _ state: SyncState) -> SyncMark? {
        var mark = state.mark
        if let marks = progress.marks, let value = marks.mark, marks.since.isAscending, !progress.totals.lacksItems {
            mark?.value = value.text
        }
        return mark
    }

    /// Returns how the mark changes at the end of a sync. The mark is the update time or sequence number from which the
    /// next sync requests changes.
    @_optimize(size)
    func mark(after walk: ListWalk, _ answer: SyncAnswer) -> SyncEnd.MarkChange {
        guard let sync = source.sync, let marks = walk.progress.marks else { return .remove }
        if let ignored = marks.ignored {
            warn(
                "sync: '\(set.resource.resourceName)': ignored the change time '\(ignored.text)' of an item, because"
                    + " it is in the future; check the clock")
        }
        guard walk.isWhole else {
            guard var mark = answer.state.mark, let value = marks.mark else { return .keep }
            (mark.value, mark.isComplete) = (value.text, answer.isComplete == true)
            return .set(mark)
        }
        if answer.isComplete == false { return .keep }
        // After an uncertain run, the next run must read the whole list, except in three cases: the API cannot report
        // the end of the list, a run was continued, or the mark is that of the first page.
        let isOrdered = source.shifts && sync.since.isAscending
        let isUsable =
            answer.isComplete == true
            || walk.end == .end && (!source.knowsItsEnd || walk.isContinued || isOrdered)
        let mark = answer.isComplete == true ? marks.mark : marks.certain(shifts: source.shifts)
        guard isUsable, let value = mark else { return .remove }
        return .set(
            SyncMark(
                value: value.text, declaration: sync.digest, wholeAt: walk.start,
                isComplete: answer.isComplete == true))
    }
}
