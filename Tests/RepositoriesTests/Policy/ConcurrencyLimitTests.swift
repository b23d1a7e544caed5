import DataSources
import JSON
import TestSupport
import Testing

@testable import Model
@testable import Repositories

/// Tests the limit of requests that wait for remotes.
@Suite(.limited) struct ConcurrencyLimitTests {
    private let busy = RepositoryError.busy(limit: 1)

    @Test func callAboveTheLimitIsRefusedUntilASlotIsFree() async throws {
        let stage = try Stage(maxIDs: 10, limit: 1)
        try stage.serve("1", "2")
        try stage.servePage("1")
        stage.keep(stage.entity("5"), stage.entity("6", age: 2 * Stage.hour))
        let gate = Gate()
        stage.remote.hold(at: gate)
        let first = Task { try await stage.repository.item("1", CacheControl()) }
        await stage.remote.arrived(1)

        for policy in [CachePolicy.localFirst, .remoteFirst, .none] {
            await #expect(throws: busy) { try await stage.repository.item("2", CacheControl(policy)) }
            await #expect(throws: busy) { try await stage.repository.page(PageRequest(), CacheControl(policy)) }
            await #expect(throws: busy) { try await stage.repository.items(["2", "3"], CacheControl(policy)) }
        }
        await #expect(throws: busy, "no fallback to a stale entry: the remote did not fail") {
            try await stage.repository.item("6", CacheControl())
        }
        #expect(try await stage.repository.item("5", CacheControl()).source == .memory)
        #expect(try await stage.repository.item("6", CacheControl(.localOnly)).isStale)
        #expect(stage.remote.calls == [.item("1")])

        gate.open()
        #expect(try await first.value.source == .remote)
        #expect(try await stage.repository.item("2", CacheControl()).source == .remote)
    }

    @Test func failedCallFreesItsSlot() async throws {
        let stage = try Stage(maxIDs: 10, limit: 1)
        let error = APIError(.network, "reset")
        stage.remote.fail(error)
        for _ in 0..<3 {
            await #expect(throws: RepositoryError.remote(error)) {
                try await stage.repository.item("1", CacheControl())
            }
            await #expect(throws: RepositoryError.remote(error)) {
                try await stage.repository.items(["1", "2"], CacheControl())
            }
            await #expect(throws: RepositoryError.remote(error)) {
                try await stage.repository.page(PageRequest(), CacheControl())
            }
        }
    }

    @Test func cancelledCallFreesItsSlot() async throws {
        let stage = try Stage(limit: 1)
        try stage.serve("1", "2")
        let gate = Gate()
        stage.remote.hold(at: gate)
        let first = Task { try await stage.repository.item("1", CacheControl()) }
        await stage.remote.arrived(1)
        first.cancel()
        await #expect {
            try await first.value
        } throws: {
            ($0 as? RepositoryError)?.cause?.kind == .cancelled
        }
        gate.open()
        // The test reads another item, because the answer of the cancelled request may still be stored.
        #expect(try await stage.repository.item("2", CacheControl()).source == .remote)
    }

    @Test func callForSeveralItemsTakesOneSlot() async throws {
        let stage = try Stage(limit: 1)
        try stage.serve("1", "2", "3")
        #expect(try await stage.repository.items(["1", "2", "3"], CacheControl()).sources == [.remote: 3])
    }

    @Test func limitOfZeroRefusesEveryCall() async throws {
        let stage = try Stage(limit: 0)
        await #expect(throws: RepositoryError.busy(limit: 0)) { try await stage.repository.item("1", CacheControl()) }
        await #expect(throws: RepositoryError.busy(limit: 0)) { try await stage.repository.item("1", CacheControl()) }
    }

    @Test(arguments: [(0, 1), (8, 1), (15, 1), (16, 2), (80, 10), (192, 24), (1024, 24), (1_000_000, 24)])
    func refreshesHaveTheirOwnSlots(limit: Int, refreshes: Int) async {
        let slots = ConcurrencyLimit(limit: limit)
        #expect(await Self.countRefreshes(in: slots, of: 40) == refreshes)
        #expect(await Self.countRefreshes(in: slots, of: 40) == refreshes, "each refresh frees its slot")
    }

    /// An API that does not answer uses up only the refresh slots of its own resources.
    @Test func eachResourceHasItsOwnRefreshSlots() async {
        let slots = ConcurrencyLimit(limit: 8)
        var done: [String] = []
        await slots.refresh(of: "character") {
            await slots.refresh(of: "character") { done.append("character") }
            await slots.refresh(of: "episode") { done.append("episode") }
        }
        #expect(done == ["episode"])
    }

    /// Runs `count` nested refreshes. Returns the number that found a slot.
    private static func countRefreshes(in slots: ConcurrencyLimit, of count: Int) async -> Int {
        guard count > 0 else { return 0 }
        var done = 0
        await slots.refresh(of: "character") { done = await 1 + countRefreshes(in: slots, of: count - 1) }
        return done
    }
}
