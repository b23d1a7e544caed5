import DataSources
import JSON
import Model
import Repositories
import TestSupport
import Testing

/// Tests that the explanation of a call matches what the call does.
@Suite(.limited) struct ExplainerTests {
    private static let shares = "remote: shares the request that is under way"

    @Test func explanationStatesThatACallSharesARunningFetch() async throws {
        let gate = Gate()
        let stage = try Stage()
        try stage.serve("1")
        try stage.servePage("1")
        stage.remote.hold(at: gate)
        let item = Task { try await stage.repository.item("1", CacheControl()) }
        await stage.remote.arrived(1)
        let page = Task { try await stage.repository.page(PageRequest(), CacheControl()) }
        await stage.remote.arrived(2)
        for policy in [CachePolicy.localFirst, .remoteFirst] {
            let (item, page) = (
                await stage.repository.explainItem("1", CacheControl(policy)),
                await stage.repository.explainPage(PageRequest(), CacheControl(policy))
            )
            #expect(item.steps.contains(Self.shares) && page.steps.contains(Self.shares))
            #expect(item.requests.isEmpty && page.requests.isEmpty)
        }
        let alone = await stage.repository.explainItem("1", CacheControl(.none))
        #expect(alone.requests.count == 1 && !alone.steps.contains(Self.shares))
        #expect(await stage.repository.explainItem("2", CacheControl()).requests.count == 1)
        gate.open()
        _ = try await (item.value, page.value)
        #expect(await stage.repository.explainItem("1", CacheControl()).steps == ["memory: fresh, returned"])
    }

    @Test func explanationListsNoRequestForARunningRefresh() async throws {
        let gate = Gate()
        let stage = try Stage(Declaration(cache: #"{"freshFor": "1h", "staleWhileRevalidate": true}"#))
        try stage.serve("1")
        stage.remote.hold(at: gate)
        stage.keep(stage.entity("1", age: 2 * Stage.hour))
        let before = await stage.repository.explainItem("1", CacheControl())
        #expect(before.requests.count == 1)
        #expect(before.steps.last == "the stale entry is returned at once, and refreshed in the background")
        #expect(try await stage.repository.item("1", CacheControl()).isStale)
        await stage.remote.arrived(1)
        #expect(await stage.repository.explainItem("1", CacheControl()).requests.isEmpty)
        gate.open()
        await stage.background.finish()
    }

    @Test func explanationTreatsAnExpiredEntryAsAbsent() async throws {
        let stage = try Stage()
        stage.keep(stage.entity("1", age: 31 * 24 * Stage.hour))
        let local = await stage.repository.explainItem("1", CacheControl(.localOnly))
        #expect(local.steps.last == "nothing is cached: the call fails with notCached" && local.requests.isEmpty)
        let first = await stage.repository.explainItem("1", CacheControl())
        #expect(!first.steps.contains { $0.contains("fallback") })
    }

    @Test func explanationCountsTheRequestsForSeveralItems() async throws {
        let stage = try Stage(maxIDs: 2)
        stage.keep(stage.entity("1"), stage.entity("2", age: 2 * Stage.hour))
        let ids = ["1", "2", "3", "4"]
        let first = await stage.repository.explainItems(ids, CacheControl())
        #expect(first.steps == ["cache: 1 of 4 items", "remote: 3 of 4 items; new requests: 2"])
        let local = await stage.repository.explainItems(ids, CacheControl(.localOnly))
        #expect(local.steps == ["cache: 2 of 4 items"] && local.requests.isEmpty)
        #expect(await stage.repository.explainItems(ids, CacheControl(.remoteFirst)).requests.count == 2)
    }

    @Test func explanationCountsDuplicateIDsOnceAndNamesSharedFetches() async throws {
        let gate = Gate()
        let stage = try Stage(maxIDs: 10)
        try stage.serve("1", "2")
        let twice = await stage.repository.explainItems(["1", "1", "2"], CacheControl())
        #expect(twice.steps == ["cache: 0 of 2 items", "remote: 2 of 2 items; new requests: 1"])
        #expect(twice.entries.map(\.name) == ["1", "2"])
        stage.remote.hold(at: gate)
        let item = Task { try await stage.repository.item("1", CacheControl()) }
        await stage.remote.arrived(1)
        let shared = await stage.repository.explainItems(["1", "2"], CacheControl())
        #expect(
            shared.steps == [
                "cache: 0 of 2 items", "remote: 1 of 2 items from requests under way",
                "remote: 1 of 2 items; new requests: 1",
            ])
        #expect(await stage.repository.explainItems(["1", "2"], CacheControl(.none)).steps.count == 2)
        gate.open()
        _ = try await item.value
    }

    /// A request cannot be built if a secret of the API is missing, for example.
    @Test func explanationHasTheErrorOfARequestThatCannotBeBuilt() async throws {
        let cannot = "remote: cannot be asked, see 'error'"
        let stage = try Stage(maxIDs: 2, persistence: .none)
        stage.remote.refusePreviews(APIError(.unauthorized, "a secret is missing"))
        let item = await stage.repository.explainItem("1", CacheControl())
        #expect(item.steps == ["memory: nothing", cannot, "the call fails"])
        #expect(item.requests.isEmpty && item.refusal?.kind == .unauthorized)
        #expect(await stage.repository.explainItem("1", CacheControl(.none)).steps == [cannot])
        let items = await stage.repository.explainItems(["1", "2", "3"], CacheControl())
        #expect(items.steps == ["cache: 0 of 3 items", cannot])
    }

    @Test func explanationNamesTheStaleEntryUsedIfTheRequestCannotBeBuilt() async throws {
        let stage = try Stage(persistence: .none)
        stage.remote.refusePreviews(APIError(.timeout, "no token"))
        #expect(await stage.repository.explainItem("1", CacheControl()).steps.last == "the call fails")
        stage.keep(stage.entity("1", age: 2 * Stage.hour))
        let item = await stage.repository.explainItem("1", CacheControl())
        #expect(item.steps.last == "the stale entry is returned with 'fallback'")
        stage.remote.refusePreviews(APIError(.notFound, "no path"))
        #expect(await stage.repository.explainItem("1", CacheControl()).steps.last == "the call fails")
    }

    @Test func explanationListsOnlyExistingLevels() async throws {
        let stage = try Stage(persistence: .none)
        let explanation = await stage.repository.explainItem("1", CacheControl())
        #expect(explanation.steps == ["memory: nothing", "remote: asked", "memory: the answer is stored"])
    }
}
