import Catalog
import DataSources
import JSON
import Mocks
import TestSupport
import Testing

@testable import Model
@testable import Repositories

/// Tests that cached entries are confirmed instead of fetched again if the API answers that they have not changed (RFC
/// 9110, section 13).
@Suite(.limited) struct ConditionalFetchTests {
    private static let old = Validators(etag: "\"a\"", lastModified: nil)
    private static let other = Validators(etag: nil, lastModified: "Sat, 31 Jan 2026 09:05:00 GMT")
    private static let stale = 2 * Stage.hour

    private let request = PageRequest()
    private let second = LocalDataSourceMock()

    /// Creates a stage whose remote answers that nothing has changed since `old`.
    private func stage(maxIDs: Int? = 10) throws -> Stage {
        let stage = try Stage(maxIDs: maxIDs, persistence: .double(second))
        second.succeed()
        try stage.serve("1", "2", name: "changed")
        try stage.servePage("1", "2", name: "changed")
        stage.remote.send(Self.old)
        stage.remote.setUnchanged(true)
        return stage
    }

    private func item(_ stage: Stage, _ validators: Validators?, isInvalidated: Bool = false) -> ItemEntity {
        ItemEntity(
            key: stage.itemKey("1"), json: Stage.bytes("1", "kept"),
            fetchedAt: stage.moment(age: isInvalidated ? 1 : Self.stale), isInvalidated: isInvalidated,
            validators: validators)
    }

    private func page(_ stage: Stage, _ validators: Validators?, isInvalidated: Bool = false) -> LocalChange {
        let key = stage.pageKey(request)
        let page = PageEntity(
            key: key, ids: ["1", "2"], info: Array("{}".utf8), fetchedAt: stage.moment(age: Self.stale),
            isInvalidated: isInvalidated, count: 2, validators: validators)
        return LocalChange(
            items: ["1", "2"].map { stage.entity($0, "kept", age: Self.stale, isInvalidated: isInvalidated) },
            page: page)
    }

    @Test(arguments: [CachePolicy.localFirst, .remoteFirst], [true, false])
    func unchangedItemBecomesFreshInBothLevels(_ policy: CachePolicy, isInMemory: Bool) async throws {
        let stage = try stage()
        let item = item(stage, Self.old)
        if isInMemory { stage.memory.save(LocalChange(items: [item])) } else { second.succeed(items: [item]) }
        let answer = try await stage.repository.item("1", CacheControl(policy))
        #expect(answer.value.text == Stage.text("1", "kept"))
        #expect(answer.source == .remote && !answer.isStale && answer.fallback == nil)
        #expect(answer.fetchedAt == stage.clock.now())
        for kept in [stage.memory.read(item.key), try await second.read(item.key)] {
            #expect(kept?.json == item.json)
            #expect(kept?.fetchedAt == stage.clock.now())
            #expect(kept?.validators == Self.old)
        }
        #expect(stage.repository.cachedItem("1", CacheControl())?.isStale == false)
        #expect(stage.remote.calls == [.item("1")])
    }

    @Test(arguments: [true, false]) func unchangedPageBecomesFreshWithItsItems(isInMemory: Bool) async throws {
        let stage = try stage()
        let change = page(stage, Self.old)
        if isInMemory { stage.memory.save(change) } else { second.save(change) }
        let answer = try await stage.repository.page(request, CacheControl())
        #expect(answer.value.items.map(\.text) == ["1", "2"].map { Stage.text($0, "kept") })
        #expect(answer.source == .remote && !answer.isStale)
        for kept in [stage.memory.read(stage.pageKey(request)), try await second.read(stage.pageKey(request))] {
            #expect(kept?.page.fetchedAt == stage.clock.now())
            #expect(kept?.page.validators == Self.old)
            #expect(kept?.page.count == 2 && kept?.page.info.text == "{}")
            #expect(kept?.items.allSatisfy { $0.fetchedAt == stage.clock.now() } == true)
        }
        #expect(stage.repository.cachedItem("2", CacheControl())?.value.text == Stage.text("2", "kept"))
    }

    @Test func notModifiedAnswerMakesAnInvalidatedEntryFresh() async throws {
        let stage = try stage()
        stage.memory.save(LocalChange(items: [item(stage, Self.old, isInvalidated: true)]))
        #expect(try await stage.repository.item("1", CacheControl()).isStale == false)
        #expect(stage.repository.cachedItem("1", CacheControl())?.value.text == Stage.text("1", "kept"))
        stage.memory.save(page(stage, Self.old, isInvalidated: true))
        #expect(try await stage.repository.page(request, CacheControl()).isStale == false)
        let kept = stage.repository.cachedPage(request, CacheControl())
        #expect(kept?.value.items.map(\.text) == ["1", "2"].map { Stage.text($0, "kept") })
    }

    @Test func repeatedConditionalRequestsUseTheSameValidators() async throws {
        let stage = try stage()
        stage.memory.save(LocalChange(items: [item(stage, Self.old)]))
        stage.memory.save(page(stage, Self.old))
        for _ in 0..<3 {
            stage.clock.advance(milliseconds: 2 * Stage.hour)
            let page = try await stage.repository.page(request, CacheControl())
            #expect(page.value.items.first?.text == Stage.text("1", "kept"))
            #expect(page.fetchedAt == stage.clock.now())
        }
        stage.memory.save(LocalChange(items: [item(stage, Self.old)]))
        for _ in 0..<3 {
            stage.clock.advance(milliseconds: 2 * Stage.hour)
            #expect(try await stage.repository.item("1", CacheControl()).value.text == Stage.text("1", "kept"))
        }
    }

    @Test func changedAnswerReplacesBytesAndValidators() async throws {
        let stage = try stage()
        stage.memory.save(LocalChange(items: [item(stage, Self.other)]))
        let answer = try await stage.repository.item("1", CacheControl())
        #expect(answer.value.text == Stage.text("1", "changed"))
        #expect(stage.memory.read(stage.itemKey("1"))?.validators == Self.old)
        stage.remote.send(nil)
        _ = try await stage.repository.item("1", CacheControl(.remoteFirst))
        #expect(stage.memory.read(stage.itemKey("1"))?.validators == nil)
    }

    @Test func notModifiedAnswerMayReplaceValidators() throws {
        let stage = try stage()
        let item = item(stage, Self.old)
        #expect(item.confirmed(at: stage.clock.now(), Self.other).validators == Self.other)
        #expect(item.confirmed(at: stage.clock.now(), nil).validators == Self.old)
        let kept = page(stage, Self.old)
        let whole = StoredPage(page: try #require(kept.page), items: kept.items)
        let confirmed = whole.confirmed(at: stage.clock.now(), Self.other)
        #expect(confirmed.page.validators == Self.other)
        #expect(confirmed.items.allSatisfy { $0.validators == nil }, "a page's validators are not its items'")
        #expect(whole.confirmed(at: stage.clock.now(), nil).page.validators == Self.old)
    }

    @Test func validatorsAreKeptInTheFile() async throws {
        let stage = try Stage()
        try stage.serve("1")
        try stage.servePage("2")
        stage.remote.send(Self.old)
        _ = try await stage.repository.item("1", CacheControl())
        _ = try await stage.repository.page(request, CacheControl())
        _ = stage.memory.remove(CacheSelection())
        stage.clock.advance(milliseconds: Self.stale)
        stage.remote.setUnchanged(true)
        try stage.serve("1", name: "unseen")
        try stage.servePage("2", name: "unseen")
        let item = try await stage.repository.item("1", CacheControl())
        #expect(item.value.text == Stage.text("1", "new") && item.source == .remote)
        let page = try await stage.repository.page(request, CacheControl())
        #expect(page.value.items.map(\.text) == [Stage.text("2", "new")] && page.source == .remote)
        #expect(try await stage.persistence.read(stage.itemKey("1"))?.fetchedAt == stage.clock.now())
    }

    @Test func entryWithoutValidatorsIsFetchedCompletely() async throws {
        let stage = try stage()
        stage.memory.save(LocalChange(items: [item(stage, nil)]))
        #expect(try await stage.repository.item("1", CacheControl()).value.text == Stage.text("1", "changed"))
    }

    @Test func policyNoneSendsNoConditionalRequests() async throws {
        let stage = try stage()
        stage.memory.save(LocalChange(items: [item(stage, Self.old)]))
        #expect(try await stage.repository.item("1", CacheControl(.none)).value.text == Stage.text("1", "changed"))
        #expect(
            try await stage.repository.items(["1"], CacheControl(.none)).items.map(\.text) == [
                Stage.text("1", "changed")
            ])
        stage.memory.save(page(stage, Self.old))
        #expect(
            try await stage.repository.page(request, CacheControl(.none)).value.items.first?.text
                == Stage.text("1", "changed"))
        #expect(stage.memory.read(stage.itemKey("1"))?.json.text == Stage.text("1", "kept"))
    }

    @Test func expiredEntryIsNotUsedForConditionalRequests() async throws {
        let stage = try Stage(Declaration(cache: #"{"freshFor": "1h", "keepFor": "1h"}"#), persistence: .none)
        try stage.serve("1", name: "changed")
        stage.remote.send(Self.old)
        stage.remote.setUnchanged(true)
        stage.memory.save(LocalChange(items: [item(stage, Self.old)]))
        #expect(try await stage.repository.item("1", CacheControl()).value.text == Stage.text("1", "changed"))
    }

    @Test func itemFetchedWithAPageLosesItsValidators() async throws {
        let stage = try stage()
        stage.memory.save(LocalChange(items: [item(stage, Self.old)]))
        stage.remote.setUnchanged(false)
        _ = try await stage.repository.page(request, CacheControl())
        #expect(stage.memory.read(stage.itemKey("1"))?.validators == nil)
        #expect(stage.memory.read(stage.pageKey(request))?.page.validators == Self.old)
        // The page's entity tag does not apply to the item, so the item is fetched completely.
        stage.remote.setUnchanged(true)
        try stage.serve("1", name: "newest")
        #expect(
            try await stage.repository.item("1", CacheControl(.remoteFirst)).value.text == Stage.text("1", "newest"))
    }

    @Test func pageWithSeparatelyFetchedItemIsFetchedCompletely() async throws {
        let stage = try stage()
        stage.memory.save(page(stage, Self.old))
        stage.memory.save(LocalChange(items: [stage.entity("2", "later", age: Self.stale - 1)]))
        let answer = try await stage.repository.page(request, CacheControl())
        #expect(answer.value.items.map(\.text) == ["1", "2"].map { Stage.text($0, "changed") })
        // All items now have the time of the page again.
        stage.clock.advance(milliseconds: Self.stale)
        try stage.servePage("1", "2", name: "unseen")
        let again = try await stage.repository.page(request, CacheControl())
        #expect(again.value.items.map(\.text) == ["1", "2"].map { Stage.text($0, "changed") })
    }

    @Test(arguments: [CachePolicy.localFirst, .remoteFirst], [true, false])
    func singleStaleItemOfABatchIsRequestedConditionally(_ policy: CachePolicy, isInMemory: Bool) async throws {
        let stage = try stage()
        let item = item(stage, Self.old)
        if isInMemory { stage.memory.save(LocalChange(items: [item])) } else { second.succeed(items: [item]) }
        let answer = try await stage.repository.items(["1"], CacheControl(policy))
        #expect(answer.items.map(\.text) == [Stage.text("1", "kept")])
        #expect(answer.sources == [.remote: 1])
        #expect(stage.memory.read(item.key)?.fetchedAt == stage.clock.now())
        #expect(stage.remote.calls == [.item("1")])
    }

    @Test func batchRequestsAreNotConditional() async throws {
        let stage = try stage()
        stage.memory.save(LocalChange(items: [item(stage, Self.old)]))
        let answer = try await stage.repository.items(["1", "2"], CacheControl())
        #expect(answer.items.map(\.text) == ["1", "2"].map { Stage.text($0, "changed") })
        #expect(stage.memory.read(stage.itemKey("1"))?.validators == nil)
    }

    @Test func unexpectedNotModifiedAnswerIsAnError() async throws {
        let stage = try Stage(persistence: .none)
        let repository = ResourceRepository(
            resource: stage.resource, key: stage.key, remote: AlwaysUnchanged(), clock: stage.clock,
            context: stage.shared)
        for policy in [CachePolicy.localFirst, .remoteFirst, .none] {
            await #expect {
                try await repository.item("1", CacheControl(policy))
            } throws: {
                ($0 as? RepositoryError)?.cause?.kind == .invalidResponse
            }
            await #expect {
                try await repository.page(request, CacheControl(policy))
            } throws: {
                ($0 as? RepositoryError)?.cause?.kind == .invalidResponse
            }
        }
    }

    /// A remote that answers every request with "not modified".
    private struct AlwaysUnchanged: RemoteDataSourceContract {
        func scoped(_ scope: ResourceScope) -> any RemoteDataSourceContract { self }
        func syncing(_: SyncRequests) -> any RemoteDataSourceContract { self }

        func initialToken() async throws(APIError) -> PageToken? { nil }
        var maxIDs: Int? { nil }

        func item(_ id: String, since validators: Validators?) async throws(APIError) -> RemoteAnswer<ItemDTO> {
            .notModified(nil)
        }

        func items(_ ids: [String]) async throws(APIError) -> ItemDTOs { ItemDTOs([]) }

        func page(
            _ request: PageRequest, since validators: Validators?
        ) async throws(APIError) -> RemotePage { .notModified(nil) }

        func preview(_ question: RemoteQuestion) throws(APIError) -> RemotePreview {
            RemotePreview(method: .get, url: "https://things.test/")
        }
    }
}
