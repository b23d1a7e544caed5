import DataSources
import JSON
import Repositories
import System
import TestSupport
import Testing

/// A level that many machines share: who looks there, who asks the remote, and what others change.
@Suite(.limited) struct SharedLevelTests {
    /// Which policies look beyond this machine, and which keep there what came.
    @Test(
        arguments: [
            (CachePolicy.localFirst, true, true), (.remoteFirst, false, true), (.none, false, false),
            (.localOnly, false, false),
        ])
    func whoLooksAndWhoKeeps(_ policy: CachePolicy, looks: Bool, keeps: Bool) async throws {
        let level = SharedLevelDouble()
        let stage = try Stage(shared: level)
        try stage.serve("1")
        _ = try? await stage.repository.item("1", CacheControl(policy))
        #expect(level.entries.calls.contains(.item(stage.itemKey("1"))) == looks)
        let saved = level.entries.calls.contains { if case .save = $0 { true } else { false } }
        #expect(saved == keeps)
    }

    @Test func aHitIsKeptOnThisMachineAndSaysWhereItCameFrom() async throws {
        let level = SharedLevelDouble()
        let stage = try Stage(shared: level)
        level.entries.succeed(items: [stage.entity("1", "shared")])
        let answer = try await stage.repository.item("1", CacheControl())
        #expect(answer.source == .shared && answer.value.text == Stage.text("1", "shared"))
        #expect(level.asked.isEmpty)
        #expect(stage.memory.item(stage.itemKey("1"))?.json.text == Stage.text("1", "shared"))
        #expect(try await stage.persistence.item(stage.itemKey("1"))?.json.text == Stage.text("1", "shared"))
    }

    @Test(arguments: [CachePolicy.localFirst, .remoteFirst], [true, false])
    func anExplanationNamesTheLevelsThatKeepTheAnswer(_ policy: CachePolicy, keeps: Bool) async throws {
        let level = SharedLevelDouble()
        let stage = try Stage(shared: level)
        if !keeps { level.keepNothing() }
        let steps = await stage.repository.explainItem("1", CacheControl(policy)).steps
        #expect(steps.last == "memory and persistence\(keeps ? " and shared" : ""): the answer is kept")
    }

    @Test func anExplanationLeavesOutALevelThatIsNotAsked() async throws {
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

    @Test func whatTheRemoteSaysIsSavedWithTheTicketAndTheTurnGivenBack() async throws {
        let level = SharedLevelDouble()
        let stage = try Stage(shared: level)
        try stage.serve("1")
        let answer = try await stage.repository.item("1", CacheControl())
        #expect(answer.source == .remote)
        let tickets = level.entries.calls.compactMap { if case .save(let change) = $0 { change.ticket } else { nil } }
        #expect(tickets == [SharedLevelDouble.ticket])
        #expect(level.ended == 1)
    }

    @Test func whatComesAfterTheTurnWasLostIsNotShared() async throws {
        let level = SharedLevelDouble()
        let stage = try Stage(shared: level)
        try stage.serve("1")
        level.loseTurns()
        #expect(try await stage.repository.item("1", CacheControl()).source == .remote)
        let tickets = level.entries.calls.compactMap { if case .save(let change) = $0 { change.ticket } else { nil } }
        #expect(tickets.isEmpty)
        #expect(stage.memory.item(stage.itemKey("1")) != nil)
    }

    @Test func aPageOfOthersDoesNotReplaceANewerItemOfTheFile() async throws {
        let level = SharedLevelDouble()
        let stage = try Stage(shared: level)
        let old = stage.entity("1", "old", age: 60_000)
        let request = PageRequest(page: .number(1), filters: [])
        let page = PageEntity(
            key: stage.pageKey(request), ids: ["1"], info: Array(#"{"current":1}"#.utf8), fetchedAt: old.fetchedAt)
        level.entries.succeed(items: [old], pages: [page])
        stage.persistence.save(LocalChange(items: [stage.entity("1", "new", age: 1000)]))
        _ = try await stage.repository.page(request, CacheControl())
        #expect(try await stage.persistence.item(stage.itemKey("1"))?.json.text == Stage.text("1", "new"))
    }

    @Test func aFailureGivesTheTurnBack() async throws {
        let level = SharedLevelDouble()
        let stage = try Stage(shared: level)
        stage.remote.setItem { _ in .failure(APIError(.network, "down")) }
        await #expect(throws: RepositoryError.self) { try await stage.repository.item("1", CacheControl()) }
        #expect(level.ended == 1)
    }

    @Test func whatAnotherProcessBringsIsWaitedFor() async throws {
        let level = SharedLevelDouble()
        let stage = try Stage(shared: level)
        let item = stage.entity("1", "brought")
        level.fetchElsewhere([.item(item.key)]) { looks in
            if looks == 3 { level.entries.succeed(items: [item]) }
        }
        let answer = try await stage.repository.item("1", CacheControl())
        #expect(answer.source == .shared && answer.value.text == Stage.text("1", "brought"))
        #expect(stage.remote.calls.isEmpty && level.brought == 1)
        #expect(level.ended == level.asked.count)
    }

    @Test func whoWaitsTakesTheTurnThatAFailureGivesBack() async throws {
        let level = SharedLevelDouble()
        let stage = try Stage(shared: level)
        try stage.serve("1")
        level.fetchElsewhere([.item(stage.itemKey("1"))]) { looks in
            if looks == 2 { level.endElsewhere() }
        }
        let answer = try await stage.repository.item("1", CacheControl())
        #expect(answer.source == .remote)
        #expect(level.asked.allSatisfy { !$0.isForced })
    }

    @Test func nobodyWaitsLongerThanItsPatience() async throws {
        let level = SharedLevelDouble()
        let stage = try Stage(shared: level)
        try stage.serve("1")
        level.fetchElsewhere([.item(stage.itemKey("1"))], patience: 1) { _ in }
        let answer = try await stage.repository.item("1", CacheControl())
        #expect(answer.source == .remote)
        #expect(level.asked.last?.isForced == true)
    }

    @Test func ofSeveralItemsThoseOfNobodyElseAreAskedFor() async throws {
        let level = SharedLevelDouble()
        let stage = try Stage(maxIDs: 10, shared: level)
        try stage.serve("1", "2")
        let other = stage.entity("2", "brought")
        level.fetchElsewhere([.item(other.key)]) { looks in
            if looks == 2 { level.entries.succeed(items: [other]) }
        }
        let answer = try await stage.repository.items(["1", "2"], CacheControl())
        #expect(answer.sources == [.remote: 1, .shared: 1])
        #expect(answer.items.map(\.text) == [Stage.text("1", "new"), Stage.text("2", "brought")])
    }

    @Test func aRemovalReachesTheSharedLevelFirst() async throws {
        let level = SharedLevelDouble()
        let stage = try Stage(shared: level)
        stage.keep(stage.entity("1"))
        level.entries.succeed(count: 0)
        #expect(await stage.cache.remove(CacheSelection(resource: "thing")) == 1)
        #expect(level.entries.calls.contains(.remove(CacheSelection(resource: "thing"))))
        #expect(stage.memory.item(stage.itemKey("1")) == nil)
    }

    @Test func newerContentsOfOthersReachBothLevels() async throws {
        let level = SharedLevelDouble()
        let stage = try Stage(shared: level)
        stage.keep(stage.entity("1", "old", age: 1000))
        level.entries.succeed(items: [stage.entity("1", "changed")])
        await level.tell(.renewed(items: [stage.itemKey("1")], pages: []))
        #expect(stage.memory.item(stage.itemKey("1"))?.json.text == Stage.text("1", "changed"))
        #expect(try await stage.persistence.item(stage.itemKey("1"))?.json.text == Stage.text("1", "changed"))
        #expect(level.brought == 0, "nobody would have asked the remote")
    }

    @Test func newerPagesOfOthersComeWithTheirItems() async throws {
        let level = SharedLevelDouble()
        let stage = try Stage(shared: level)
        let page = PageEntity(
            key: stage.pageKey(PageRequest()), ids: ["1"], info: Array(#"{"current":1}"#.utf8),
            fetchedAt: stage.clock.now())
        level.entries.succeed(items: [stage.entity("1", "changed")], pages: [page])
        await level.tell(.renewed(items: [], pages: [page.key]))
        #expect(stage.memory.page(page.key)?.items.map(\.json.text) == [Stage.text("1", "changed")])
        #expect(try await stage.persistence.page(page.key)?.page.ids == ["1"])
    }

    /// As where it was removed since, or the server is lost.
    @Test func newsThatCannotBeHadAreStaleHere() async throws {
        let level = SharedLevelDouble()
        let stage = try Stage(shared: level)
        stage.keep(stage.entity("1", age: 1000), stage.entity("2", age: 1000))
        level.entries.succeed(items: [stage.entity("2", "changed")])
        await level.tell(.renewed(items: ["1", "2"].map(stage.itemKey), pages: []))
        #expect(stage.memory.item(stage.itemKey("1"))?.isInvalidated == true)
        #expect(try await stage.persistence.item(stage.itemKey("1"))?.isInvalidated == true)
        #expect(stage.memory.item(stage.itemKey("2"))?.isInvalidated == false)
    }

    /// A removal between the read of a change and its being kept: of the same thing, or of another one.
    @Test(arguments: ["1", "2"]) func newsDoNotUndoARemoval(removed: String) async throws {
        let level = SharedLevelDouble()
        let stage = try Stage(shared: level)
        stage.keep(stage.entity("1", "old", age: 1000), stage.entity("2", "old", age: 1000))
        level.entries.succeed(items: [stage.entity("1", "changed")])
        let gate = Gate()
        level.hold(at: gate)
        async let told: Void = level.tell(.renewed(items: [stage.itemKey("1")], pages: []))
        await level.held(1)
        level.entries.removeItem(stage.itemKey(removed))
        _ = await stage.cache.remove(CacheSelection(resource: "thing", ids: [removed]))
        gate.open()
        await told
        let left = removed == "1" ? nil : Stage.text("1", "changed")
        #expect(stage.memory.item(stage.itemKey("1"))?.json.text == left)
        #expect(try await stage.persistence.item(stage.itemKey("1"))?.json.text == left)
    }

    @Test func aRemovalByOthersOutlivesAFetchThatBeganBefore() async throws {
        let level = SharedLevelDouble()
        let stage = try Stage(shared: level)
        stage.keep(stage.entity("1", age: 2 * Stage.hour))
        try stage.serve("1", name: "late")
        let gate = Gate()
        stage.remote.hold(at: gate)
        async let answer = stage.repository.item("1", CacheControl())
        await stage.remote.arrived(1)
        await level.tell(.removed(items: [stage.itemKey("1")], pages: []))
        gate.open()
        #expect(try await answer.source == .remote)
        #expect(stage.memory.item(stage.itemKey("1")) == nil)
        #expect(try await stage.persistence.item(stage.itemKey("1")) == nil)
    }

    @Test func whatOthersMarkIsStaleHereAndStaysToStandIn() async throws {
        let level = SharedLevelDouble()
        let stage = try Stage(shared: level)
        stage.keep(stage.entity("1"), stage.entity("2"))
        await level.tell(.stale(items: [stage.itemKey("1")], pages: []))
        let all = CacheSelection(resource: "thing", fetchedBefore: stage.moment(age: -1))
        await level.tell(.selection(all, isRemoval: false))
        #expect(stage.memory.item(stage.itemKey("1"))?.isInvalidated == true)
        #expect(try await stage.persistence.item(stage.itemKey("1"))?.isInvalidated == true)
        #expect(stage.memory.item(stage.itemKey("2"))?.isInvalidated == true)
    }
}
