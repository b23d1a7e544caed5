import DataSources
import Mocks
import System
import TestSupport
import Testing

@testable import Model
@testable import Repositories

/// Tests a sync beside other work: other runs, observers, readers, and removals from the cache.
@Suite(.limited) struct SyncSharingTests {
    // MARK: Other runs

    /// Creates a sync whose pauses a test controls.
    private static func syncer(
        _ stage: Stage, _ timer: TimerMock, maxWait: Int = 10_000, _ request: SyncRequest = SyncRequest()
    ) throws -> ListSyncer {
        let reader = RemoteReader(
            stage.resource, key: stage.key, remote: stage.remote, clock: stage.clock,
            anomalies: AnomalyLog { _ in }, redact: { $0 })
        return ListSyncer(
            set: SyncSet(resource: stage.key, list: "{}"), request: request,
            source: SyncSource(reader, filters: [], cache: stage.cache),
            store: try #require(stage.cache.syncs), cache: stage.cache, clock: stage.clock, timer: timer,
            maxWait: maxWait, maxAge: .max, warn: { _ in })
    }

    private static func run(_ syncer: ListSyncer) -> Task<SyncAnswer, any Error> {
        Task { try await syncer.run { _, _ in } }
    }

    @Test func secondSyncRunWaitsForTheResultOfTheFirst() async throws {
        let (stage, timer, gate) = (try Stage(), TimerMock(), Gate())
        stage.serveList(1...3)
        try await stage.sync()
        stage.clock.advance(milliseconds: 1000)
        stage.serveList(1...4)
        stage.remote.hold(at: gate)
        let syncer = try Self.syncer(stage, timer)
        let first = Self.run(syncer)
        await stage.remote.arrived(3)
        stage.clock.advance(milliseconds: 1000)
        let second = Self.run(syncer)
        // The first run waits for its next sign of life, the second run for the first.
        await timer.sleeping(2)
        #expect(stage.remote.calls.count == 3)
        gate.open()
        let answer = try await first.value
        #expect((answer.added, answer.requests) == (1, 2))
        timer.advance(milliseconds: 50)
        let shared = try await second.value
        #expect((shared.mode, shared.requests, shared.added, shared.isComplete) == (.none, 0, 0, true))
        #expect(shared.state == answer.state)
        #expect(stage.remote.calls.count == 4)
    }

    @Test(
        arguments: [(false, false, SyncAnswer.Mode.none), (true, false, .whole), (false, true, .whole)])
    func resultOfAnotherRunIsNotUsedIfTheRequestStartsOverOrAcceptsRemovals(
        startsOver: Bool, acceptsRemovals: Bool, mode: SyncAnswer.Mode
    ) async throws {
        let (stage, timer, gate) = (try Stage(), TimerMock(), Gate())
        stage.serveList(1...2)
        stage.remote.hold(at: gate)
        let first = Self.run(try Self.syncer(stage, timer))
        await stage.remote.arrived(1)
        var request = SyncRequest()
        (request.startsOver, request.acceptsRemovals) = (startsOver, acceptsRemovals)
        let second = Self.run(try Self.syncer(stage, timer, request))
        await timer.sleeping(2)
        gate.open()
        _ = try await first.value
        timer.advance(milliseconds: 50)
        #expect(try await second.value.mode == mode)
    }

    @Test func secondSyncRunContinuesAFailedRun() async throws {
        let (stage, timer, gate) = (try Stage(), TimerMock(), Gate())
        stage.serveList(1...5)
        try await stage.sync()
        stage.clock.advance(milliseconds: 1000)
        stage.serveList(1...5) { $0.errors = [1: Stage.failure] }
        stage.remote.hold(at: gate)
        let syncer = try Self.syncer(stage, timer)
        let first = Self.run(syncer)
        await stage.remote.arrived(4)
        let second = Self.run(syncer)
        await timer.sleeping(2)
        stage.serveList(1...5)
        gate.open()
        await #expect(throws: SyncError.repository(.remote(Stage.failure))) { try await first.value }
        timer.advance(milliseconds: 50)
        let answer = try await second.value
        #expect((answer.mode, answer.requests, answer.isComplete) == (.whole, 3, true))
    }

    @Test func waitTimeForAnotherRunIsLimited() async throws {
        let (stage, timer) = (try Stage(), TimerMock())
        stage.serveList(1...3)
        let syncer = try Self.syncer(stage, timer, maxWait: 100)
        _ = try await syncer.store.begin(syncer.set)
        let run = Self.run(syncer)
        for count in 1...2 {
            await timer.waitForSleeps(count)
            timer.advance(milliseconds: 50)
        }
        await #expect(throws: SyncError.taken) { try await run.value }
        #expect(stage.remote.calls == [])
        #expect(timer.sleeps == [50, 50])
    }

    @Test func longSyncRunKeepsItsLocalCopyWhileItIsActive() async throws {
        let (stage, timer, gate) = (try Stage(), TimerMock(), Gate())
        stage.serveList(1...3)
        stage.remote.hold(at: gate)
        let syncer = try Self.syncer(stage, timer)
        let run = Self.run(syncer)
        await stage.remote.arrived(1)
        for count in 1...4 {
            await timer.waitForSleeps(count)
            stage.clock.advance(milliseconds: 3000)
            timer.advance(milliseconds: 3000)
        }
        await timer.waitForSleeps(5)
        #expect(timer.sleeps == [3000, 3000, 3000, 3000, 3000])
        #expect(try await syncer.store.begin(syncer.set) == nil)
        gate.open()
        #expect(try await run.value.isComplete == true)
    }

    @Test func syncRunThatWasTakenOverStops() async throws {
        let (stage, gate) = (try Stage(), Gate())
        stage.serveList(1...5)
        stage.remote.hold(at: gate)
        let syncer = try Self.syncer(stage, TimerMock())
        let run = Self.run(syncer)
        await stage.remote.arrived(1)
        stage.clock.advance(milliseconds: 10_001)
        let ticket = try #require(try await syncer.store.begin(syncer.set))
        gate.open()
        await #expect(throws: SyncError.taken) { try await run.value }
        #expect(try await stage.stored(1...5) == [])
        #expect(try await syncer.store.begin(syncer.set) == nil, "the other run still has the set")
        _ = try await syncer.store.end(ticket, SyncEnd())
    }

    // MARK: Removals from the cache

    @Test func removalOfTheCacheDuringARunEndsTheRun() async throws {
        for selection in [CacheSelection(), CacheSelection(resource: "thing")] {
            let (stage, gate) = (try Stage(), Gate())
            stage.serveList(1...5)
            try await stage.sync()
            stage.remote.hold(at: gate)
            let sync = Task { try await stage.sync() }
            await stage.remote.arrived(4)
            _ = await stage.cache.remove(selection)
            gate.open()
            await #expect(throws: SyncError.taken) { try await sync.value }
            #expect(try await stage.cache.syncStates() == [])
            #expect(try await stage.stored(1...5) == [])
            #expect(try await stage.sync().added == 5)
        }
    }

    @Test func removalOfAnItemDuringARunMakesTheCopyIncomplete() async throws {
        let (stage, gate) = (try Stage(), Gate())
        stage.serveList(1...3)
        _ = try await stage.sync { $0.maxRequests = 1 }
        stage.remote.hold(at: gate)
        let sync = Task { try await stage.sync() }
        await stage.remote.arrived(2)
        _ = await stage.cache.remove(CacheSelection(resource: "thing", ids: ["1"]))
        gate.open()
        let answer = try await sync.value
        #expect((answer.isComplete, answer.state.isPartial, answer.state.items) == (nil, true, 2))
        let again = try await stage.sync { $0.maxAge = 60_000 }
        #expect((again.mode, again.added, again.isComplete) == (.whole, 1, true))
    }

    @Test func removalOfAnItemDuringAnInterruptionMakesTheCopyIncomplete() async throws {
        let stage = try Stage()
        stage.serveList(1...3)
        _ = try await stage.sync { $0.maxRequests = 1 }
        _ = await stage.cache.remove(CacheSelection(resource: "thing", ids: ["1"]))
        let answer = try await stage.sync()
        #expect((answer.requests, answer.state.items, answer.state.isPartial) == (1, 2, true))
    }

    // MARK: Readers and observers

    @Test func syncReplacesOldItemsInMemory() async throws {
        let stage = try Stage(ServedList.cursors)
        stage.keep(stage.entity("1", "old"), stage.entity("2", "old"), stage.entity("3", "old"))
        stage.serveList(1...3) { $0.hasCursors = true }
        try await stage.sync()
        let found = try await stage.repository.item("2", CacheControl(.localOnly))
        #expect(found.value.text == Stage.text("2", "new") && found.source == .persistence)
        _ = try await stage.repository.page(PageRequest(page: .first), CacheControl(.localOnly))
        stage.serveList([1, 3]) { ($0.hasCursors, $0.names) = (true, [1: "newer"]) }
        try await stage.sync()
        let changed = try await stage.repository.item("1", CacheControl(.localOnly))
        #expect(changed.value.text == Stage.text("1", "newer"))
        await #expect(throws: RepositoryError.notCached(resource: "thing")) {
            try await stage.repository.item("2", CacheControl(.localOnly))
        }
        let page = try await stage.repository.page(PageRequest(page: .first), CacheControl(.localOnly))
        #expect(page.value.ids == ["1", "3"])
    }

    @Test func itemMissingInTheListButKeptInTheCacheIsStaleInMemory() async throws {
        let stage = try Stage(ServedList.cursors)
        stage.serveList(1...101) { ($0.hasCursors, $0.size) = (true, 200) }
        try await stage.sync()
        _ = try await stage.repository.item("7", CacheControl(.localOnly))
        #expect(stage.repository.cachedItem("7", CacheControl(.localOnly))?.isStale == false)
        stage.serveList([1]) { $0.hasCursors = true }
        #expect(try await stage.sync().held == 100)
        #expect(try await stage.repository.item("7", CacheControl(.localOnly)).isStale)
    }

    @Test func changeOfAnItemIsReportedToItsObserver() async throws {
        let stage = try Stage()
        stage.serveList(1...3)
        try await stage.sync()
        let (changed, unchanged) = (ObservationRecorder(), ObservationRecorder())
        let stops = [
            await stage.repository.observeItem("2", tell: changed.note),
            await stage.repository.observeItem("3", tell: unchanged.note),
        ]
        stage.serveList(1...3) { $0.names = [2: "newer"] }
        try await stage.sync()
        await changed.has(1)
        #expect(changed.entries == ["item \(Stage.text("2", "newer")) persistence"])
        #expect(unchanged.entries == [])
        for stop in stops { stop() }
    }

    @Test func removalOfAnItemIsReportedToItsObserver() async throws {
        let stage = try Stage()
        stage.serveList(1...3)
        try await stage.sync()
        let diary = ObservationRecorder()
        let stop = await stage.repository.observeItem("2", tell: diary.note)
        stage.serveList([1, 3])
        try await stage.sync()
        await diary.has(1)
        #expect(diary.entries == ["gone"])
        stop()
    }

    @Test func changeOfAPageIsReportedToItsObserver() async throws {
        let stage = try Stage()
        stage.serveList(1...2)
        try await stage.sync()
        let diary = ObservationRecorder()
        let stop = await stage.repository.observePage(PageRequest(), tell: diary.note)
        stage.serveList([2, 1])
        try await stage.sync()
        await diary.has(1)
        let page = Stage.text("2", "new") + Stage.text("1", "new")
        #expect(diary.entries == ["page \(page) persistence"])
        stop()
    }
}
