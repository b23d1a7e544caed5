import DataSources
import JSON
import TestSupport
import Testing

@testable import Model
@testable import Repositories

/// The limit of requests that wait for remotes.
@Suite(.limited) struct ConcurrencyLimitTests {
    private let busy = RepositoryError.busy(limit: 1)

    @Test func callAboveTheLimitIsRefusedAndSlotIsFreed() async throws {
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
        await #expect(throws: busy, "a stale entry does not stand in: the remote did not fail") {
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
        // Another item: the answer to the request that was left may still be cached.
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
        let places = ConcurrencyLimit(limit: limit)
        #expect(await Self.fill(places, with: 40) == refreshes)
        #expect(await Self.fill(places, with: 40) == refreshes, "each gives its place back")
    }

    /// An API that does not answer keeps all places of its resources.
    @Test func eachResourceHasItsOwnRefreshSlots() async {
        let places = ConcurrencyLimit(limit: 8)
        var done: [String] = []
        await places.refresh(of: "character") {
            await places.refresh(of: "character") { done.append("character") }
            await places.refresh(of: "episode") { done.append("episode") }
        }
        #expect(done == ["episode"])
    }

    /// How many of so many refreshes at once, one within the other, are done.
    private static func fill(_ places: ConcurrencyLimit, with count: Int) async -> Int {
        guard count > 0 else { return 0 }
        var done = 0
        await places.refresh(of: "character") { done = await 1 + fill(places, with: count - 1) }
        return done
    }
}
