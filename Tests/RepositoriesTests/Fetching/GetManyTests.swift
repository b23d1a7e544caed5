import DataSources
import JSON
import Mocks
import Model
import Repositories
import TestSupport
import Testing

/// Tests calls for several items.
@Suite(.limited) struct GetManyTests {
    private static let failure = APIError(.network, "reset")

    private static func names(_ answer: BatchAnswer) -> [String] { answer.items.map(\.text) }

    @Test func itemsAreReturnedInRequestedOrderWithSources() async throws {
        let stage = try Stage(maxIDs: 10)
        stage.memory.save(LocalChange(items: [stage.entity("3", "memory")]))
        stage.persistence.save(LocalChange(items: [stage.entity("1", "file")]))
        try stage.serve("2", "4")
        let answer = try await stage.repository.items(["4", "3", "1", "2"], CacheControl())
        let expected = [("4", "new"), ("3", "memory"), ("1", "file"), ("2", "new")].map { Stage.text($0, $1) }
        #expect(Self.names(answer) == expected)
        #expect(answer.sources == [.memory: 1, .persistence: 1, .remote: 2])
        #expect(answer.missing == [])
        #expect(answer.fallback == nil)
        #expect(stage.remote.calls == [.items(["4", "2"])])
        #expect(stage.repository.cachedItems(["1", "2", "3", "4"], CacheControl())?.sources == [.memory: 4])
        #expect(try await stage.persistence.read(stage.itemKey("2"))?.json.text == Stage.text("2", "new"))
    }

    @Test func duplicateIDIsFetchedOnceAndReturnedTwice() async throws {
        let stage = try Stage(maxIDs: 10)
        try stage.serve("1", "2")
        let answer = try await stage.repository.items(["1", "9", "2", "1", "9"], CacheControl())
        #expect(Self.names(answer) == ["1", "2", "1"].map { Stage.text($0, "new") })
        #expect(answer.missing == ["9"])
        #expect(answer.sources == [.remote: 3])
        #expect(stage.remote.calls == [.items(["1", "9", "2"])])
        let hits = stage.repository.statistics.hits
        #expect(stage.repository.cachedItems(["2", "2"], CacheControl())?.items.count == 2)
        #expect(stage.repository.statistics.hits == hits + 1)
    }

    @Test func emptyListOfIDsReturnsNothing() async throws {
        for policy in CachePolicy.allCases {
            let stage = try Stage(maxIDs: 10)
            let answer = try await stage.repository.items([], CacheControl(policy))
            #expect(answer.items.isEmpty && answer.missing.isEmpty && answer.sources.isEmpty)
            #expect(stage.remote.calls == [])
        }
    }

    @Test func idsAreSplitByMaxIDs() async throws {
        let stage = try Stage(maxIDs: 2)
        try stage.serve("1", "2", "3", "4", "5")
        let answer = try await stage.repository.items(["1", "2", "3", "4", "5"], CacheControl())
        #expect(answer.sources == [.remote: 5])
        let calls = stage.remote.calls
        #expect(calls.count == 3)
        for call in [.items(["1", "2"]), .items(["3", "4"]), .item("5")] as [RemoteDataSourceMock.Call] {
            #expect(calls.contains(call))
        }
    }

    @Test func singleIDIsFetchedWithGet() async throws {
        let stage = try Stage(maxIDs: 50)
        try stage.serve("1")
        #expect(try await stage.repository.items(["1", "1"], CacheControl()).items.count == 2)
        #expect(stage.remote.calls == [.item("1")])
    }

    @Test func eightGetRequestsRunConcurrentlyIfGetManyIsMissing() async throws {
        let stage = try Stage()
        try stage.serve("1", "2", "3", "4", "5", "6", "7", "8", "9", "10")
        let gate = Gate()
        stage.remote.hold(at: gate)
        let ids = (1...11).map(String.init)
        let answer = Task { try await stage.repository.items(ids, CacheControl()) }
        await stage.remote.arrived(8)
        #expect(stage.remote.calls.count == 8)
        gate.open()
        #expect(try await answer.value.sources == [.remote: 10])
        #expect(try await answer.value.missing == ["11"])
        #expect(Set(stage.remote.calls.map { "\($0)" }) == Set(ids.map { "\(RemoteDataSourceMock.Call.item($0))" }))
        #expect(stage.remote.calls.count == 11)
    }

    @Test(arguments: [nil, 10]) func itemMissingFromTheRemoteIsRemoved(maxIDs: Int?) async throws {
        let stage = try Stage(maxIDs: maxIDs)
        stage.keep(stage.entity("1", age: 2 * Stage.hour), stage.entity("2", age: 2 * Stage.hour))
        try stage.serve("2")
        let answer = try await stage.repository.items(["1", "2"], CacheControl())
        #expect(Self.names(answer) == [Stage.text("2", "new")])
        #expect(answer.missing == ["1"])
        #expect(stage.memory.read(stage.itemKey("1")) == nil)
        #expect(try await stage.persistence.read(stage.itemKey("1")) == nil)
    }

    /// Elasticsearch, for example, answers `{"_id": "9", "found": false}`.
    @Test func objectThatTheAPIMarksAsNotFoundIsAMissingItem() async throws {
        let declarations = [#"{"id": "integer", "name": "string"}"#, #"{"id": "integer", "name": "string?"}"#]
        for fields in declarations {
            let stage = try Stage(Declaration(fields: fields), maxIDs: 10)
            let nine = try Stage.dto(#"{"id":9,"found":false}"#)
            let found = [try Stage.dto("1", "new"), nine, try Stage.dto("2", "new")]
            stage.remote.setItems { _ in .success(found) }
            let answer = try await stage.repository.items(["1", "9", "2"], CacheControl())
            #expect(Self.names(answer) == [Stage.text("1", "new"), Stage.text("2", "new")])
            #expect(answer.missing == ["9"] && answer.fallback == nil && answer.isWhole == true)
        }
    }

    /// If no other field is required, an object with only an id is an item, unless it is marked as not found.
    @Test func itemWithOnlyAnIDIsAcceptedIfNoOtherFieldIsRequired() async throws {
        let stage = try Stage(Declaration(fields: #"{"id": "integer", "name": "string?"}"#), maxIDs: 10)
        let found = [try Stage.dto(#"{"id":1}"#), try Stage.dto(#"{"id":2,"name":null}"#)]
        stage.remote.setItems { _ in .success(found) }
        #expect(try await stage.repository.items(["1", "2"], CacheControl()).missing == [])
    }

    @Test func mismatchedItemIsSkippedOnlyIfTheCatalogAllowsIt() async throws {
        for skips in [true, false] {
            let more = skips ? #""onMismatch": "skip","# : ""
            let stage = try Stage(Declaration(more: more), maxIDs: 10)
            let found = [try Stage.dto("1", "new"), try Stage.dto(#"{"id":9,"name":5}"#), try Stage.dto(#"{"n":1}"#)]
            stage.remote.setItems { _ in .success(found) }
            guard skips else {
                await #expect(throws: RepositoryError.self) {
                    _ = try await stage.repository.items(["1", "9"], CacheControl())
                }
                continue
            }
            let answer = try await stage.repository.items(["1", "9"], CacheControl())
            #expect(Self.names(answer) == [Stage.text("1", "new")])
            #expect(answer.missing == ["9"] && answer.fallback?.kind == .decodingFailed && answer.isWhole == false)
            stage.keep(stage.entity("9", "kept"))
            let kept = try await stage.repository.items(["1", "9"], CacheControl(.remoteFirst))
            #expect(Self.names(kept) == [Stage.text("1", "new"), Stage.text("9", "kept")])
        }
    }

    @Test func notFoundErrorForABatchMakesAllItsItemsMissing() async throws {
        let stage = try Stage(maxIDs: 10)
        stage.remote.fail(APIError(.notFound, "none of them", status: 404))
        #expect(try await stage.repository.items(["1", "2"], CacheControl()).missing == ["1", "2"])
    }

    @Test(arguments: [CachePolicy.localFirst, .remoteFirst])
    func staleEntriesAreReturnedIfTheRemoteFails(_ policy: CachePolicy) async throws {
        let stage = try Stage(maxIDs: 10)
        stage.memory.save(LocalChange(items: [stage.entity("1", "memory", age: 2 * Stage.hour)]))
        stage.persistence.save(LocalChange(items: [stage.entity("2", "file", age: 2 * Stage.hour)]))
        stage.remote.fail(Self.failure)
        let answer = try await stage.repository.items(["2", "1"], CacheControl(policy))
        #expect(Self.names(answer) == [Stage.text("2", "file"), Stage.text("1", "memory")])
        #expect(answer.sources == [.memory: 1, .persistence: 1])
        #expect(answer.fallback == Self.failure)
    }

    @Test(arguments: [CachePolicy.localFirst, .remoteFirst])
    func staleEntryOfTheUppermostLevelIsTheFallback(_ policy: CachePolicy) async throws {
        let stage = try Stage(maxIDs: 10)
        stage.memory.save(LocalChange(items: [stage.entity("1", "memory", age: 2 * Stage.hour)]))
        stage.persistence.save(LocalChange(items: [stage.entity("1", "file", age: 3 * Stage.hour)]))
        stage.remote.fail(Self.failure)
        let answer = try await stage.repository.items(["1"], CacheControl(policy))
        #expect(Self.names(answer) == [Stage.text("1", "memory")])
        #expect(answer.sources == [.memory: 1])
        #expect(stage.memory.read(stage.itemKey("1"))?.json.text == Stage.text("1", "memory"))
    }

    @Test(arguments: [CachePolicy.localFirst, .remoteFirst])
    func cachedItemsAreReturnedAndUncachedItemsAreMissing(_ policy: CachePolicy) async throws {
        var missing = APIError(.unauthorized, "'TOKEN' is not set")
        missing.isMissingConfiguration = true
        for failure in [Self.failure, missing] {
            let stage = try Stage(maxIDs: 10)
            stage.keep(stage.entity("1", age: 2 * Stage.hour), stage.entity("3"))
            stage.remote.fail(failure)
            let answer = try await stage.repository.items(["1", "2", "3"], CacheControl(policy))
            #expect(Self.names(answer) == [Stage.text("1", "cached"), Stage.text("3", "cached")])
            #expect(answer.missing == ["2"])
            #expect(answer.sources == [.memory: 2])
            #expect(answer.fallback == failure)
        }
    }

    @Test(arguments: [CachePolicy.localFirst, .remoteFirst, .none])
    func failureWithoutCachedItemsIsAnError(_ policy: CachePolicy) async throws {
        let stage = try Stage(maxIDs: 10)
        stage.keep(stage.entity("1"))
        stage.remote.fail(Self.failure)
        await #expect(throws: RepositoryError.remote(Self.failure)) {
            try await stage.repository.items(policy == .none ? ["1", "2"] : ["2", "3"], CacheControl(policy))
        }
    }

    @Test func errorWithoutFallbackIsReportedDespiteCachedEntries() async throws {
        let error = APIError(.unauthorized, "who are you", status: 401)
        let stage = try Stage(maxIDs: 10)
        stage.keep(stage.entity("1", age: 2 * Stage.hour), stage.entity("2", age: 2 * Stage.hour))
        stage.remote.fail(error)
        await #expect(throws: RepositoryError.remote(error)) {
            try await stage.repository.items(["1", "2"], CacheControl())
        }
        #expect(stage.memory.read(stage.itemKey("1")) != nil)
    }
}

/// Tests calls for several items if the remote returns some of them and fails for the others.
@Suite(.limited) struct GetManyPartialFailureTests {
    private static let failure = APIError(.timeout, "no answer")

    /// Creates a stage whose remote returns item 1, answers "not found" for item 2, and fails for all further items.
    private static func stage() throws -> Stage {
        let stage = try Stage()
        let one = try Stage.dto("1", "new")
        stage.remote.setItem { id in
            switch id {
            case "1": .success(one)
            case "2": .failure(APIError(.notFound, "no such thing", status: 404))
            default: .failure(Self.failure)
            }
        }
        return stage
    }

    @Test(arguments: [CachePolicy.localFirst, .remoteFirst])
    func staleItemReplacesFailedItem(_ policy: CachePolicy) async throws {
        let stage = try Self.stage()
        stage.keep(stage.entity("1", "old", age: 2 * Stage.hour), stage.entity("3", "old", age: 2 * Stage.hour))
        let answer = try await stage.repository.items(["3", "1"], CacheControl(policy))
        #expect(answer.items.map(\.text) == [Stage.text("3", "old"), Stage.text("1", "new")])
        #expect(answer.sources == [.memory: 1, .remote: 1])
        #expect(answer.fallback == Self.failure)
    }

    @Test(arguments: [CachePolicy.localFirst, .remoteFirst])
    func fetchedItemsAreReturnedAndStoredDespiteAFailure(_ policy: CachePolicy) async throws {
        let stage = try Self.stage()
        let answer = try await stage.repository.items(["1", "3"], CacheControl(policy))
        #expect(answer.items.map(\.text) == [Stage.text("1", "new")])
        #expect(answer.missing == ["3"])
        #expect(answer.fallback == Self.failure)
        #expect(stage.repository.cachedItem("1", CacheControl())?.value.text == Stage.text("1", "new"))
        #expect(try await stage.persistence.read(stage.itemKey("1")) != nil)
    }

    @Test(arguments: [CachePolicy.localFirst, .remoteFirst])
    func removedItemIsMissingEvenIfAnotherFails(_ policy: CachePolicy) async throws {
        let stage = try Self.stage()
        stage.keep(stage.entity("2", "old", age: 2 * Stage.hour), stage.entity("3", "old", age: 2 * Stage.hour))
        let answer = try await stage.repository.items(["1", "2", "3"], CacheControl(policy))
        #expect(answer.items.map(\.text) == [Stage.text("1", "new"), Stage.text("3", "old")])
        #expect(answer.missing == ["2"])
        #expect(answer.fallback == Self.failure)
        #expect(stage.memory.read(stage.itemKey("2")) == nil)
        #expect(try await stage.persistence.read(stage.itemKey("2")) == nil)
    }

    /// The order of the failures does not matter.
    @Test(arguments: [CachePolicy.localFirst, .remoteFirst], [["1", "3"], ["3", "1"]])
    func staleItemsDoNotHideAnUnauthorizedError(_ policy: CachePolicy, _ ids: [String]) async throws {
        let stage = try Stage()
        let refusal = APIError(.unauthorized, "other credentials", status: 401)
        stage.remote.setItem { .failure($0 == "1" ? refusal : Self.failure) }
        stage.keep(stage.entity("1", "old", age: 2 * Stage.hour), stage.entity("3", "old", age: 2 * Stage.hour))
        await #expect(throws: RepositoryError.remote(refusal)) {
            try await stage.repository.items(ids, CacheControl(policy))
        }
    }

    @Test func requestWithPolicyNoneFailsAndStoresNothing() async throws {
        let stage = try Self.stage()
        stage.keep(stage.entity("2", "old"), stage.entity("3", "old"))
        await #expect(throws: RepositoryError.remote(Self.failure)) {
            try await stage.repository.items(["1", "2", "3"], CacheControl(.none))
        }
        #expect(stage.memory.read(stage.itemKey("1")) == nil)
        #expect(stage.memory.read(stage.itemKey("2")) != nil)
    }
}

/// Tests calls for several items that are answered from the cache alone.
@Suite(.limited) struct GetManyLocallyTests {
    @Test func localOnlyPolicyReturnsItemsOfAnyAgeWithoutRequests() async throws {
        let stage = try Stage(maxIDs: 10)
        stage.memory.save(LocalChange(items: [stage.entity("1", age: 2 * Stage.hour)]))
        stage.persistence.save(LocalChange(items: [stage.entity("2", isInvalidated: true)]))
        let answer = try await stage.repository.items(["3", "2", "1"], CacheControl(.localOnly))
        #expect(answer.items.map(\.text) == [Stage.text("2", "cached"), Stage.text("1", "cached")])
        #expect(answer.missing == ["3"])
        #expect(answer.sources == [.memory: 1, .persistence: 1])
        #expect(stage.remote.calls == [])
        #expect(stage.repository.cachedItems(["2"], CacheControl(.localOnly))?.sources == [.memory: 1])
        // Item 1 is too old, so the repository looks first whether a sync has confirmed it.
        #expect(stage.repository.cachedItems(["1", "2"], CacheControl(.localOnly)) == nil)
    }

    @Test func localOnlyPolicyThrowsNotCachedIfNoEntryIsCached() async throws {
        let stage = try Stage(maxIDs: 10)
        await #expect(throws: RepositoryError.notCached(resource: "thing")) {
            try await stage.repository.items(["1", "2"], CacheControl(.localOnly))
        }
    }

    @Test func memoryAnswersOnlyIfItHasAllItems() throws {
        let stage = try Stage()
        stage.memory.save(LocalChange(items: [stage.entity("1"), stage.entity("2", age: 2 * Stage.hour)]))
        #expect(stage.repository.cachedItems(["1"], CacheControl())?.sources == [.memory: 1])
        #expect(stage.repository.cachedItems(["1", "2"], CacheControl()) == nil)
        #expect(stage.repository.cachedItems(["1", "3"], CacheControl(.localOnly)) == nil)
        #expect(stage.repository.cachedItems(["1"], CacheControl(.localFirst, maxAge: 0)) == nil)
        for policy in [CachePolicy.remoteFirst, .none] {
            #expect(stage.repository.cachedItems(["1"], CacheControl(policy)) == nil)
        }
    }

    @Test func fileEntryOlderThanKeepForIsAMiss() async throws {
        let stage = try Stage(Declaration(cache: #"{"keepFor": "1h"}"#), maxIDs: 10)
        stage.keep(stage.entity("1", age: Stage.hour), stage.entity("2", age: Stage.hour - 1))
        #expect(try await stage.repository.items(["1", "2"], CacheControl(.localOnly)).missing == ["1"])
    }
}
