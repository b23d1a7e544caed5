import DataSources
import JSON
import Model
import System
import TestSupport
import Testing

@testable import Repositories

/// Tests the shared level: which policies read and write it, which process fetches, and how changes reach the other
/// machines.
@Suite(.limited) struct SharedLevelTests {
    /// Whether each policy reads the shared level, and whether it stores answers there.
    @Test(
        arguments: [
            (CachePolicy.localFirst, true, true), (.remoteFirst, false, true), (.none, false, false),
            (.localOnly, false, false),
        ])
    func policyDecidesAccessToTheSharedLevel(_ policy: CachePolicy, readsLevel: Bool, storesEntry: Bool) async throws {
        let level = SharedLevelDouble()
        let stage = try Stage(shared: level)
        try stage.serve("1")
        _ = try? await stage.repository.item("1", CacheControl(policy))
        #expect(level.reads.contains(.item(stage.itemKey("1"))) == readsLevel)
        let saved = level.entries.calls.contains { if case .save = $0 { true } else { false } }
        #expect(saved == storesEntry)
    }

    @Test func readOfSeveralItemsAsksTheSharedLevelOnlyIfNecessary() async throws {
        let level = SharedLevelDouble()
        let stage = try Stage(shared: level)
        for id in ["1", "2"] { stage.persistence.save(LocalChange(items: [stage.entity(id)])) }
        #expect(try await stage.repository.items(["1", "2"], CacheControl()).sources == [.persistence: 2])
        #expect(try await stage.repository.items(["1", "3"], CacheControl(.localOnly)).missing == ["3"])
        #expect(level.entries.calls == [])
        level.entries.succeed(items: [stage.entity("3")])
        #expect(try await stage.repository.items(["1", "3"], CacheControl()).sources == [.memory: 1, .shared: 1])
        #expect(level.reads == [.item(stage.itemKey("3"))])
    }

    @Test func sharedHitIsPromotedAndStatesItsSource() async throws {
        let level = SharedLevelDouble()
        let stage = try Stage(shared: level)
        level.entries.succeed(items: [stage.entity("1", "shared")])
        let answer = try await stage.repository.item("1", CacheControl())
        #expect(answer.source == .shared && answer.value.text == Stage.text("1", "shared"))
        #expect(level.asked.isEmpty)
        #expect(stage.memory.read(stage.itemKey("1"))?.json.text == Stage.text("1", "shared"))
        #expect(try await stage.persistence.read(stage.itemKey("1"))?.json.text == Stage.text("1", "shared"))
    }

    @Test(arguments: [CachePolicy.localFirst, .remoteFirst], [true, false])
    func explanationListsTheLevelsThatStoreTheAnswer(_ policy: CachePolicy, storesEntry: Bool) async throws {
        let level = SharedLevelDouble()
        let stage = try Stage(shared: level)
        if !storesEntry { level.storeNothing() }
        let steps = await stage.repository.explainItem("1", CacheControl(policy)).steps
        #expect(steps.last == "memory and persistence\(storesEntry ? " and shared" : ""): the answer is stored")
    }

    @Test func explanationOmitsLevelsThatAreNotRead() async throws {
        let level = SharedLevelDouble()
        let stage = try Stage(shared: level)
        #expect(await stage.repository.explainItem("1", CacheControl()).entries[0].levels.last == .shared)
        for policy in [CachePolicy.remoteFirst, .none, .localOnly] {
            let explanation = await stage.repository.explainItem("1", CacheControl(policy))
            #expect(explanation.entries[0].levels == [.memory, .persistence], "\(policy)")
        }
        level.shareNothing()
        let explanation = await stage.repository.explainItem("1", CacheControl())
        #expect(explanation.entries[0].levels == [.memory, .persistence])
        #expect(!explanation.steps.contains("shared: nothing"))
    }

    @Test func fetchStoresTheEntryWithATicketAndReleasesTheLease() async throws {
        let level = SharedLevelDouble()
        let stage = try Stage(shared: level)
        try stage.serve("1")
        let answer = try await stage.repository.item("1", CacheControl())
        #expect(answer.source == .remote)
        let tickets = level.entries.calls.compactMap { if case .save(let change) = $0 { change.ticket } else { nil } }
        #expect(tickets == [SharedLevelDouble.ticket])
        #expect(level.ended == 1)
    }

    @Test func entryFetchedAfterALostLeaseIsNotShared() async throws {
        let level = SharedLevelDouble()
        let stage = try Stage(shared: level)
        try stage.serve("1")
        level.loseLeases()
        #expect(try await stage.repository.item("1", CacheControl()).source == .remote)
        let tickets = level.entries.calls.compactMap { if case .save(let change) = $0 { change.ticket } else { nil } }
        #expect(tickets.isEmpty)
        #expect(stage.memory.read(stage.itemKey("1")) != nil)
    }

    @Test func sharedPageDoesNotReplaceNewerItemInTheFile() async throws {
        let level = SharedLevelDouble()
        let stage = try Stage(shared: level)
        let old = stage.entity("1", "old", age: 60_000)
        let request = PageRequest(page: .number(1), filters: [])
        let page = PageEntity(
            key: stage.pageKey(request), ids: ["1"], info: Array(#"{"current":1}"#.utf8), fetchedAt: old.fetchedAt)
        level.entries.succeed(items: [old], pages: [page])
        stage.persistence.save(LocalChange(items: [stage.entity("1", "new", age: 1000)]))
        _ = try await stage.repository.page(request, CacheControl())
        #expect(try await stage.persistence.read(stage.itemKey("1"))?.json.text == Stage.text("1", "new"))
    }

    @Test func failedFetchReleasesItsLease() async throws {
        let level = SharedLevelDouble()
        let stage = try Stage(shared: level)
        stage.remote.setItem { _ in .failure(APIError(.network, "down")) }
        await #expect(throws: RepositoryError.self) { try await stage.repository.item("1", CacheControl()) }
        #expect(level.ended == 1)
    }

    @Test func fetchOfAnotherProcessIsAwaited() async throws {
        let level = SharedLevelDouble()
        let stage = try Stage(shared: level)
        let item = stage.entity("1", "brought")
        level.fetchElsewhere([.item(item.key)]) { readCount in
            if readCount == 3 { level.entries.succeed(items: [item]) }
        }
        let answer = try await stage.repository.item("1", CacheControl())
        #expect(answer.source == .shared && answer.value.text == Stage.text("1", "brought"))
        #expect(!answer.isStale)
        #expect(stage.remote.calls.isEmpty && level.received == 1)
        #expect(level.ended == level.asked.count)
    }

    @Test(arguments: [0, 2]) func syncStoresOnlyChangesInTheSharedLevel(count: Int) async throws {
        let level = SharedLevelDouble()
        let stage = try Stage(shared: level)
        stage.serveList(0..<count)
        try await stage.sync()
        let sizes = level.entries.calls.compactMap { call in
            if case .save(let change) = call { change.items.count } else { nil }
        }
        #expect(sizes.reduce(0, +) == count && !sizes.contains(0))
    }

    @Test func waitingProcessTakesOverAReleasedLease() async throws {
        let level = SharedLevelDouble()
        let stage = try Stage(shared: level)
        try stage.serve("1")
        level.fetchElsewhere([.item(stage.itemKey("1"))]) { readCount in
            if readCount == 2 { level.endElsewhere() }
        }
        let answer = try await stage.repository.item("1", CacheControl())
        #expect(answer.source == .remote)
        #expect(level.asked.allSatisfy { !$0.isForced })
    }

    @Test func waitTimeForAnotherProcessIsLimited() async throws {
        let level = SharedLevelDouble()
        let stage = try Stage(shared: level)
        try stage.serve("1")
        level.fetchElsewhere([.item(stage.itemKey("1"))], maxWait: 1) { _ in }
        let answer = try await stage.repository.item("1", CacheControl())
        #expect(answer.source == .remote)
        #expect(level.asked.last?.isForced == true)
    }

    @Test func batchFetchSkipsKeysLeasedByOtherProcesses() async throws {
        let level = SharedLevelDouble()
        let stage = try Stage(maxIDs: 10, shared: level)
        try stage.serve("1", "2")
        let other = stage.entity("2", "brought")
        level.fetchElsewhere([.item(other.key)]) { readCount in
            if readCount == 2 { level.entries.succeed(items: [other]) }
        }
        let answer = try await stage.repository.items(["1", "2"], CacheControl())
        #expect(answer.sources == [.remote: 1, .shared: 1])
        #expect(answer.items.map(\.text) == [Stage.text("1", "new"), Stage.text("2", "brought")])
    }

    /// An entry that is missing in a fetch result is reported as not found, not as cancelled.
    @Test func entriesMissingInAFetchResultCountAsNotFound() async throws {
        let stage = try Stage(shared: SharedLevelDouble())
        let coordinator = FetchCoordinator<ItemKey>(cache: stage.cache, counters: ResourceCounters(onShared: { _ in }))
        let first = stage.entity("1")
        let request = FetchRequest(
            wanted: [Wanted(first.key), Wanted(stage.itemKey("2"))], isShared: true, required: nil,
            fetch: { _ in Fetched(outcomes: [.success(first)]) })
        let errors = await coordinator.outcomes(of: request).map { outcome -> RepositoryError? in
            if case .failure(let error) = outcome { error } else { nil }
        }
        #expect(errors == [nil, RepositoryError.absent])
    }

    @Test func removalReachesTheSharedLevelFirst() async throws {
        let level = SharedLevelDouble()
        let stage = try Stage(shared: level)
        stage.keep(stage.entity("1"))
        level.entries.succeed(count: 0)
        #expect(await stage.cache.remove(CacheSelection(resource: "thing")) == 1)
        #expect(level.entries.calls.contains(.remove(CacheSelection(resource: "thing"))))
        #expect(stage.memory.read(stage.itemKey("1")) == nil)
    }
}
