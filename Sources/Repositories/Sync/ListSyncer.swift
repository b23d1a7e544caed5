import Catalog
import DataSources
import Model
import System

/// Updates the local copy of a list: reads the list, stores what has changed, and removes items that no longer exist.
///
/// Each page is stored together with the position at which the next sync continues. While a page is stored, the next
/// page is already requested. An interrupted sync therefore loses at most these two pages.
// Only two pages are in memory at a time, so the list may be of any size.
// A class, because the copies of a large struct need much code.
final class ListSyncer: Sendable {
    /// The interval at which a running sync calls `FileSyncStore.beat`, in milliseconds. The calls show other processes
    /// that the sync is still running.
    private static let beat: Milliseconds = 3000
    /// The pause between two attempts to start a sync while another sync of the list is running, in milliseconds.
    private static let pause: Milliseconds = 50
    /// The maximum number of repeated requests for one page. A request is repeated if the cache removed or invalidated
    /// entries during the request.
    private static let maxRepeats = 3

    let set: SyncSet
    let request: SyncRequest
    let source: SyncSource
    let store: FileSyncStore
    let cache: Cache
    let clock: any ClockContract
    let timer: any TimerContract
    /// The maximum time to wait for another sync of the same list, in milliseconds.
    let maxWait: Milliseconds
    /// The maximum age of an unchanged stored item, in milliseconds. A sync stores an older item again, so that the
    /// cache has its new fetch time.
    let maxAge: Milliseconds
    let warn: @Sendable (String) -> Void

    init(
        set: SyncSet, request: SyncRequest, source: SyncSource, store: FileSyncStore, cache: Cache,
        clock: any ClockContract, timer: any TimerContract, maxWait: Milliseconds, maxAge: Milliseconds,
        warn: @escaping @Sendable (String) -> Void
    ) {
        (self.set, self.request, self.source, self.store, self.cache) = (set, request, source, store, cache)
        (self.clock, self.timer, self.maxWait, self.maxAge, self.warn) = (clock, timer, maxWait, maxAge, warn)
    }

    /// Returns `maxAge` for the given cache rules: half of `keepFor` or half of `freshFor`, whichever is shorter. A
    /// `freshFor` of less than two minutes counts as two minutes.
    static func maxAge(_ rules: CacheRules) -> Milliseconds {
        let kept = (rules.keepFor ?? .max) / 2
        return min(kept, max(60_000, (rules.freshFor ?? .max) / 2))
    }

    /// Runs the sync. If another sync of the same list is running, waits for that sync and uses its result.
    ///
    /// - Parameter onPage: called after each page with the number of items read so far, and the total if it is known.
    /// - Throws: `SyncError` if the API or the cache file failed, or if another sync of the list blocked this sync.
    ///   Pages that were already stored remain in the cache.
    @_optimize(size)
    func run(onPage: @Sendable (_ done: Int, _ total: Int?) -> Void) async throws(SyncError) -> SyncAnswer {
        let (ticket, isNew) = try await take()
        if isRecent(ticket.state, isNew: isNew) {
            let state = try await end(ticket, continues: true)
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
            _ = try? await end(ticket, continues: !error.isRefusal)
            throw error
        }
    }

    /// Waits until no other sync of the same list is running. Returns a ticket that permits changes to the synced list,
    /// and whether another sync was completed during the wait.
    @_optimize(size)
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

    /// Whether no sync is necessary: the local copy is recent enough, or another sync has just updated it.
    ///
    /// - Parameter isNew: whether another sync was completed while this call waited.
    func isRecent(_ state: SyncState, isNew: Bool) -> Bool {
        guard let syncedAt = state.syncedAt, !state.isPartial, state.position == nil else { return false }
        let age = clock.now().milliseconds - syncedAt.milliseconds
        // The clock may have been set back, so a copy from the future is not recent.
        return (isNew && !request.startsOver && !request.acceptsRemovals)
            || (request.maxAge.map { age >= 0 && age <= Int64($0) } ?? false)
    }

    @_optimize(size)
    private func run(
        _ ticket: SyncTicket, onPage: @Sendable (_ done: Int, _ total: Int?) -> Void
    ) async throws(SyncError) -> SyncAnswer {
        var (ticket, answer) = (ticket, SyncAnswer(state: ticket.state))
        switch plan(ticket.state) {
        case .whole(let reason, let isFault):
            if isFault {
                warn("sync: '\(set.resource.resourceName)': the whole list is read, because \(reason)")
            }
        case .changes(let mark):
            let fault: String
            do throws(SyncError) {
                if try await runForChanges(ticket, since: mark, &answer, onPage) { return answer }
                fault = "the API's clock has not reached the time \(mark.shown) of the last change: it was set back"
            } catch {
                guard error.isRefusedRequest else { throw error }
                answer.requests += 1
                fault = "the API refused the request for changes since \(mark.shown)"
            }
            // If this run is interrupted, too, the next run must not use the mark.
            ticket = ticket.withoutMark
            (answer.mode, answer.state) = (.whole, ticket.state)
            warn("sync: '\(set.resource.resourceName)': \(fault), so the whole list is read")
        }
        var walk = ListWalk(position: position(ticket.state), source: source, now: clock.now())
        if !walk.isContinued {
            try await local { () async throws(LocalDataError) in try await store.restart(ticket) }
            if let token = try await initialToken(&answer) { walk.begin(at: token) }
        }
        try await read(&walk, ticket, &answer, onPage)
        let seen = try await local { () async throws(LocalDataError) in try await store.seenCount(ticket) }
        answer.isComplete = walk.isComplete(seen: seen, knowsItsEnd: source.knowsItsEnd)
        if answer.isComplete == true {
            // The cache may have lost items during the run.
            let isPartial = try await local { () async throws(LocalDataError) in try await store.hasLostItems(ticket) }
            if isPartial { answer.isComplete = false }
        }
        if answer.isComplete == true {
            try await removeAbsent(since: walk.start, mayMove: walk.mayMove, ticket, &answer)
        }
        var hasAllItems = answer.isComplete == true
        if walk.isContinued, walk.hasAllItems(seen: seen, knowsItsEnd: source.knowsItsEnd) {
            // The API might not report again that these items were deleted.
            hasAllItems = try await absent(from: 1, before: walk.start, limit: 1, ticket).count == 0
        }
        var end = SyncEnd()
        // If an interrupted run keeps the earlier mark, the copy is known to be complete only at the earlier time.
        let keepsMark = walk.isContinued && keepsMark(of: answer.state)
        if answer.isComplete != false, !keepsMark { end.syncedAt = walk.start }
        end.isWhole = answer.isComplete == true
        end.isHeld = answer.isComplete == true ? answer.held != nil : ticket.state.isHeld
        end.continues = walk.end == .stopped
        end.mark = mark(after: walk, answer, hasAllItems: hasAllItems)
        // The copy may have items that were deleted before the mark, so the API would not report them again.
        let mayHaveOthers = answer.isComplete == true && answer.deletions == .unknown && answer.held == nil
        if mayHaveOthers, source.sync?.elements.reportsDeletions == true { end.mark = .remove }
        try await finish(ticket, end, &answer)
        // The copy still has items that the list lacks.
        if answer.held != nil, answer.isComplete == true { answer.isComplete = nil }
        return answer
    }

    /// Requests the first token for changes. Returns nil if the catalog declares no separate request for this token.
    /// Call this function before the list is read, so that the token marks a point before the read.
    private func initialToken(_ answer: inout SyncAnswer) async throws(SyncError) -> PageToken? {
        do throws(APIError) {
            let token = try await source.reader.remote.initialToken()
            if token != nil { answer.requests += 1 }
            return token
        } catch {
            throw .repository(.remote(error))
        }
    }

    /// Returns a syncer for the same list that reads its pages from another source.
    func reading(_ source: SyncSource) -> ListSyncer {
        ListSyncer(
            set: set, request: request, source: source, store: store, cache: cache, clock: clock, timer: timer,
            maxWait: maxWait, maxAge: maxAge, warn: warn)
    }

    /// Ends a sync that has read pages until the end of the list, the request limit, or an unexpected page of the API.
    @_optimize(size)
    func finish(_ ticket: SyncTicket, _ end: SyncEnd, _ answer: inout SyncAnswer) async throws(SyncError) {
        let state = try await local { () async throws(LocalDataError) in try await store.end(ticket, end) }
        guard let state else { throw .taken }
        answer.state = state
        // The cache may have lost items during the run, for example because the file is full.
        if state.isPartial, answer.isComplete == true { answer.isComplete = false }
    }

    /// Ends a sync that reads no pages or has failed.
    private func end(_ ticket: SyncTicket, continues: Bool) async throws(SyncError) -> SyncState? {
        var end = SyncEnd()
        (end.isHeld, end.continues) = (ticket.state.isHeld, continues)
        return try await local { [end] () async throws(LocalDataError) in try await store.end(ticket, end) }
    }

    /// Reads and stores the pages of the list. If the sync requests only changes, the pages contain only changed items.
    @_optimize(size)
    func read(
        _ walk: inout ListWalk, _ ticket: SyncTicket, _ answer: inout SyncAnswer,
        _ onPage: @Sendable (_ done: Int, _ total: Int?) -> Void
    ) async throws(SyncError) {
        var previous: AdjacentPage?
        var next: RunningRequest?
        var hasFailed = false
        defer { next?.cancel() }
        while let page = walk.enter() {
            var attempts = 0
            while true {
                if let limit = request.maxRequests, answer.requests >= limit { return walk.end = .stopped }
                if Task.isCancelled { throw .repository(.left) }
                let running = next ?? ask(for: page, since: walk.bound, after: previous)
                next = nil
                let part: SyncSource.Part
                do throws(RepositoryError) {
                    part = try await running.part()
                } catch {
                    guard case .noPage = error, !walk.isAtFirst else { throw .repository(error) }
                    return walk.end = .broken
                }
                answer.requests += part.requests
                if let failure = part.failure, !hasFailed, !Task.isCancelled {
                    hasFailed = true
                    warn("sync: '\(set.resource.resourceName)': \(failure); the run stays incomplete because of this")
                }
                guard let progress = walk.progress(after: part, now: clock.now()) else { return walk.end = .broken }
                let read = part.pages.first.map { AdjacentPage(page: $0, token: page) }
                // If the page is already outdated, it will be requested again first.
                let isAllowed =
                    cache.currentEpoch == running.epoch && answer.requests < request.maxRequests ?? .max
                next = (isAllowed ? walk.page(after: part, progress) : nil).map {
                    ask(for: $0, since: progress.bound, after: read)
                }
                let stored = try await store(part, walk, progress, ticket, askedIn: running.epoch)
                attempts += 1
                if stored.isOutdated {
                    // Entries were removed or became stale during the request, so the page may be outdated.
                    if let next {
                        next.cancel()
                        answer.requests += 1
                    }
                    next = nil
                    if attempts <= Self.maxRepeats { continue }
                    return walk.end = .broken
                }
                previous = read
                answer.record(.added, stored.added, limit: request.maxChanges)
                answer.record(.changed, stored.changed, limit: request.maxChanges)
                answer.record(.removed, stored.removed, limit: request.maxChanges)
                onPage(walk.items + part.items.count, walk.isWhole ? part.count : nil)
                walk.add(part, progress, repeated: stored.repeated)
                if progress.isClockBehind { return }
                break
            }
        }
    }

    private func ask(for page: PageToken, since bound: SinceValue?, after previous: AdjacentPage?) -> RunningRequest {
        RunningRequest(
            page, of: source, filters: request.filters, since: bound, after: previous, epoch: cache.currentEpoch)
    }

    /// Stores a page in the cache file, and updates memory and the shared cache level.
    @_optimize(size)
    private func store(
        _ part: SyncSource.Part, _ walk: ListWalk, _ progress: ListWalk.Progress, _ ticket: SyncTicket,
        askedIn epoch: Int
    ) async throws(SyncError) -> SyncedChanges {
        var content = SyncedPart(
            items: part.items, pages: part.pages, position: walk.isWhole ? walk.position(after: progress) : nil,
            maxAge: maxAge)
        content.removed = part.removed
        content.mark = walk.isWhole ? ticket.state.mark : mark(during: progress, ticket.state)
        let stored = try await local { [content] () async throws(LocalDataError) in
            try await store.store(content, ticket) { [cache] in cache.currentEpoch != epoch }
        }
        guard let stored else { throw .taken }
        cache.synced(stored.written, pages: part.pages.map(\.key), part.ticket)
        if !stored.deleted.isEmpty { cache.syncRemoved(stored.deleted, isDeleted: true) }
        return stored
    }

    /// Calls a function of the sync store, and converts a `LocalDataError` to a `SyncError`.
    func local<Value: Sendable>(
        _ call: () async throws(LocalDataError) -> Value
    ) async throws(SyncError) -> Value {
        do throws(LocalDataError) { return try await call() } catch { throw .local(error) }
    }
}

extension SyncError {
    /// Whether the API rejected the parameters of a request.
    fileprivate var isRefusedRequest: Bool {
        guard case .repository(let error) = self, let kind = error.cause?.kind else { return false }
        return kind == .invalidRequest || kind == .notFound
    }

    /// Whether the same request to the API would fail again.
    fileprivate var isRefusal: Bool {
        guard case .repository(let error) = self else { return false }
        return switch error.cause?.kind {
        case .invalidRequest, .invalidResponse, .notFound, .decodingFailed, .unauthorized, .tooLarge: true
        default: false
        }
    }
}
