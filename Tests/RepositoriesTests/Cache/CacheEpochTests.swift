import DataSources
import Model
import Repositories
import TestSupport
import Testing

/// Tests that an answer that was requested before a removal or an invalidation does not undo it.
@Suite(.limited) struct CacheEpochTests {
    private struct Held {
        let gate = Gate()
        let stage: Stage

        init() throws {
            stage = try Stage(maxIDs: 10)
            try stage.serve("1", "2", name: "old")
            try stage.servePage("1", "2", name: "old")
            stage.remote.hold(at: gate)
        }
    }

    @Test func answerRequestedBeforeARemovalIsNotStored() async throws {
        let held = try Held()
        let stage = held.stage
        let first = Task { _ = try await stage.repository.item("1", CacheControl()) }
        // If this request came after the batch, it would join the batch.
        await stage.remote.arrived(1)
        let calls: [Task<Void, any Error>] = [
            first,
            Task { _ = try await stage.repository.items(["1", "2"], CacheControl(.remoteFirst)) },
            Task { _ = try await stage.repository.page(PageRequest(), CacheControl()) },
        ]
        await stage.remote.arrived(3)
        _ = await stage.cache.remove(CacheSelection())
        held.gate.open()
        for call in calls { try await call.value }
        for id in ["1", "2"] {
            await #expect(throws: RepositoryError.notCached(resource: "thing")) {
                try await stage.repository.item(id, CacheControl(.localOnly))
            }
        }
        await #expect(throws: RepositoryError.notCached(resource: "thing")) {
            try await stage.repository.page(PageRequest(), CacheControl(.localOnly))
        }
    }

    @Test func requestAfterAnInvalidationIsNotShared() async throws {
        let held = try Held()
        let stage = held.stage
        let before = Task { try await stage.repository.item("1", CacheControl()) }
        await stage.remote.arrived(1)
        _ = await stage.cache.invalidate(CacheSelection())
        try stage.serve("1", name: "new")
        let after = Task { try await stage.repository.item("1", CacheControl()) }
        await stage.remote.arrived(2)
        held.gate.open()
        #expect(try await before.value.value.text == Stage.text("1", "old"))
        #expect(try await after.value.value.text == Stage.text("1", "new"))
        #expect(try await stage.repository.item("1", CacheControl(.localOnly)).value.text == Stage.text("1", "new"))
    }
}
