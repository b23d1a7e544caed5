import DataSources
import Mocks
import TestSupport
import Testing

@testable import Model
@testable import Repositories

/// Tests a sync while the cache removes or invalidates entries. Pages that were requested before are outdated.
@Suite(.limited) struct OutdatedPagesTests {
    /// Runs a sync. The cache invalidates an entry during each of the first `count` requests.
    private static func sync(_ stage: Stage, outdating count: Int) async throws -> SyncAnswer {
        let gates = (0..<count).map { _ in Gate() }
        stage.remote.hold(at: gates[0])
        let sync = Task { try await stage.sync() }
        // The run may end before it has sent all of these requests.
        let changes = Task {
            for (index, gate) in gates.enumerated() {
                await stage.remote.arrived(index + 1)
                _ = await stage.cache.invalidate(CacheSelection(resource: "other", ids: ["1"]))
                stage.remote.hold(at: gates.dropFirst(index + 1).first)
                gate.open()
            }
        }
        defer { changes.cancel() }
        return try await sync.value
    }

    @Test func pageOutdatedByCacheChangesIsRequestedAgainUpToThreeTimes() async throws {
        let stage = try Stage()
        stage.serveList(1...2)
        let answer = try await Self.sync(stage, outdating: 3)
        #expect((answer.requests, answer.added, answer.isComplete) == (4, 2, true))
        #expect(try await stage.stored(1...2) == [1, 2])
    }

    /// The next page is requested while a page is stored, but not if that page must be requested again.
    @Test func nextPageIsNotRequestedAfterAnOutdatedPage() async throws {
        let stage = try Stage()
        stage.serveList(1...4)
        let answer = try await Self.sync(stage, outdating: 1)
        #expect((answer.requests, answer.added, answer.isComplete) == (3, 4, true))
        #expect(stage.remote.calls.count == 3)
    }

    @Test func pageOutdatedByFourCacheChangesEndsTheSyncRun() async throws {
        let stage = try Stage()
        stage.serveList(1...2)
        let answer = try await Self.sync(stage, outdating: 4)
        #expect((answer.requests, answer.added, answer.isComplete) == (4, 0, false))
        #expect(try await stage.stored(1...2) == [])
        #expect(try await stage.sync().isComplete == true)
    }

    /// The list lacks an item of the copy, but the incomplete run must not remove it.
    @Test func removalOfAnItemThatTheRunHasReadMakesTheCopyIncomplete() async throws {
        let (stage, gate) = (try Stage(), Gate())
        stage.serveList([1, 2, 5]) { $0.size = 3 }
        try await stage.sync()
        let before = stage.clock.now()
        stage.serveList(1...4)
        let (second, stored) = (Gate(), Gate())
        stage.remote.hold(at: gate)
        let sync = Task { try await stage.sync(onPage: { _ in stored.open() }) }
        await stage.remote.arrived(2)
        stage.remote.hold(at: second)
        gate.open()
        await stage.remote.arrived(3)
        // The second page is requested while the first is stored.
        try await stored.wait()
        _ = await stage.cache.remove(CacheSelection(resource: "thing", ids: ["1"]))
        stage.remote.hold(at: nil)
        second.open()
        let answer = try await sync.value
        #expect((answer.requests, answer.isComplete, answer.state.isPartial) == (3, false, true))
        #expect(!answer.state.isWhole && answer.state.wholeAt == before)
        #expect((answer.removed, answer.state.items) == (0, 4))
    }
}
