import DataSources
import Mocks
import TestSupport
import Testing

@testable import Model
@testable import Repositories

/// Tests answers that the API sent before a sync, but that arrive after it.
@Suite(.limited) struct OvertakenAnswersTests {
    @Test(arguments: [true, false])
    func answerRequestedBeforeASyncDoesNotReplaceTheSyncedItem(isSingle: Bool) async throws {
        let (stage, gate) = (try Stage(maxIDs: 10), Gate())
        try stage.serve("1", "2", name: "old")
        stage.remote.hold(at: gate)
        let ids = isSingle ? ["1"] : ["1", "2"]
        let get = Task { try await stage.repository.items(ids, CacheControl(.remoteFirst)) }
        await stage.remote.arrived(1)
        stage.remote.hold(at: nil)
        stage.serveList(1...2)
        try await stage.sync()
        stage.clock.advance(milliseconds: 1000)
        gate.open()
        #expect(try await get.value.items.count == ids.count)
        await stage.persistence.flush()
        #expect(try await stage.stored(1)?.json.text == Stage.text("1", "new"))
    }

    @Test func pageRequestedBeforeASyncDoesNotReplaceTheSyncedItems() async throws {
        let (stage, gate) = (try Stage(), Gate())
        try stage.servePage("1", "2", name: "old")
        stage.remote.hold(at: gate)
        let list = Task { try await stage.repository.page(PageRequest(), CacheControl(.remoteFirst)) }
        await stage.remote.arrived(1)
        stage.remote.hold(at: nil)
        stage.serveList(1...2)
        try await stage.sync()
        stage.clock.advance(milliseconds: 1000)
        gate.open()
        #expect(try await list.value.value.items.count == 2)
        await stage.persistence.flush()
        #expect(try await stage.stored(2)?.json.text == Stage.text("2", "new"))
    }

    @Test func answerRequestedAfterASyncReplacesTheSyncedItem() async throws {
        let stage = try Stage()
        stage.serveList(1...2)
        try await stage.sync()
        try stage.serve("1", name: "newer")
        _ = try await stage.repository.item("1", CacheControl(.remoteFirst))
        await stage.persistence.flush()
        #expect(try await stage.stored(1)?.json.text == Stage.text("1", "newer"))
    }
}
