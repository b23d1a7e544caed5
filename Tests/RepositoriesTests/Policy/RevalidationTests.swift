import DataSources
import System
import TestSupport
import Testing

@testable import Model
@testable import Repositories

/// Tests `staleWhileRevalidate`: stale entries are returned at once and refreshed in the background.
@Suite(.limited) struct RevalidationTests {
    private static let stale = 2 * Stage.hour
    private static let rules = #"{"freshFor": "1h", "keepFor": "30d", "staleWhileRevalidate": true}"#

    private let request = PageRequest()

    private func stage(_ gate: Gate? = nil, limit: Int = 100) throws -> Stage {
        let stage = try Stage(Declaration(cache: Self.rules), maxIDs: 10, limit: limit)
        try stage.serve("1", "2")
        try stage.servePage("1", "2")
        stage.remote.hold(at: gate)
        return stage
    }

    @Test(arguments: [true, false]) func staleItemIsReturnedAndRefreshedInBackground(isInMemory: Bool) async throws {
        let gate = Gate()
        let stage = try stage(gate)
        let change = LocalChange(items: [stage.entity("1", "old", age: Self.stale)])
        if isInMemory { stage.memory.save(change) } else { stage.persistence.save(change) }
        #expect(stage.repository.cachedItem("1", CacheControl()) == nil, "memory alone starts no refresh")
        let answer = try await stage.repository.item("1", CacheControl())
        #expect(answer.value.text == Stage.text("1", "old"))
        #expect(answer.isStale && answer.fallback == nil && answer.source == (isInMemory ? .memory : .persistence))
        #expect(answer.fetchedAt == stage.moment(age: Self.stale))
        await stage.remote.arrived(1)
        gate.open()
        await stage.background.finish()
        #expect(try await stage.repository.item("1", CacheControl()).isStale == false)
        #expect(try await stage.persistence.read(stage.itemKey("1"))?.json.text == Stage.text("1", "new"))
        #expect(stage.remote.calls == [.item("1")])
    }

    @Test func stalePageIsReturnedAndRefreshedInBackground() async throws {
        let stage = try stage()
        _ = try await stage.repository.page(request, CacheControl())
        try stage.servePage("1", "2", name: "newer")
        stage.clock.advance(milliseconds: Self.stale)
        let answer = try await stage.repository.page(request, CacheControl())
        #expect(answer.isStale && answer.value.items.first?.text == Stage.text("1", "new"))
        await stage.background.finish()
        let next = try #require(stage.repository.cachedPage(request, CacheControl()))
        #expect(!next.isStale && next.value.items.first?.text == Stage.text("1", "newer"))
    }

    @Test func invalidatedEntryIsRefreshedInBackground() async throws {
        let stage = try stage()
        stage.keep(stage.entity("1", "old", isInvalidated: true))
        let answer = try await stage.repository.item("1", CacheControl())
        #expect(answer.isStale && answer.value.text == Stage.text("1", "old"))
        await stage.background.finish()
        #expect(stage.repository.cachedItem("1", CacheControl())?.value.text == Stage.text("1", "new"))
    }

    @Test func manyReadersStartOneRefreshAndTakeNoSlots() async throws {
        let gate = Gate()
        let stage = try stage(gate, limit: 20)
        stage.keep(stage.entity("1", "old", age: Self.stale))
        let first = try await stage.repository.item("1", CacheControl())
        #expect(first.isStale)
        await stage.remote.arrived(1)
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<1000 {
                group.addTask { (try? await stage.repository.item("1", CacheControl()))?.isStale ?? false }
            }
            for await isStale in group { #expect(isStale) }
        }
        let others = (0..<20).map { _ in Task { try await stage.repository.item("2", CacheControl()) } }
        await stage.remote.arrived(2)
        await stage.shared(19)
        gate.open()
        for other in others { #expect(try await other.value.source == .remote) }
        await stage.background.finish()
        #expect(stage.remote.calls == [.item("1"), .item("2")])
    }

    @Test func refreshesNeverTakeSlotsOfCalls() async throws {
        let gate = Gate()
        let stage = try stage(gate, limit: 8)
        try stage.serve("1", "2", "3", "11", "12", "13", "14", "15", "16", "17", "18")
        for id in ["1", "2", "3"] { stage.keep(stage.entity(id, "old", age: Self.stale)) }
        for id in ["1", "2", "3"] { #expect(try await stage.repository.item(id, CacheControl()).isStale) }
        await stage.remote.arrived(1)
        let calls = (11...18).map { id in Task { try await stage.repository.item("\(id)", CacheControl()) } }
        await stage.remote.arrived(9)
        await #expect(throws: RepositoryError.busy(limit: 8)) { try await stage.repository.item("19", CacheControl()) }
        // This task follows the refreshes in the loop's queue, so they have found no slot by now.
        await Task(executorPreference: EventLoop.shared) {}.value
        gate.open()
        for call in calls { #expect(try await call.value.source == .remote) }
        await stage.background.settle()
        #expect(stage.remote.calls.count == 9, "one of three concurrent refreshes has a slot")
        #expect(try await stage.repository.item("2", CacheControl()).isStale)
        await stage.background.finish()
        #expect(try await stage.repository.item("2", CacheControl()).isStale == false, "the last read refreshed it")
    }

    @Test func concurrentReadersStartOneRefresh() async throws {
        let gate = Gate()
        let stage = try stage(gate)
        stage.keep(stage.entity("1", "old", age: Self.stale))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<500 { group.addTask { _ = try? await stage.repository.item("1", CacheControl()) } }
        }
        gate.open()
        await stage.background.finish()
        #expect(stage.remote.calls == [.item("1")])
        #expect(stage.repository.statistics == ResourceStatistics(hits: 500, misses: 0, coalesced: 0))
    }

    @Test func failedRefreshIsNotReportedAndIsRetried() async throws {
        let stage = try stage()
        stage.keep(stage.entity("1", "old", age: Self.stale))
        stage.remote.fail(APIError(.network, "reset"))
        for round in 1...3 {
            let answer = try await stage.repository.item("1", CacheControl())
            #expect(answer.isStale && answer.fallback == nil && answer.value.text == Stage.text("1", "old"))
            await stage.background.settle()
            #expect(stage.remote.calls.count == round)
        }
    }

    @Test func refreshRemovesAnEntryMissingFromTheRemote() async throws {
        let stage = try stage()
        stage.keep(stage.entity("9", "old", age: Self.stale))
        #expect(try await stage.repository.item("9", CacheControl()).isStale)
        await stage.background.finish()
        #expect(stage.memory.read(stage.itemKey("9")) == nil)
        #expect(try await stage.persistence.read(stage.itemKey("9")) == nil)
    }

    @Test func refreshIsAConditionalRequest() async throws {
        let stage = try stage()
        let validators = Validators(etag: "\"a\"", lastModified: nil)
        stage.remote.send(validators)
        stage.remote.setUnchanged(true)
        let old = stage.entity("1", "old", age: Self.stale)
        stage.memory.save(
            LocalChange(items: [
                ItemEntity(key: old.key, json: old.json, fetchedAt: old.fetchedAt, validators: validators)
            ]))
        #expect(try await stage.repository.item("1", CacheControl()).isStale)
        await stage.background.finish()
        let kept = stage.repository.cachedItem("1", CacheControl())
        #expect(kept?.value.text == Stage.text("1", "old") && kept?.fetchedAt == stage.clock.now())
    }

    @Test func readOfSeveralItemsJoinsTheRefresh() async throws {
        let gate = Gate()
        let stage = try stage(gate)
        stage.keep(stage.entity("1", "old", age: Self.stale))
        #expect(try await stage.repository.item("1", CacheControl()).isStale)
        await stage.remote.arrived(1)
        let many = Task { try await stage.repository.items(["1"], CacheControl()) }
        await stage.shared(1)
        gate.open()
        #expect(try await many.value.items.map(\.text) == [Stage.text("1", "new")], "the read waits: no item is stale")
        #expect(stage.remote.calls == [.item("1")])
    }

    @Test func policiesOtherThanLocalFirstStartNoRefresh() async throws {
        let stage = try stage()
        stage.keep(stage.entity("1", "old", age: Self.stale))
        #expect(try await stage.repository.item("1", CacheControl(.localOnly)).isStale)
        #expect(stage.remote.calls == [])
        #expect(try await stage.repository.item("1", CacheControl(.none)).value.text == Stage.text("1", "new"))
        #expect(try await stage.repository.item("1", CacheControl(.remoteFirst)).value.text == Stage.text("1", "new"))
        #expect(stage.remote.calls.count == 2)
    }

    @Test func expiredEntryIsFetchedBeforeTheAnswer() async throws {
        let stage = try stage()
        stage.keep(stage.entity("1", "old", age: 31 * 24 * Stage.hour))
        #expect(try await stage.repository.item("1", CacheControl()).source == .remote)
    }

    @Test func staleEntryIsFetchedBeforeTheAnswerByDefault() async throws {
        let stage = try Stage()
        try stage.serve("1")
        stage.keep(stage.entity("1", "old", age: Self.stale))
        #expect(try await stage.repository.item("1", CacheControl()).source == .remote)
    }

    @Test func refreshesAreAwaitedByFinishAndNotStartedAfterwards() async throws {
        let gate = Gate()
        let stage = try stage(gate)
        stage.keep(stage.entity("1", "old", age: Self.stale))
        _ = try await stage.repository.item("1", CacheControl())
        await stage.remote.arrived(1)
        let end = Task { await stage.background.finish() }
        gate.open()
        await end.value
        #expect(stage.memory.read(stage.itemKey("1"))?.json.text == Stage.text("1", "new"))
        stage.keep(stage.entity("2", "old", age: Self.stale))
        let calls = stage.remote.calls.count
        #expect(try await stage.repository.item("2", CacheControl()).isStale)
        await stage.background.finish()
        #expect(stage.remote.calls.count == calls)
    }

    @Test func refreshesAreCancelledAfterTheTimeLimitOfFinish() async throws {
        let stage = try stage(Gate())
        stage.keep(stage.entity("1", "old", age: Self.stale))
        _ = try await stage.repository.item("1", CacheControl())
        await stage.remote.arrived(1)
        let end = Task { await stage.background.finish(within: .seconds(30), sleep: stage.sleep.sleep) }
        await stage.sleep.begun(1, for: .seconds(30))
        stage.sleep.wake(from: .seconds(30))
        // The gate stays closed, so only a cancelled refresh lets `finish` return.
        await end.value
        #expect(stage.memory.read(stage.itemKey("1"))?.json.text == Stage.text("1", "old"))
    }

    @Test func finishReturnsOnceRefreshesAreDone() async throws {
        let stage = try stage()
        stage.keep(stage.entity("1", "old", age: Self.stale))
        _ = try await stage.repository.item("1", CacheControl())
        // The time limit never ends, because nothing wakes the sleeping task.
        await stage.background.finish(within: .seconds(30), sleep: stage.sleep.sleep)
        #expect(stage.memory.read(stage.itemKey("1"))?.json.text == Stage.text("1", "new"))
    }

    @Test func refreshesAreCancelledIfFinishIsCancelled() async throws {
        let stage = try stage(Gate())
        stage.keep(stage.entity("1", "old", age: Self.stale))
        _ = try await stage.repository.item("1", CacheControl())
        await stage.remote.arrived(1)
        let end = Task { await stage.background.finish() }
        end.cancel()
        // The gate stays closed, so only a cancelled refresh lets `finish` return.
        await end.value
        #expect(stage.memory.read(stage.itemKey("1"))?.json.text == Stage.text("1", "old"))
    }
}
