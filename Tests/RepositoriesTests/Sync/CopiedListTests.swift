import DataSources
import JSON
import Mocks
import TestSupport
import Testing

@testable import Catalog
@testable import Model
@testable import Repositories

/// Tests reads of a list's local copy with the policy `localOnly`.
@Suite(.limited) struct CopiedListTests {
    /// Creates a stage with a copy of two items, to which a sync of changes has added a third item.
    private static func stage(deleted: Bool = true) async throws -> Stage {
        let stage = try declared(#"{"style": "page", "param": "page", "more": "more"}"#, deleted: deleted)
        SinceSyncTests.serve(stage, [(1, 10), (2, 20)], changes: [(1, 10, false), (2, 30, false), (3, 40, false)])
        #expect(try await stage.sync().mode == .whole)
        #expect(try await Self.ids(stage) == [1, 2])
        #expect(try await stage.sync().mode == .since)
        return stage
    }

    /// Creates a stage whose list declares `sync` and the given pagination.
    private static func declared(_ pagination: String, deleted: Bool = true) throws -> Stage {
        let keys = #""style": "since", "param": "since", "from": "n", "type": "integer", "ascending": true"#
        let sync = deleted ? #"{\#(keys), "deleted": {"when": "gone"}}"# : "{\(keys)}"
        return try Stage(Declaration(pagination: pagination, sync: sync))
    }

    /// Gives the remote a single page with the items from 1 to `count`.
    private static func serve(_ count: Int, _ stage: Stage) {
        stage.remote.setPage { request in
            let items = (1...count).compactMap { try? Stage.dto(#"{"id":\#($0),"name":"x","n":\#($0 + 100)}"#) }
            return .success(PageDTO(items: items, info: PageInfoDTO(current: request.page)))
        }
    }

    private static func page(
        _ stage: Stage, _ token: PageToken = .number(1), _ policy: CachePolicy = .localOnly
    ) async throws -> Answer<Page> {
        try await stage.repository.page(PageRequest(page: token), CacheControl(policy))
    }

    private static func ids(_ stage: Stage, _ token: PageToken = .number(1)) async throws -> [Int] {
        try await page(stage, token).value.ids.compactMap { Int($0) }.sorted()
    }

    @Test func offlineListContainsItemsThatALaterSyncAdded() async throws {
        let stage = try await Self.stage()
        let answer = try await Self.page(stage)
        #expect(
            answer.value.items.map(\.text).sorted() == [
                #"{"id":1,"name":"v10"}"#, #"{"id":2,"name":"v30"}"#, #"{"id":3,"name":"v40"}"#,
            ])
        #expect(answer.value.info.text == #"{"current":1,"pages":null,"count":3,"next":null,"previous":null}"#)
        #expect(answer.source == .persistence && !answer.isStale && answer.syncedAt == stage.clock.now())
    }

    @Test func pageInMemoryIsNotUsedIfTheCopyIsNewer() async throws {
        let stage = try await Self.stage()
        // This read stores the page of the whole run in memory.
        _ = try await Self.page(stage, .number(1), .localFirst)
        let request = PageRequest(page: .number(1))
        #expect(stage.repository.cachedPage(request, CacheControl()) != nil)
        #expect(stage.repository.cachedPage(request, CacheControl(.localOnly)) == nil)
        #expect(try await Self.ids(stage) == [1, 2, 3])
    }

    @Test func otherPoliciesReadTheCachedPages() async throws {
        let stage = try await Self.stage()
        #expect(try await Self.page(stage, .number(1), .localFirst).value.ids == ["1", "2"])
    }

    @Test func listAfterASyncOfTheWholeListConsistsOfItsPages() async throws {
        let stage = try await Self.stage()
        SinceSyncTests.serve(stage, [(3, 30), (1, 50), (2, 60), (4, 70), (5, 80), (6, 90)])
        try await stage.sync { $0.startsOver = true }
        #expect(try await Self.page(stage).value.ids == ["3", "1", "2", "4", "5"])
        #expect(try await Self.ids(stage, .number(2)) == [6])
    }

    @Test func ageOfTheListCountsFromTheConfirmationOfItsItems() async throws {
        for reportsDeletions in [true, false] {
            let stage = try await Self.stage(deleted: reportsDeletions)
            stage.clock.advance(milliseconds: Stage.hour - 500)
            #expect(try await Self.page(stage).isStale == !reportsDeletions)
        }
    }

    @Test func copyThatHasLostAnItemIsNotRead() async throws {
        let stage = try await Self.stage()
        _ = await stage.cache.remove(CacheSelection(resource: "thing", ids: ["3"]))
        #expect(try await Self.ids(stage) == [1, 2])
    }

    @Test(
        arguments: [
            (#"{"style": "page", "param": "page", "more": "more"}"#, [PageToken.number(1), .number(2), .number(3)]),
            (
                #"{"style": "offset", "param": "o", "size": {"param": "n", "value": 5}}"#,
                [.number(0), .number(100), .number(200)]
            ),
            (
                #"{"style": "cursor", "param": "c", "next": "next"}"#,
                [.first, .opaque("larder-copy:100"), .opaque("larder-copy:200")]
            ),
        ])
    func longCopyHasSeveralPages(pagination: String, tokens: [PageToken]) async throws {
        let stage = try Self.declared(pagination)
        for count in [1, 250] {
            Self.serve(count, stage)
            try await stage.sync()
        }
        var seen: [String] = []
        for (index, token) in tokens.enumerated() {
            let page = try await Self.page(stage, token).value
            seen += page.ids
            let next = index + 1 < tokens.count ? tokens[index + 1].json : .null
            #expect(try JSONValue(parsing: page.info.text)["next"] == next)
        }
        #expect(seen.count == 250 && Set(seen).count == 250)
    }

    @Test func tokenOfACopyNeverReachesTheAPI() async throws {
        let stage = try Self.declared(#"{"style": "cursor", "param": "c", "next": "next"}"#)
        Self.serve(1, stage)
        try await stage.sync()
        let calls = stage.remote.calls.count
        await #expect(throws: RepositoryError.notCached(resource: "thing")) {
            try await Self.page(stage, .opaque("larder-copy:100"), .localFirst)
        }
        #expect(stage.remote.calls.count == calls)
    }

    @Test func pageAfterTheEndOfACopyIsNotCached() async throws {
        let stage = try await Self.stage()
        await #expect(throws: RepositoryError.notCached(resource: "thing")) { try await Self.page(stage, .number(2)) }
        await #expect(throws: RepositoryError.notCached(resource: "thing")) {
            try await Self.page(stage, .number(.max))
        }
    }

    @Test func pageThatWasFetchedAfterTheSyncIsRead() async throws {
        let stage = try await Self.stage()
        stage.clock.advance(milliseconds: 1000)
        SinceSyncTests.serve(stage, [(4, 50), (1, 10)])
        _ = try await Self.page(stage, .number(1), .remoteFirst)
        #expect(try await Self.page(stage).value.ids == ["1", "4"])
    }

    /// The copy has one page. The API had two.
    @Test func cachedPageOfTheAPIDoesNotContinueTheCopy() async throws {
        let keys = #""style": "since", "param": "since", "from": "n", "type": "integer", "ascending": true"#
        let stage = try Stage(
            Declaration(pagination: #"{"style": "page", "param": "page", "more": "more"}"#, sync: "{\(keys)}"))
        SinceSyncTests.serve(stage, (1...6).map { ($0, $0 * 10) }, changes: [(7, 70, false)])
        try await stage.sync()
        for page in 1...2 { _ = try await Self.page(stage, .number(page), .localFirst) }
        try await stage.sync()
        #expect(try await Self.ids(stage) == Array(1...7))
        await #expect(throws: RepositoryError.notCached(resource: "thing")) { try await Self.page(stage, .number(2)) }
    }

    @Test func listOfAnIncompleteCopyHasNoTimeOfASync() async throws {
        let stage = try await Self.stage()
        SinceSyncTests.serve(
            stage, [],
            changes: [
                (4, 50, false), (5, 50, false), (6, 50, false), (7, 50, false),
                (8, 50, false), (9, 50, false),
            ])
        #expect(try await stage.sync().isComplete == nil)
        #expect(try await Self.page(stage).syncedAt == nil)
    }
}
