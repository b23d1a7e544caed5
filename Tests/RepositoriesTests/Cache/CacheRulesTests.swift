import DataSources
import JSON
import Mocks
import Model
import Repositories
import TestSupport
import Testing

/// Tests which entries are stored and removed if all cache levels work, and if one is missing or fails.
@Suite(.limited) struct CacheRulesTests {
    private let request = PageRequest(page: .number(1))

    @Test func itemOfAStoredPageIsReadFromMemory() async throws {
        let stage = try Stage()
        try stage.servePage("1", "2")
        _ = try await stage.repository.page(request, CacheControl())
        let answer = try #require(stage.repository.cachedItem("2", CacheControl()))
        #expect(answer.value.text == Stage.text("2", "new"))
        #expect(!answer.isStale)
        #expect(try await stage.persistence.read(stage.itemKey("1"))?.json.text == Stage.text("1", "new"))
        #expect(stage.remote.calls == [.page(request)])
    }

    @Test func itemsAreCopiedToMemoryWhenAPageIsReadFromTheFile() async throws {
        let stage = try Stage()
        try stage.servePage("1", "2")
        _ = try await stage.repository.page(request, CacheControl())
        _ = stage.memory.remove(CacheSelection())
        #expect(try await stage.repository.page(request, CacheControl()).source == .persistence)
        #expect(stage.repository.cachedPage(request, CacheControl())?.source == .memory)
        #expect(stage.repository.cachedItem("1", CacheControl())?.value.text == Stage.text("1", "new"))
    }

    /// The file may have entries that are older than `keepFor`.
    @Test func expiredFileEntryIsAbsent() async throws {
        let stage = try Stage()
        stage.remote.fail(APIError(.network, "reset"))
        stage.persistence.save(LocalChange(items: [stage.entity("1", age: 31 * 24 * Stage.hour)]))
        await #expect(throws: RepositoryError.notCached(resource: "thing")) {
            try await stage.repository.item("1", CacheControl(.localOnly))
        }
        for policy in [CachePolicy.localFirst, .remoteFirst] {
            await #expect(throws: RepositoryError.remote(APIError(.network, "reset"))) {
                try await stage.repository.item("1", CacheControl(policy))
            }
        }
    }

    @Test func pageIsAHitOnlyIfAllItemsAreCached() async throws {
        let stage = try Stage()
        try stage.servePage("1", "2")
        _ = try await stage.repository.page(request, CacheControl())
        stage.memory.remove(stage.itemKey("2"))
        #expect(stage.repository.cachedPage(request, CacheControl()) == nil)
        #expect(try await stage.repository.page(request, CacheControl()).source == .persistence)
        stage.memory.remove(stage.itemKey("2"))
        stage.persistence.remove(stage.itemKey("2"))
        await #expect(throws: RepositoryError.notCached(resource: "thing")) {
            try await stage.repository.page(request, CacheControl(.localOnly))
        }
        #expect(try await stage.repository.page(request, CacheControl()).source == .remote)
    }

    @Test func pageWithAnInvalidatedItemIsStale() async throws {
        let stage = try Stage()
        try stage.servePage("1", "2")
        _ = try await stage.repository.page(request, CacheControl())
        _ = stage.memory.invalidate(CacheSelection(resource: "thing", ids: ["2"]))
        #expect(stage.repository.cachedPage(request, CacheControl()) == nil)
        #expect(stage.repository.cachedPage(request, CacheControl(.localOnly))?.isStale == true)
    }

    @Test func pageShowsCurrentItems() async throws {
        let stage = try Stage()
        try stage.servePage("1", "2")
        _ = try await stage.repository.page(request, CacheControl())
        try stage.serve("2", name: "newer")
        _ = try await stage.repository.item("2", CacheControl(.remoteFirst))
        let page = try #require(stage.repository.cachedPage(request, CacheControl()))
        #expect(page.value.items.map(\.text) == [Stage.text("1", "new"), Stage.text("2", "newer")])
    }

    @Test func emptyPageIsStored() async throws {
        let stage = try Stage()
        try stage.servePage()
        _ = try await stage.repository.page(request, CacheControl())
        let page = try #require(stage.repository.cachedPage(request, CacheControl()))
        #expect(page.value.items.isEmpty)
        let info = #"{"current":1,"pages":null,"count":0,"next":null,"previous":null}"#
        #expect(page.value.info.text == info)
    }

    @Test func errorNotFoundRemovesOnlyTheItem() async throws {
        let stage = try Stage()
        stage.keep(stage.entity("1"), stage.entity("2"))
        try stage.serve()
        await #expect {
            try await stage.repository.item("1", CacheControl(.remoteFirst))
        } throws: {
            ($0 as? RepositoryError)?.cause?.kind == .notFound
        }
        #expect(stage.memory.read(stage.itemKey("1")) == nil)
        #expect(try await stage.persistence.read(stage.itemKey("1")) == nil)
        #expect(stage.memory.read(stage.itemKey("2")) != nil)
        #expect(try await stage.persistence.read(stage.itemKey("2")) != nil)
    }

    @Test func errorNotFoundRemovesThePageButNotItsItems() async throws {
        let stage = try Stage()
        try stage.servePage("1")
        _ = try await stage.repository.page(request, CacheControl())
        stage.remote.fail(APIError(.notFound, "past the end", status: 404))
        await #expect(throws: RepositoryError.self) {
            try await stage.repository.page(request, CacheControl(.remoteFirst))
        }
        #expect(stage.memory.read(stage.pageKey(request)) == nil)
        #expect(try await stage.persistence.read(stage.pageKey(request)) == nil)
        #expect(stage.repository.cachedItem("1", CacheControl()) != nil)
    }

    @Test func policyNoneReadsAndWritesNoCacheLevel() async throws {
        let double = LocalDataSourceMock()
        double.succeed()
        let stage = try Stage(persistence: .double(double))
        let none = CacheControl(.none)
        try stage.serve("1", "2")
        try stage.servePage("1")
        #expect(try await stage.repository.item("1", none).source == .remote)
        #expect(try await stage.repository.page(request, none).source == .remote)
        #expect(try await stage.repository.items(["1", "2", "3"], none).missing == ["3"])
        #expect(stage.repository.cachedItem("1", none) == nil)
        #expect(stage.repository.cachedPage(request, none) == nil)
        #expect(stage.repository.cachedItems(["1"], none) == nil)
        #expect(double.calls == [])
        let memory = stage.memory.statistics()
        #expect([memory.entries, memory.hits, memory.misses] == [0, 0, 0])
    }

    @Test func memoryWorksWithoutAFile() async throws {
        let stage = try Stage(persistence: .none)
        try stage.serve("1", "2")
        try stage.servePage("1")
        await #expect(throws: RepositoryError.notCached(resource: "thing")) {
            try await stage.repository.item("1", CacheControl(.localOnly))
        }
        for source in [Source.remote, .memory] {
            #expect(try await stage.repository.item("1", CacheControl()).source == source)
            #expect(try await stage.repository.page(request, CacheControl()).source == source)
        }
        #expect(try await stage.repository.items(["1", "2"], CacheControl()).sources == [.memory: 1, .remote: 1])
        stage.remote.fail(APIError(.notFound, "gone", status: 410))
        await #expect(throws: RepositoryError.self) { try await stage.repository.item("1", CacheControl(.remoteFirst)) }
        #expect(stage.repository.cachedItem("1", CacheControl()) == nil)
    }

    @Test(arguments: CachePolicy.allCases) func failingFileFailsNoRequest(_ policy: CachePolicy) async throws {
        let double = LocalDataSourceMock()
        double.fail("the disk is gone")
        let stage = try Stage(persistence: .double(double))
        try stage.serve("1", "2", "3")
        try stage.servePage("1")
        if policy == .localOnly {
            let expected = RepositoryError.notCached(resource: "thing")
            await #expect(throws: expected) { try await stage.repository.item("1", CacheControl(policy)) }
            await #expect(throws: expected) { try await stage.repository.page(request, CacheControl(policy)) }
            await #expect(throws: expected) { try await stage.repository.items(["1"], CacheControl(policy)) }
        } else {
            #expect(try await stage.repository.item("1", CacheControl(policy)).source == .remote)
            #expect(try await stage.repository.page(request, CacheControl(policy)).source == .remote)
            #expect(try await stage.repository.items(["2", "3"], CacheControl(policy)).sources == [.remote: 2])
        }
        #expect(double.calls.isEmpty == (policy == .none))
    }

    @Test func failingFileDoesNotHideTheRemoteError() async throws {
        let double = LocalDataSourceMock()
        let stage = try Stage(persistence: .double(double))
        let error = APIError(.timeout, "no answer")
        stage.remote.fail(error)
        for policy in [CachePolicy.localFirst, .remoteFirst] {
            await #expect(throws: RepositoryError.remote(error)) {
                try await stage.repository.item("1", CacheControl(policy))
            }
            await #expect(throws: RepositoryError.remote(error)) {
                try await stage.repository.items(["1", "2"], CacheControl(policy))
            }
        }
    }

    @Test func mappingErrorContainsTheResourceURLAndAPI() async throws {
        let stage = try Stage()
        let wrong = try Stage.dto(#"{"id":1,"name":[]}"#)
        stage.remote.setItem { _ in .success(wrong) }
        await #expect {
            try await stage.repository.item("1", CacheControl())
        } throws: { error in
            let cause = (error as? RepositoryError)?.cause
            return cause?.kind == .decodingFailed && cause?.path == "name" && cause?.api == "things"
                && cause?.resource == "thing" && cause?.url == "https://things.test/1" && cause?.attempts == 1
        }
        #expect(stage.memory.statistics().entries == 0)
    }

    @Test func hitsAndMissesAreCounted() async throws {
        let stage = try Stage()
        try stage.serve("1", "2")
        try stage.servePage("1")
        _ = try await stage.repository.item("1", CacheControl())
        _ = try await stage.repository.item("1", CacheControl())
        _ = stage.repository.cachedItem("1", CacheControl())
        _ = try await stage.repository.page(request, CacheControl())
        _ = try await stage.repository.items(["1", "2", "3"], CacheControl())
        let statistics = stage.repository.statistics
        #expect(statistics.hits == 3)
        #expect(statistics.misses == 4)
    }

    @Test func itemIsStoredUnderTheRequestedID() async throws {
        let stage = try Stage()
        let other = try Stage.dto("77", "new")
        stage.remote.setItem { _ in .success(other) }
        _ = try await stage.repository.item("7", CacheControl())
        #expect(stage.repository.cachedItem("7", CacheControl())?.value.text == Stage.text("77", "new"))
        #expect(stage.repository.cachedItem("77", CacheControl()) == nil)
    }
}
