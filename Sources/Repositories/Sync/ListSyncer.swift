import Catalog
import DataSources
import Model
import System

/// Updates the local copy of a list: reads the list, stores what has changed, and removes items that no
/// longer exist.
///
/// Each page is stored together with the place where the next run continues. An interrupted run
/// therefore loses at most the page that it was reading.
// Only one page is in memory at a time, so the list may be of any size.
struct ListSyncer: Sendable {
    /// The interval at which an active run calls `SyncStoreContract.beat`, in milliseconds. Other processes wait for a
    /// run that is active.
    private static let beat: Milliseconds = 3000
    /// The time between two attempts to start a run while another run has the set, in milliseconds.
    private static let pause: Milliseconds = 50

    let set: SyncSet
    let request: SyncRequest
    let source: SyncSource
    let store: any SyncStoreContract
    let cache: Cache
    let clock: any ClockContract
    let timer: any TimerContract
    /// The maximum time to wait for another run of the set, in milliseconds.
    let maxWait: Milliseconds
    /// The age from which an unchanged item is stored again with its new fetch time, in milliseconds.
    let maxAge: Milliseconds
    let warn: @Sendable (String) -> Void

    /// Returns the age from which an unchanged item is stored again: half of the time for which it is fresh or kept.
    static func maxAge(_ rules: CacheRules) -> Milliseconds {
        let kept = (rules.keepFor ?? .max) / 2
        return min(kept, max(60_000, (rules.freshFor ?? .max) / 2))
    }

    /// Runs the sync. If another run has the set, waits for it and returns its result.
    ///
    /// - Parameter onPage: called after each page with the number of read items so far, and the total if it is known.
    /// - Throws: `SyncError` if the API or the cache file failed. Entries that were stored before stay.
    func run(onPage: @Sendable (_ done: Int, _ total: Int?) -> Void) async throws(SyncError) -> SyncAnswer {
        let (ticket, isNew) = try await take()
        if isRecent(ticket.state, isNew: isNew) {
            let state = try await local { () async throws(LocalDataError) in
                try await store.end(
                    ticket, syncedAt: nil, isWhole: false, isHeld: ticket.state.isHeld, continues: true)
            }
            var answer = SyncAnswer(state: state ?? ticket.state)
            answer.mode = .none
            answer.isComplete = answer.state.isWhole ? true : nil
            return answer
        }
        let beating = Task(executorPreference: EventLoop.shared) { [timer, store] in
            while !Task.isCancelled, (try? await timer.sleep(milliseconds: Self.beat)) != nil {
                await store.beat(ticket)
            }
        }
        defer { beating.cancel() }
        do throws(SyncError) {
            return try await run(ticket, onPage: onPage)
        } catch {
            // The set is free for the next run, which continues at the stored position. If the API refuses that page,
            // the next run starts over.
            _ = try? await store.end(
                ticket, syncedAt: nil, isWhole: false, isHeld: ticket.state.isHeld, continues: !error.isRefusal)
            throw error
        }
    }

    /// Returns a ticket for the set, and whether another run has ended while this call waited for it. Waits while
    /// another run has the set.
    private func take() async throws(SyncError) -> (ticket: SyncTicket, isNew: Bool) {
        let start = timer.milliseconds
        var before: SyncState?
        while true {
            let ticket = try await local { () async throws(LocalDataError) in try await store.begin(set) }
            if let ticket { return (ticket, before.map { $0.syncedAt != ticket.state.syncedAt } ?? false) }
            if before == nil {
                let states = try await local { () async throws(LocalDataError) in try await store.states() }
                before = states.first { $0.set == set }
            }
            guard timer.milliseconds - start < maxWait, (try? await timer.sleep(milliseconds: Self.pause)) != nil
            else { throw .taken }
        }
    }

    /// Whether the copy needs no run: it is recent enough, or another run has just completed it.
    ///
    /// - Parameter isNew: whether another run has ended while this call waited for it.
    private func isRecent(_ state: SyncState, isNew: Bool) -> Bool {
        guard let syncedAt = state.syncedAt, !state.isPartial, state.position == nil else { return false }
        let age = clock.now().milliseconds - syncedAt.milliseconds
        // The clock may have been set back, so a copy from the future is not recent.
        return (isNew && !request.startsOver && !request.acceptsRemovals)
            || (request.maxAge.map { age >= 0 && age <= Int64($0) } ?? false)
    }

    private func run(
        _ ticket: SyncTicket, onPage: @Sendable (_ done: Int, _ total: Int?) -> Void
    ) async throws(SyncError) -> SyncAnswer {
        var answer = SyncAnswer(state: ticket.state)
        let position = request.startsOver ? nil : ticket.state.position
        var walk = ListWalk(position: position, first: source.first, now: clock.now())
        if !walk.isContinued {
            try await local { () async throws(LocalDataError) in try await store.restart(ticket) }
        }
        try await read(&walk, ticket, &answer, onPage)
        let seen = try await local { () async throws(LocalDataError) in try await store.seenCount(ticket) }
        answer.isComplete = walk.isComplete(seen: seen, knowsItsEnd: source.knowsItsEnd)
        if answer.isComplete == true { try await removeAbsent(since: walk.start, ticket, &answer) }
        let (isComplete, stopped, start) = (answer.isComplete, walk.end == .stopped, walk.start)
        let isHeld = isComplete == true ? answer.held != nil : ticket.state.isHeld
        let state = try await local { () async throws(LocalDataError) in
            try await store.end(
                ticket, syncedAt: isComplete == false ? nil : start, isWhole: isComplete == true, isHeld: isHeld,
                continues: stopped)
        }
        guard let state else { throw .taken }
        answer.state = state
        // The cache may have lost items during the run, for example because the file is full.
        if state.isPartial, answer.isComplete == true { answer.isComplete = false }
        return answer
    }

    /// Reads the pages of the list and stores them.
    private func read(
        _ walk: inout ListWalk, _ ticket: SyncTicket, _ answer: inout SyncAnswer,
        _ onPage: @Sendable (_ done: Int, _ total: Int?) -> Void
    ) async throws(SyncError) {
        while let page = walk.enter() {
            if let limit = request.maxRequests, answer.requests >= limit { return walk.end = .stopped }
            if Task.isCancelled { throw .repository(.left) }
            let (part, epoch): (SyncSource.Part, Int)
            do throws(RepositoryError) {
                epoch = cache.currentEpoch
                part = try await source.part(PageRequest(page: page, filters: request.filters))
            } catch {
                guard case .noPage = error, !walk.isAtFirst else { throw .repository(error) }
                return walk.end = .broken
            }
            answer.requests += part.requests
            guard walk.take(part) else { return }
            let position = part.next.map { SyncPosition(page: $0, start: walk.start, totals: walk.totals) }
            let stored = try await local { () async throws(LocalDataError) in
                try await store.store(
                    SyncedPart(items: part.items, pages: part.pages, position: position, maxAge: maxAge), ticket
                ) { [cache] in cache.currentEpoch != epoch }
            }
            guard let stored else { throw .taken }
            // Entries were removed or became stale during the request. The next run reads this page again.
            guard !stored.isOutdated else { return walk.end = .broken }
            cache.synced(stored.written, pages: part.pages.map(\.key))
            answer.record(.added, stored.added, limit: request.maxChanges)
            answer.record(.changed, stored.changed, limit: request.maxChanges)
            walk.add(part, repeated: stored.repeated)
            onPage(walk.items, part.count)
        }
    }

    /// Calls the store, and converts its error.
    func local<Value: Sendable>(
        _ call: () async throws(LocalDataError) -> Value
    ) async throws(SyncError) -> Value {
        do throws(LocalDataError) { return try await call() } catch { throw .local(error) }
    }
}

extension SyncState {
    /// Whether the last run has certainly read all items of the list, and none was lost from the cache since.
    public var isWhole: Bool { syncedAt != nil && syncedAt == wholeAt && !isPartial && position == nil }
}

extension SyncError {
    /// Whether the API has refused a request, so that the same request would fail again.
    fileprivate var isRefusal: Bool {
        guard case .repository(let error) = self else { return false }
        return switch error.cause?.kind {
        case .invalidRequest, .invalidResponse, .notFound, .decodingFailed, .unauthorized, .tooLarge: true
        default: false
        }
    }
}
