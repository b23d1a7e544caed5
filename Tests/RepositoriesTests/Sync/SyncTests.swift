import DataSources
import JSON
import Mocks
import System
import TestSupport
import Testing

@testable import Model
@testable import Repositories

/// Tests how a sync reads a list and stores what has changed.
@Suite(.limited) struct SyncTests {
    private static func pages(_ numbers: ClosedRange<Int>) -> [RemoteDataSourceMock.Call] {
        numbers.map { .page(PageRequest(page: .number($0))) }
    }

    private static func changes(_ changes: (SyncAnswer.Change.Kind, String)...) -> [SyncAnswer.Change] {
        changes.map { SyncAnswer.Change(kind: $0, id: $1) }
    }

    @Test func firstRunReadsAllPagesAndStoresTheirItems() async throws {
        let stage = try Stage()
        stage.serveList(1...5) { $0.count = 5 }
        let progress = Lock<[String]>([])
        let answer = try await stage.repository.sync(SyncRequest()) { done, total in
            progress.withLock { $0.append("\(done) of \(total ?? -1)") }
        }
        var state = SyncState(set: SyncSet(resource: stage.key, list: "{}"))
        (state.items, state.generation) = (5, 1)
        (state.syncedAt, state.wholeAt) = (stage.clock.now(), stage.clock.now())
        var expected = SyncAnswer(state: state)
        (expected.requests, expected.added, expected.omittedChanges) = (3, 5, 5)
        (expected.isComplete, expected.deletions) = (true, .walked)
        #expect(answer == expected)
        #expect(try await stage.cache.syncStates() == [state])
        #expect(stage.remote.calls == Self.pages(1...3))
        #expect(progress.withLock { $0 } == ["2 of 5", "4 of 5", "5 of 5"])
        let page = try await stage.repository.page(PageRequest(page: .number(3)), CacheControl(.localOnly))
        #expect(page.value.ids == ["5"] && page.source == .persistence && !page.isStale)
        let item = try await stage.repository.item("2", CacheControl(.localOnly))
        #expect(item.value.text == Stage.text("2", "new") && item.source == .persistence)
    }

    @Test func syncOfAnUnchangedListWritesNoItems() async throws {
        let stage = try Stage()
        stage.serveList(1...5)
        try await stage.sync()
        let first = stage.clock.now()
        let answer = try await stage.sync { $0.maxChanges = 10 }
        #expect((answer.added, answer.changed, answer.removed, answer.requests) == (0, 0, 0, 3))
        #expect(answer.changes == [] && answer.isComplete == true)
        #expect(answer.state.syncedAt == stage.clock.now() && answer.state.items == 5)
        #expect(try await stage.stored(4)?.fetchedAt == first)
    }

    @Test func syncResultListsChangesUpToTheLimit() async throws {
        for (limit, count) in [(10, 4), (3, 3), (2, 2), (0, 0)] {
            let stage = try Stage()
            stage.serveList(1...4)
            try await stage.sync()
            stage.serveList([1, 3, 5, 6]) { $0.names = [3: "newer"] }
            stage.remote.setItem { id in
                id == "2" ? .failure(Stage.notFound) : .failure(Stage.failure)
            }
            let answer = try await stage.sync { $0.maxChanges = limit }
            #expect((answer.added, answer.changed, answer.removed) == (2, 1, 1))
            let all = Self.changes((.changed, "3"), (.added, "5"), (.added, "6"), (.removed, "2"))
            #expect(answer.changes == Array(all.prefix(count)))
            #expect(answer.omittedChanges == 4 - count)
            #expect(try await stage.stored(3)?.json.text == Stage.text("3", "newer"))
            #expect(try await stage.stored(1...6) == [1, 3, 4, 5, 6], "the API could not be asked for 4")
        }
    }

    @Test func eachListHasItsOwnLocalCopy() async throws {
        let stage = try Stage()
        stage.serveList(1...3)
        try await stage.sync()
        stage.serveList(2...2)
        let answer = try await stage.sync { $0.filters = [.init("name", "rick")] }
        #expect((answer.added, answer.removed, answer.state.items) == (1, 0, 1))
        #expect(try await stage.cache.syncStates().map(\.set.list) == ["{}", #"{"name":"rick"}"#])
        #expect(stage.remote.calls.last == .page(PageRequest(filters: [.init("name", "rick")])))
    }

    @Test func syncWithoutACacheFileFails() async throws {
        let stage = try Stage(persistence: .none)
        await #expect {
            try await stage.sync()
        } throws: { error in
            guard case .local(let error)? = error as? SyncError else { return false }
            return error.isUnavailable
        }
        #expect(stage.remote.calls == [])
        #expect(try await stage.cache.syncStates() == [])
    }

    // MARK: Interruptions

    @Test func runEndedByTheRequestLimitIsContinuedByTheNextRun() async throws {
        let stage = try Stage()
        stage.serveList([9])
        try await stage.sync()
        let before = stage.clock.now()
        stage.serveList(1...5) { $0.count = 5 }
        let first = try await stage.sync { $0.maxRequests = 2 }
        let start = stage.clock.now()
        #expect((first.requests, first.added, first.isComplete, first.deletions) == (2, 4, false, .unknown))
        #expect(first.state.position?.page == .number(3) && first.state.syncedAt == before)
        #expect(try await stage.stored(1...9) == [1, 2, 3, 4, 9])
        let second = try await stage.sync { $0.maxRequests = 2 }
        // The first pages may have changed since, so nothing is removed.
        #expect((second.requests, second.added, second.removed, second.isComplete) == (1, 1, 0, nil))
        #expect(second.state.position == nil && second.state.items == 6)
        #expect(second.state.syncedAt == start && second.state.wholeAt == before)
        let calls = Self.pages(1...1) + Self.pages(1...2) + Self.pages(3...3)
        #expect(stage.remote.calls == calls)
        let third = try await stage.sync()
        #expect((third.requests, third.removed, third.isComplete) == (4, 1, true), "the run starts at the first page")
    }

    @Test func failedRunContinuesAtThePageThatFailed() async throws {
        let stage = try Stage()
        stage.serveList(1...5) { $0.errors = [3: Stage.failure] }
        await #expect(throws: SyncError.repository(.remote(Stage.failure))) { try await stage.sync() }
        #expect(try await stage.stored(1...5) == [1, 2, 3, 4])
        let state = try #require(try await stage.cache.syncStates().first)
        #expect((state.items, state.position?.page, state.syncedAt) == (4, .number(3), nil))
        let start = stage.clock.now()
        stage.serveList(1...5)
        let answer = try await stage.sync()
        #expect((answer.requests, answer.added, answer.isComplete) == (1, 1, nil))
        #expect(answer.state.syncedAt == start)
        #expect(stage.remote.calls == Self.pages(1...3) + Self.pages(3...3))
    }

    /// The API would refuse the same page again.
    @Test(arguments: [
        (APIError.Kind.network, 3), (.timeout, 3), (.serverError, 3), (.invalidRequest, 1), (.invalidResponse, 1),
        (.decodingFailed, 1), (.unauthorized, 1), (.tooLarge, 1),
    ])
    func runAfterARefusedPageStartsAtTheFirstPage(_ kind: APIError.Kind, page: Int) async throws {
        let (stage, error) = (try Stage(), APIError(kind, "no"))
        stage.serveList(1...5) { $0.errors = [3: error] }
        await #expect(throws: SyncError.repository(.remote(error))) { try await stage.sync() }
        stage.serveList(1...5)
        try await stage.sync()
        #expect(stage.remote.calls == Self.pages(1...3) + Self.pages(page...3))
    }

    @Test func localCopyIsUnchangedIfTheFirstPageOfASyncFails() async throws {
        let stage = try Stage()
        stage.serveList(1...2)
        let state = try await stage.sync().state
        stage.serveList(1...2) { $0.errors = [1: Stage.notFound] }
        await #expect(throws: SyncError.self) { try await stage.sync() }
        #expect(try await stage.cache.syncStates() == [state])
        #expect(try await stage.stored(1...2) == [1, 2])
    }

    @Test func pageThatIsGoneEndsTheRunAndTheNextRunStartsAgain() async throws {
        let stage = try Stage(ServedList.cursors)
        stage.serveList(1...5) { $0.hasCursors = true }
        _ = try await stage.sync { $0.maxRequests = 1 }
        // The API no longer knows the cursor.
        stage.serveList(1...5) { ($0.hasCursors, $0.errors) = (true, [2: Stage.notFound]) }
        let expired = try await stage.sync()
        #expect((expired.isComplete, expired.state.position, expired.state.syncedAt) == (false, nil, nil))
        stage.serveList(1...5) { $0.hasCursors = true }
        let answer = try await stage.sync()
        #expect((answer.requests, answer.added, answer.isComplete) == (3, 3, true))
    }

    @Test func cancelledRunKeepsTheStoredPages() async throws {
        let stage = try Stage()
        stage.serveList(1...5)
        _ = try await stage.sync { $0.maxRequests = 1 }
        stage.remote.hold(at: Gate())
        let sync = Task { try await stage.sync() }
        await stage.remote.arrived(2)
        sync.cancel()
        await #expect {
            try await sync.value
        } throws: { error in
            guard case .repository(let error)? = error as? SyncError else { return false }
            return error.cause?.kind == .cancelled
        }
        stage.remote.hold(at: nil)
        #expect(try await stage.sync().requests == 2)
        #expect(try await stage.stored(1...5) == [1, 2, 3, 4, 5])
    }

    @Test func continuedRunIsIncompleteIfAnEarlierPageHadASkippedItem() async throws {
        let declaration = Declaration(pagination: ServedList.cursors.pagination, more: #""onMismatch": "skip","#)
        let stage = try Stage(declaration)
        stage.serveList(1...4) { $0.hasCursors = true }
        try await stage.sync()
        stage.serveList(1...4) { ($0.hasCursors, $0.invalid) = (true, [1]) }
        _ = try await stage.sync { $0.maxRequests = 1 }
        let answer = try await stage.sync()
        #expect((answer.isComplete, answer.removed, answer.requests) == (false, 0, 1))
        #expect(try await stage.stored(1...4) == [1, 2, 3, 4])
    }

    // MARK: Ages

    @Test func recentCopyNeedsNoRequests() async throws {
        let stage = try Stage()
        stage.serveList(1...3)
        let state = try await stage.sync().state
        let answer = try await stage.sync { $0.maxAge = 1000 }
        var expected = SyncAnswer(state: state)
        (expected.mode, expected.isComplete) = (.none, true)
        #expect(answer == expected)
        #expect(stage.remote.calls.count == 2)
        let again = try await stage.sync { $0.maxAge = 1999 }
        #expect((again.mode, again.requests) == (.whole, 2), "the copy is 2 s old")
        stage.clock.advance(milliseconds: -5000)
        #expect(try await stage.sync { $0.maxAge = 60_000 }.mode == .whole, "a copy from the future is not recent")
    }

    @Test func copyThatLacksItemsIsNotRecent() async throws {
        let stage = try Stage()
        stage.serveList(1...5)
        _ = try await stage.sync { $0.maxRequests = 1 }
        #expect(try await stage.sync { $0.maxAge = 60_000 }.requests == 2)
        stage.persistence.remove(stage.itemKey("1"))
        let answer = try await stage.sync { $0.maxAge = 60_000 }
        #expect((answer.mode, answer.added, answer.isComplete) == (.whole, 1, true))
        #expect(try await stage.sync { $0.maxAge = 60_000 }.mode == .none)
    }

    @Test func localCopySyncedInTheSameMillisecondNeedsNoRequests() async throws {
        let stage = try Stage()
        stage.serveList(1...2)
        try await stage.sync()
        var request = SyncRequest()
        request.maxAge = 0
        #expect(try await stage.repository.sync(request) { _, _ in }.mode == .none)
    }

    @Test func interruptedRunIsContinuedEvenIfTheCopyIsRecent() async throws {
        let stage = try Stage()
        stage.serveList(1...4)
        try await stage.sync()
        _ = try await stage.sync { $0.maxRequests = 1 }
        let answer = try await stage.sync { $0.maxAge = 60_000 }
        #expect((answer.mode, answer.requests) == (.whole, 1))
    }

    /// A run without certain knowledge of the list's end, losses, and an interruption each make a copy incomplete.
    @Test func localCopyIsCompleteIfItsLastSyncRunFoundAllItems() {
        func isWhole(_ change: (inout SyncState) -> Void) -> Bool {
            var state = SyncState(
                set: SyncSet(resource: ResourceKey(name: "a", fingerprint: .init(high: 1, low: 2)), list: "{}"))
            (state.syncedAt, state.wholeAt) = (Timestamp(milliseconds: 1), Timestamp(milliseconds: 1))
            change(&state)
            return state.isWhole
        }
        func mark(_ isComplete: Bool) -> SyncMark {
            SyncMark(value: "1", declaration: "", wholeAt: Timestamp(milliseconds: 0), isComplete: isComplete)
        }
        let later = Timestamp(milliseconds: 2)
        #expect(isWhole { _ in })
        #expect(isWhole { ($0.syncedAt, $0.mark) = (later, mark(true)) })
        #expect(!isWhole { $0.syncedAt = later })
        #expect(!isWhole { ($0.syncedAt, $0.mark) = (later, mark(false)) })
        #expect(!isWhole { ($0.syncedAt, $0.wholeAt) = (nil, nil) })
        #expect(!isWhole { ($0.syncedAt, $0.mark) = (nil, mark(true)) })
        #expect(!isWhole { $0.isPartial = true })
        #expect(!isWhole { $0.position = SyncPosition(page: .first, start: later) })
    }

    @Test func recentLocalCopyThatMayLackItemsIsNotReportedAsComplete() async throws {
        let stage = try Stage(Declaration(pagination: nil))
        stage.serveList(1...2)
        #expect(try await stage.sync().isComplete == nil)
        let answer = try await stage.sync { $0.maxAge = 60_000 }
        #expect((answer.mode, answer.isComplete) == (.none, nil))
    }

    // MARK: Kinds of lists

    @Test func hydratedItemsAreStoredCompletely() async throws {
        let stage = try Stage(Declaration(list: #", "hydrate": true"#))
        let stubs = try ["1", "2"].map { try Stage.dto(#"{"id": \#($0)}"#) }
        stage.remote.setPage { .success(PageDTO(items: stubs, info: PageInfoDTO(current: $0.page))) }
        try stage.serve("1", "2")
        let answer = try await stage.sync()
        #expect((answer.requests, answer.added, answer.isComplete, answer.state.items) == (3, 2, true, 2))
        #expect(try await stage.stored(2)?.json.text == Stage.text("2", "new"))
        try stage.serve("1", "2", name: "newer")
        #expect(try await stage.sync().changed == 2)
        let one = try Stage.dto("1", "newer")
        stage.remote.setItem { $0 == "1" ? .success(one) : .failure(Stage.failure) }
        let failed = try await stage.sync()
        #expect((failed.isComplete, failed.removed, failed.state.items) == (false, 0, 2))
    }

    @Test func listInOneAnswerIsReadWithOneRequest() async throws {
        let stage = try Stage(Declaration(pagination: #"{"style": "slice", "size": 2}"#))
        stage.serveList(1...5) { $0.size = 9 }
        let answer = try await stage.sync()
        #expect((answer.requests, answer.added, answer.isComplete, answer.state.items) == (1, 5, true, 5))
        let page = try await stage.repository.page(PageRequest(page: .number(3)), CacheControl(.localOnly))
        #expect(page.value.ids == ["5"])
        stage.serveList(1...4) { $0.size = 9 }
        let second = try await stage.sync()
        #expect((second.removed, second.changed, second.deletions) == (1, 0, .walked))
    }

    @Test(arguments: [nil, "other"]) func syncPositionOfAnotherDeclarationIsNotUsed(declaration: String?) async throws {
        let stage = try Stage()
        stage.serveList(1...5)
        let store = try #require(stage.cache.syncs)
        let ticket = try #require(try await store.begin(SyncSet(resource: stage.key, list: "{}")))
        var position = SyncPosition(page: .number(3), start: stage.clock.now())
        position.declaration = declaration
        _ = try await store.store(SyncedPart(items: [], position: position), ticket) { false }
        _ = try await store.end(ticket, SyncEnd())
        #expect(try await stage.sync().requests == (declaration == nil ? 1 : 3))
    }

    @Test(
        arguments: [
            (#"{"freshFor": "1h", "keepFor": "30d"}"#, 1_800_000), (#"{"freshFor": "10s", "keepFor": "30d"}"#, 60_000),
            (#"{"freshFor": "2m", "keepFor": "30d"}"#, 60_000), (#"{"freshFor": "122s", "keepFor": "30d"}"#, 61_000),
            (#"{"freshFor": "10s", "keepFor": "1m"}"#, 30_000),
        ])
    func unchangedItemsAreStoredAgainBeforeTheyBecomeTooOld(cache: String, maxAge: Int) throws {
        #expect(ListSyncer.maxAge(try Stage(Declaration(cache: cache)).resource.cache) == maxAge)
    }
}
