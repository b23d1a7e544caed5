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

    /// Runs a sync that requests only the changes since a mark: an update time, a sequence number or a token.
    ///
    /// - Parameter answer: the result of the sync. If the sync fails, it contains the requests and changes so far.
    /// - Returns: false if the API's clock was set back, so that the whole list must be read. The sync then continues.
    @_optimize(size)
    func runForChanges(
        _ ticket: SyncTicket, since mark: ChangeMark, _ answer: inout SyncAnswer,
        _ onPage: @Sendable (_ done: Int, _ total: Int?) -> Void
    ) async throws(SyncError) -> Bool {
        switch mark {
        case .value(let value):
            answer.mode = .since
            return try await runForChanges(ticket, since: value, &answer, onPage)
        case .token(let token):
            answer.mode = .token
            return try await reading(source.changes(since: token)).runForChanges(ticket, since: nil, &answer, onPage)
        }
    }

    /// Runs a sync that requests only changes.
    ///
    /// - Parameter value: the update time or sequence number from which the sync requests changes; nil if the sync
    ///   requests the changes since a token.
    /// - Returns: false if the API's clock was set back, so that the whole list must be read.
    @_optimize(size)
    private func runForChanges(
        _ ticket: SyncTicket, since value: SinceValue?, _ answer: inout SyncAnswer,
        _ onPage: @Sendable (_ done: Int, _ total: Int?) -> Void
    ) async throws(SyncError) -> Bool {
        var walk = ListWalk(position: nil, source: source, now: clock.now(), since: value)
        try await read(&walk, ticket, &answer, onPage)
        if walk.progress.isClockBehind { return false }
        let hasReachedEnd = walk.end == .end && !walk.progress.totals.lacksItems
        let hasMoved = walk.progress.marks.map { $0.since.isAscending && $0.mark != value } ?? false
        let reportsDeletions = source.sync?.elements.reportsDeletions == true
        let wasWhole = ticket.state.isWhole || reportsDeletions && ticket.state.mark?.hasAllItems == true
        let isCertain = wasWhole && !walk.progress.mayLackChanges
        answer.isComplete = !hasReachedEnd ? false : isCertain ? true : nil
        var end = SyncEnd()
        end.isHeld = ticket.state.isHeld
        if hasReachedEnd, !walk.progress.hasShifted {
            if reportsDeletions { answer.deletions = .told }
            end.syncedAt = walk.start
            // All deletions since the last run through the list are now known.
            if isCertain, !ticket.state.isWhole { end.wholeAt = ticket.state.mark?.wholeAt }
            end.mark = self.mark(after: walk, answer, hasAllItems: isCertain)
        } else if walk.end == .stopped, !hasMoved {
            // With the same mark, the next run would request the same pages and stop again. Without a mark, it reads
            // the whole list. If that run is interrupted, the following run continues it.
            end.mark = .remove
        }
        try await finish(ticket, end, &answer)
        return true
    }

    /// Returns the mark to store after a page of changes: the update time or sequence number from which the next sync
    /// requests changes. Pages advance the mark only if the API lists the oldest changes first.
    func mark(during progress: ListWalk.Progress, _ state: SyncState) -> SyncMark? {
        var mark = state.mark
        if let marks = progress.marks, let value = marks.mark, marks.since.isAscending, !progress.totals.lacksItems {
            mark?.value = value.text
            if progress.mayLackChanges {
                mark?.isComplete = false
                mark?.hasAllItems = false
            }
        }
        return mark
    }

    /// Returns whether the end of a sync sets, keeps or removes the mark. The mark is the update time, sequence number
    /// or token from which the next sync requests changes.
    ///
    /// - Parameter hasAllItems: the value of `SyncMark.hasAllItems` for a new mark.
    @_optimize(size)
    func mark(after walk: ListWalk, _ answer: SyncAnswer, hasAllItems: Bool) -> SyncEnd.MarkChange {
        guard let sync = source.sync else { return .remove }
        if let ignored = walk.progress.marks?.ignored {
            warn(
                "sync: '\(set.resource.resourceName)': ignored the change time '\(ignored.text)' of an item, because"
                    + " it is in the future; check the clock")
        }
        let value = walk.progress.marks?.mark?.text ?? walk.progress.token?.mark
        guard walk.isWhole else {
            guard var mark = answer.state.mark else { return .keep }
            guard let value = value ?? unchangedToken(after: walk) else {
                warnOfMissingToken()
                return .remove
            }
            (mark.value, mark.isComplete, mark.hasAllItems) = (value, answer.isComplete == true, hasAllItems)
            return .set(mark)
        }
        // If the state has no mark, the file contains either no mark, or a mark that the API has refused.
        if answer.isComplete == false { return answer.state.mark == nil ? .remove : .keep }
        // After an uncertain run, the next run must read the whole list, except in three cases: the API cannot report
        // the end of the list, a run was continued, or the mark is that of the first page.
        let isOrdered = source.shifts && sync.since?.isAscending == true
        let isUsable =
            answer.isComplete == true
            || walk.end == .end && (!source.knowsItsEnd || walk.isContinued || isOrdered)
        let certain = walk.progress.marks.map { $0.certain(shifts: source.shifts)?.text } ?? value
        // The interrupted run does not affect the earlier mark, because the copy still has all changes before this
        // mark.
        if walk.isContinued, keepsMark(of: answer.state) { return .keep }
        guard isUsable else { return .remove }
        guard let value = answer.isComplete == true ? value : certain else {
            if sync.token != nil { warnOfMissingToken() }
            return .remove
        }
        return .set(
            SyncMark(
                value: value, declaration: sync.digest, wholeAt: walk.start, isComplete: answer.isComplete == true,
                hasAllItems: hasAllItems))
    }

    /// Returns whether the mark of a local copy stays valid after an interrupted and continued sync of the whole list.
    /// The mark stays valid if the copy was complete at this mark, and the catalog's `sync` is unchanged.
    func keepsMark(of state: SyncState) -> Bool {
        guard let mark = state.mark, !state.isPartial else { return false }
        return mark.isComplete && mark.declaration == source.sync?.digest
    }

    /// Returns the token that this sync has sent, so that the next sync can send it again. Returns nil if the answers
    /// contained elements, or if the API does not send its tokens in elements.
    private func unchangedToken(after walk: ListWalk) -> String? {
        guard let token = source.token, let place = source.sync?.token?.next.place, walk.elements == 0
        else { return nil }
        if case .answer = place { return nil }
        return token.mark
    }

    private func warnOfMissingToken() {
        warn(
            "sync: '\(set.resource.resourceName)': the API's answer has no token for the next request for changes, so"
                + " the next run reads the whole list; check 'next' and 'initial' of \"sync\" in the catalog")
    }
}
