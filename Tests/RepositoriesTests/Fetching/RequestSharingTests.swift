import DataSources
import JSON
import Model
import Repositories
import TestSupport
import Testing

/// Tests that concurrent requests for the same item or page share one fetch, even if they come from different calls.
@Suite(.limited) struct RequestSharingTests {
    private static let failure = APIError(.network, "reset")

    /// Creates a stage whose remote holds its answers at a gate.
    private static func held(_ gate: Gate, maxIDs: Int? = 10, limit: Int = 2000) throws -> Stage {
        let stage = try Stage(maxIDs: maxIDs, limit: limit)
        try stage.serve("1", "2", "3")
        try stage.servePage("1", "2")
        stage.remote.hold(at: gate)
        return stage
    }

    @Test func thousandReadersOfAnUncachedItemMakeOneRequest() async throws {
        let gate = Gate()
        let stage = try Self.held(gate)
        let readers = (0..<1000).map { _ in Task { try await stage.repository.item("1", CacheControl()) } }
        await stage.shared(999)
        gate.open()
        for reader in readers {
            let answer = try await reader.value
            #expect(answer.value.text == Stage.text("1", "new") && answer.source == .remote && !answer.isStale)
        }
        #expect(stage.remote.calls == [.item("1")])
        #expect(stage.repository.statistics == ResourceStatistics(hits: 0, misses: 1000, coalesced: 999))
    }

    @Test func thousandReadersOfAnUncachedPageMakeOneRequest() async throws {
        let gate = Gate()
        let stage = try Self.held(gate)
        let readers = (0..<1000).map { _ in Task { try await stage.repository.page(PageRequest(), CacheControl()) } }
        await stage.shared(999)
        gate.open()
        for reader in readers { #expect(try await reader.value.value.items.count == 2) }
        #expect(stage.remote.calls == [.page(PageRequest())])
    }

    @Test func pagesWithDifferentFiltersShareNoRequest() async throws {
        let gate = Gate()
        let stage = try Self.held(gate)
        let requests = [PageRequest(), PageRequest(filters: [.init("name", "rick")]), PageRequest(page: .number(2))]
        let readers = requests.map { request in Task { try await stage.repository.page(request, CacheControl()) } }
        await stage.remote.arrived(3)
        gate.open()
        for reader in readers { _ = try await reader.value }
        #expect(stage.repository.statistics.coalesced == 0)
    }

    @Test func batchDoesNotRequestAnItemThatIsBeingFetched() async throws {
        let gate = Gate()
        let stage = try Self.held(gate)
        let one = Task { try await stage.repository.item("1", CacheControl()) }
        await stage.remote.arrived(1)
        let many = Task { try await stage.repository.items(["1", "2", "3"], CacheControl()) }
        await stage.remote.arrived(2)
        gate.open()
        #expect(try await many.value.sources == [.remote: 3])
        #expect(try await one.value.source == .remote)
        #expect(stage.remote.calls == [.item("1"), .items(["2", "3"])])
    }

    @Test func singleGetJoinsBatchRequest() async throws {
        let gate = Gate()
        let stage = try Self.held(gate)
        let many = Task { try await stage.repository.items(["1", "2"], CacheControl()) }
        await stage.remote.arrived(1)
        let one = Task { try await stage.repository.item("2", CacheControl()) }
        let several = Task { try await stage.repository.items(["2"], CacheControl()) }
        await stage.shared(2)
        gate.open()
        #expect(try await one.value.value.text == Stage.text("2", "new"))
        #expect(try await several.value.items.map(\.text) == [Stage.text("2", "new")])
        #expect(try await many.value.items.count == 2)
        #expect(stage.remote.calls == [.items(["1", "2"])])
    }

    @Test func itemNotFoundByBatchIsMissingForAllCallers() async throws {
        let gate = Gate()
        let stage = try Self.held(gate)
        stage.keep(stage.entity("9", age: 2 * Stage.hour))
        let many = Task { try await stage.repository.items(["1", "9"], CacheControl()) }
        await stage.remote.arrived(1)
        let one = Task { try await stage.repository.item("9", CacheControl()) }
        await stage.shared(1)
        gate.open()
        #expect(try await many.value.missing == ["9"])
        await #expect {
            try await one.value
        } throws: {
            ($0 as? RepositoryError)?.cause?.kind == .notFound
        }
        #expect(stage.memory.read(stage.itemKey("9")) == nil)
        #expect(try await stage.persistence.read(stage.itemKey("9")) == nil)
    }

    @Test func policyNoneSharesNoRequest() async throws {
        let gate = Gate()
        let stage = try Self.held(gate)
        let policies: [CachePolicy] = [.none, .localFirst, .none, .none]
        var readers: [Task<Void, any Error>] = []
        for (index, policy) in policies.enumerated() {
            readers.append(Task { _ = try await stage.repository.item("1", CacheControl(policy)) })
            await stage.remote.arrived(index + 1)
        }
        readers.append(Task { _ = try await stage.repository.items(["1"], CacheControl(.none)) })
        await stage.remote.arrived(5)
        gate.open()
        for reader in readers { try await reader.value }
        #expect(stage.remote.calls == Array(repeating: .item("1"), count: 5))
        #expect(stage.repository.statistics.coalesced == 0)
    }

    @Test func remoteFirstPolicyJoinsFetchesButIgnoresCachedEntries() async throws {
        let gate = Gate()
        let stage = try Self.held(gate)
        let first = Task { try await stage.repository.item("1", CacheControl()) }
        await stage.remote.arrived(1)
        let second = Task { try await stage.repository.item("1", CacheControl(.remoteFirst)) }
        let third = Task { try await stage.repository.items(["1"], CacheControl(.remoteFirst)) }
        await stage.shared(2)
        gate.open()
        _ = try await first.value
        #expect(try await second.value.source == .remote)
        #expect(try await third.value.sources == [.remote: 1])
        #expect(stage.remote.calls == [.item("1")])
        #expect(try await stage.repository.item("1", CacheControl(.remoteFirst)).source == .remote)
        #expect(try await stage.repository.items(["1"], CacheControl(.remoteFirst)).sources == [.remote: 1])
        #expect(stage.remote.calls.count == 3)
    }

    @Test func entryStoredDuringFileReadIsNotFetchedAgain() async throws {
        let slow = SlowCacheFile()
        let stage = try Stage(maxIDs: 10, persistence: .double(slow))
        try stage.serve("1")
        let late = Task { try await stage.repository.item("1", CacheControl()) }
        let lateMany = Task { try await stage.repository.items(["1"], CacheControl()) }
        await slow.reads(2)
        // Another call has fetched the item in the meantime.
        stage.memory.save(LocalChange(items: [stage.entity("1", "meanwhile")]))
        slow.gate.open()
        #expect(try await late.value.source == .memory)
        #expect(try await late.value.value.text == Stage.text("1", "meanwhile"))
        #expect(try await lateMany.value.sources == [.memory: 1])
        #expect(stage.remote.calls == [])
    }

    @Test func failureReachesAllCallersAndIsNotRemembered() async throws {
        let gate = Gate()
        let stage = try Self.held(gate)
        stage.remote.fail(Self.failure)
        let readers = (0..<10).map { _ in Task { try await stage.repository.item("1", CacheControl()) } }
        await stage.shared(9)
        gate.open()
        for reader in readers {
            await #expect(throws: RepositoryError.remote(Self.failure)) { try await reader.value }
        }
        #expect(stage.remote.calls == [.item("1")])
        try stage.serve("1")
        #expect(try await stage.repository.item("1", CacheControl()).source == .remote)
    }

    @Test func eachCallerFallsBackToItsOwnEntry() async throws {
        let gate = Gate()
        let stage = try Self.held(gate)
        stage.remote.fail(Self.failure)
        stage.persistence.save(LocalChange(items: [stage.entity("1", age: 2 * Stage.hour)]))
        let one = Task { try await stage.repository.item("1", CacheControl()) }
        await stage.remote.arrived(1)
        let two = Task { try await stage.repository.items(["1"], CacheControl()) }
        await stage.shared(1)
        gate.open()
        #expect(try await one.value.fallback == Self.failure)
        #expect(try await two.value.fallback == Self.failure)
        #expect(try await two.value.sources == [.persistence: 1])
    }

    @Test func errorNotFoundReachesAllCallersAndRemovesTheEntry() async throws {
        let gate = Gate()
        let stage = try Self.held(gate)
        stage.keep(stage.entity("9", age: 2 * Stage.hour))
        let readers = (0..<3).map { _ in Task { try await stage.repository.item("9", CacheControl()) } }
        await stage.shared(2)
        gate.open()
        for reader in readers {
            await #expect {
                try await reader.value
            } throws: {
                ($0 as? RepositoryError)?.cause?.kind == .notFound
            }
        }
        #expect(stage.memory.read(stage.itemKey("9")) == nil)
        #expect(try await stage.persistence.read(stage.itemKey("9")) == nil)
    }

    @Test func cancelledCallerLeavesSharedRequestRunning() async throws {
        let gate = Gate()
        let stage = try Self.held(gate)
        let first = Task { try await stage.repository.item("1", CacheControl()) }
        await stage.remote.arrived(1)
        let second = Task { try await stage.repository.items(["1"], CacheControl()) }
        await stage.shared(1)
        first.cancel()
        await #expect {
            try await first.value
        } throws: {
            ($0 as? RepositoryError)?.cause?.kind == .cancelled
        }
        gate.open()
        #expect(try await second.value.sources == [.remote: 1])
        #expect(stage.remote.calls == [.item("1")])
    }

    @Test func requestWithoutCallersIsCancelledAndCanBeRepeated() async throws {
        let gate = Gate()
        let stage = try Self.held(gate)
        let readers = (0..<3).map { _ in Task { try await stage.repository.page(PageRequest(), CacheControl()) } }
        await stage.shared(2)
        await stage.remote.arrived(1)
        for reader in readers { reader.cancel() }
        for reader in readers { #expect(await (try? reader.value) == nil) }
        // The gate stays closed, so only a cancelled request can have ended.
        stage.remote.hold(at: nil)
        #expect(try await stage.repository.page(PageRequest(), CacheControl()).source == .remote)
        #expect(stage.remote.calls.count == 2)
    }

    @Test func callerOfASharedRequestTakesASlot() async throws {
        let gate = Gate()
        let stage = try Self.held(gate, limit: 2)
        let readers = (0..<2).map { _ in Task { try await stage.repository.item("1", CacheControl()) } }
        await stage.shared(1)
        await #expect(throws: RepositoryError.busy(limit: 2)) { try await stage.repository.item("1", CacheControl()) }
        gate.open()
        for reader in readers { #expect(try await reader.value.source == .remote) }
        #expect(try await stage.repository.item("2", CacheControl()).source == .remote)
    }
}
