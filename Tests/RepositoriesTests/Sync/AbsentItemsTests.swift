import DataSources
import JSON
import Mocks
import System
import TestSupport
import Testing

@testable import Model
@testable import Repositories

/// Tests which items a sync removes because the list no longer has them.
@Suite(.limited) struct AbsentItemsTests {
    // MARK: Lists that shift

    @Test(
        arguments: [
            (nil, [1, 2, 3], 0, SyncAnswer.Deletions.walked), (Stage.notFound, [1, 3], 1, .walked),
            (Stage.failure, [1, 2, 3], 0, .unknown),
            (APIError(.unauthorized, "no", status: 401), [1, 2, 3], 0, .unknown),
        ] as [(APIError?, [Int], Int, SyncAnswer.Deletions)])
    func itemMissingFromTheListIsRemovedIfTheAPINoLongerHasIt(
        error: APIError?, kept: [Int], removed: Int, deletions: SyncAnswer.Deletions
    ) async throws {
        for pagination in [nil, #"{"style": "offset", "param": "start"}"#] {
            var declaration = Declaration()
            if let pagination { declaration.pagination = pagination }
            let stage = try Stage(declaration)
            let first = try #require(stage.resource.list?.firstPage)
            try Self.serve(stage, [1, 2, 3], on: first)
            try await stage.sync()
            try Self.serve(stage, [1, 3], on: first)
            let two = try Stage.dto("2", "newer")
            stage.remote.setItem { _ in error.map { .failure($0) } ?? .success(two) }
            let answer = try await stage.sync()
            #expect(stage.itemCalls == [.item("2")])
            #expect((answer.removed, answer.deletions, answer.isComplete) == (removed, deletions, true))
            #expect((answer.changed, answer.state.items) == (0, kept.count))
            #expect(try await stage.stored(1...3) == kept)
            if error == nil { #expect(try await stage.stored(2)?.json.text == Stage.text("2", "newer")) }
        }
    }

    /// Gives the remote a list with one page.
    private static func serve(_ stage: Stage, _ ids: [Int], on first: PageToken) throws {
        let items = try ids.map { try Stage.dto(String($0), "new") }
        stage.remote.setPage { request in
            request.page == first
                ? .success(PageDTO(items: items, info: PageInfoDTO(current: first, count: ids.count)))
                : .failure(Stage.notFound)
        }
    }

    @Test func absentItemsAreRequestedInBatches() async throws {
        let stage = try Stage(maxIDs: 2)
        stage.serveList(1...6)
        try await stage.sync()
        stage.serveList([1, 2, 3])
        let five = try Stage.dto("5", "new")
        stage.remote.setItems { .success($0.contains("5") ? [five] : []) }
        let answer = try await stage.sync()
        #expect((answer.removed, answer.requests, answer.deletions, answer.state.items) == (2, 4, .walked, 4))
        #expect(stage.itemCalls == [.items(["4", "5"]), .item("6")])
        #expect(try await stage.stored(1...6) == [1, 2, 3, 5])
    }

    /// Some APIs return nothing for several ids if one of the items does not exist. An error does not mean that.
    @Test(arguments: [(nil, 3), (Stage.failure, 1)] as [(APIError?, Int)])
    func absentItemsAreRequestedOneByOneIfTheBatchReturnsNone(error: APIError?, calls: Int) async throws {
        let stage = try Stage(maxIDs: 2)
        stage.serveList(1...6)
        try await stage.sync()
        stage.serveList([1, 2, 3, 4])
        stage.remote.setItems { _ in error.map { .failure($0) } ?? .success([]) }
        let answer = try await stage.sync()
        #expect(stage.itemCalls == Array([.items(["5", "6"]), .item("5"), .item("6")].prefix(calls)))
        #expect((answer.removed, answer.deletions) == (error == nil ? 2 : 0, error == nil ? .walked : .unknown))
    }

    @Test func requestLimitOfASyncCountsRequestsThatConfirmAbsentItems() async throws {
        let stage = try Stage()
        stage.serveList(1...6)
        try await stage.sync()
        stage.serveList([1, 2])
        let first = try await stage.sync { $0.maxRequests = 3 }
        #expect((first.requests, first.removed, first.deletions) == (3, 2, .unknown))
        #expect(try await stage.stored(1...6).count == 4)
        #expect(first.isComplete == false && first.state.position == nil)
        let second = try await stage.sync { $0.maxRequests = 3 }
        #expect((second.requests, second.removed, second.deletions, second.isComplete) == (3, 2, .walked, true))
    }

    @Test func failedConfirmationDoesNotMakeTheListIncomplete() async throws {
        let stage = try Stage()
        stage.serveList(1...3)
        try await stage.sync()
        stage.serveList(1...2)
        stage.remote.setItem { _ in .failure(Stage.failure) }
        let answer = try await stage.sync { $0.maxRequests = 3 }
        #expect((answer.requests, answer.isComplete, answer.deletions) == (2, true, .unknown))
    }

    @Test func itemThatTheAPICannotConfirmIsRemovedAfterTwoSyncRuns() async throws {
        let stage = try Stage(Declaration(hasGet: false))
        stage.serveList(1...4)
        try await stage.sync()
        stage.serveList([1, 2, 3])
        let first = try await stage.sync()
        #expect((first.removed, first.deletions, first.state.items) == (0, .unknown, 4))
        stage.serveList([1, 2])
        let second = try await stage.sync()
        #expect((second.removed, second.deletions, second.state.items) == (1, .unknown, 3))
        #expect(try await stage.stored(1...4) == [1, 2, 3])
        stage.serveList([1, 2, 3])
        #expect(try await stage.sync().deletions == .walked, "nothing is absent")
        #expect(stage.itemCalls == [])
    }

    @Test func absentItemThatTheAPIStillHasIsKeptIfTheListHasPartialItems() async throws {
        let stage = try Stage(Declaration(isComplete: false))
        stage.serveList(1...3)
        try await stage.sync()
        stage.serveList([1, 3])
        let two = try Stage.dto("2", "whole")
        stage.remote.setItem { _ in .success(two) }
        let kept = try await stage.sync()
        #expect((kept.removed, kept.changed, kept.added, kept.state.items) == (0, 0, 0, 3))
        stage.remote.setItem { _ in .failure(Stage.notFound) }
        let removed = try await stage.sync()
        #expect((removed.removed, removed.state.items, removed.state.isPartial) == (1, 2, false))
    }

    // MARK: Lists that do not shift

    @Test func absentItemOfAListWithCursorsIsRemovedAfterTwoRunsIfItCannotBeRequested() async throws {
        let stage = try Stage(
            Declaration(pagination: #"{"style": "cursor", "param": "c", "next": "next"}"#, hasGet: false))
        stage.serveList(1...5) { $0.hasCursors = true }
        try await stage.sync()
        stage.serveList(1...4) { $0.hasCursors = true }
        let first = try await stage.sync()
        #expect((first.removed, first.deletions, first.isComplete) == (0, .unknown, true))
        let second = try await stage.sync()
        #expect((second.removed, second.deletions) == (1, .walked))
        #expect(try await stage.stored(1...5) == [1, 2, 3, 4])
    }

    @Test func syncOfASinglePageRemovesAbsentItemsWithoutFetchingThem() async throws {
        let stage = try Stage(ServedList.cursors)
        stage.serveList(1...5) { ($0.hasCursors, $0.size) = (true, 5) }
        try await stage.sync()
        stage.serveList([1, 4, 5]) { ($0.hasCursors, $0.size) = (true, 5) }
        let answer = try await stage.sync { $0.maxChanges = 9 }
        #expect((answer.removed, answer.deletions, answer.state.items) == (2, .walked, 3))
        #expect(answer.changes == ["2", "3"].map { SyncAnswer.Change(kind: .removed, id: $0) })
        #expect(try await stage.stored(1...5) == [1, 4, 5])
        #expect(stage.itemCalls == [])
    }

    @Test(arguments: [false, true])
    func itemThatWasFetchedDuringTheRunIsNotRemovedUnlessTheListHasAFilter(isFiltered: Bool) async throws {
        let stage = try Stage(ServedList.cursors)
        func sync() async throws -> SyncAnswer {
            try await stage.sync { $0.filters = isFiltered ? [PageRequest.Filter("name", "new")] : [] }
        }
        stage.serveList(1...3) { ($0.hasCursors, $0.size) = (true, 3) }
        _ = try await sync()
        // The run starts a second later.
        let later = stage.moment(age: -1000)
        stage.persistence.save(
            LocalChange(items: [ItemEntity(key: stage.itemKey("2"), json: Array("{}".utf8), fetchedAt: later)]))
        stage.serveList([3]) { $0.hasCursors = true }
        let answer = try await sync()
        #expect((answer.removed, answer.state.items) == (isFiltered ? (2, 1) : (1, 2)))
        // The items of a filtered list may still exist.
        #expect(try await stage.stored(1...3) == (isFiltered ? [1, 2, 3] : [2, 3]))
    }

    @Test func syncOfAFilteredListDeletesNoItems() async throws {
        let filters = [PageRequest.Filter("name", "new")]
        for (declaration, runs) in [(ServedList.cursors, 1), (ServedList.cursors, 2), (Declaration(), 2)] {
            let stage = try Stage(declaration)
            let hasCursors = declaration.pagination == ServedList.cursors.pagination
            stage.serveList(1...4) { ($0.hasCursors, $0.size) = (hasCursors, runs == 1 ? 4 : 2) }
            try await stage.sync { $0.filters = filters }
            try await stage.sync()
            stage.serveList([1, 2]) { ($0.hasCursors, $0.size) = (hasCursors, runs == 1 ? 4 : 1) }
            for run in 1...runs {
                let answer = try await stage.sync { $0.filters = filters }
                #expect((answer.removed, answer.state.items) == (run == runs ? (2, 2) : (0, 4)))
            }
            let items = try await stage.persistence.read((1...4).map { stage.itemKey(String($0)) })
            #expect(items.map { $0?.isInvalidated } == [false, false, true, true])
            let states = try await stage.cache.syncStates()
            #expect(states.map(\.items) == [2, 4] && states.allSatisfy { !$0.isPartial })
            #expect(stage.itemCalls == [])
        }
    }

    // MARK: Large removals

    @Test(
        arguments: [(100, 0, nil), (101, 51, nil), (101, 50, 51), (102, 51, nil), (102, 1, 101)] as [(Int, Int, Int?)])
    func oneSyncDoesNotRemoveMoreThanHalfOfALargeList(size: Int, left: Int, held: Int?) async throws {
        let stage = try Stage(ServedList.cursors)
        stage.serveList(1...size) { ($0.hasCursors, $0.size) = (true, 50) }
        try await stage.sync()
        stage.serveList(1...size) { ($0.hasCursors, $0.size, $0.ids) = (true, 50, Array($0.ids.prefix(left))) }
        let answer = try await stage.sync()
        #expect(answer.held == held)
        guard let held else {
            #expect((answer.removed, answer.state.items) == (size - left, left))
            #expect(stage.warnings.withLock { $0 } == [])
            return
        }
        #expect((answer.removed, answer.deletions, answer.state.items) == (0, .unknown, size))
        #expect(stage.warnings.withLock { $0.first?.contains("\(held) of \(size) items") } == true)
        #expect(try await stage.stored(left)?.isInvalidated == false)
        #expect(try await stage.stored(left + 1)?.isInvalidated == true)
        #expect(try await stage.sync().held == held, "the items are held until the caller accepts their removal")
        let accepted = try await stage.sync { $0.acceptsRemovals = true }
        #expect((accepted.held, accepted.removed, accepted.state.items) == (nil, held, left))
        #expect(try await stage.stored(1...size).count == left)
    }

    @Test func noItemIsRemovedUntilTheListContainsTheAbsentItemsAgain() async throws {
        let stage = try Stage(ServedList.cursors)
        func serve(_ count: Int, _ change: (inout ServedList) -> Void = { _ in }) {
            stage.serveList(1...count) { list in
                (list.hasCursors, list.size) = (true, 200)
                change(&list)
            }
        }
        serve(101)
        try await stage.sync()
        serve(1)
        let first = try await stage.sync()
        #expect((first.held, first.isComplete, first.state.isWhole) == (100, nil, false))
        let recent = try await stage.sync { $0.maxAge = 3_600_000 }
        #expect((recent.mode, recent.isComplete) == (.none, nil))
        serve(60) { $0.count = 101 }
        let incomplete = try await stage.sync()
        #expect((incomplete.isComplete, incomplete.held, incomplete.state.isHeld) == (false, nil, true))
        serve(60) { $0.errors = [1: Stage.failure] }
        await #expect(throws: SyncError.self) { try await stage.sync() }
        serve(60)
        let few = try await stage.sync()
        #expect((few.held, few.removed, few.state.isHeld) == (41, 0, true), "fewer than half are absent now")
        serve(101)
        #expect(try await stage.sync().state.isHeld == false)
        serve(60)
        #expect(try await stage.sync().removed == 41)
    }

    /// The API may sort the list by a value that changes, so that an item moves past the cursor of a page.
    /// An unchanged number of items proves nothing, because other items may have been added and deleted.
    @Test(arguments: [true, false])
    func absentItemOfAListWithCursorsIsRequestedFromTheAPI(isCounted: Bool) async throws {
        let stage = try Stage(ServedList.cursors)
        func serve(_ ids: some Sequence<Int> & Collection<Int>) {
            stage.serveList(ids) { ($0.hasCursors, $0.count) = (true, isCounted ? ids.count : nil) }
        }
        serve(1...5)
        try await stage.sync()
        serve(1...4)
        stage.remote.setItem { _ in (try? Stage.dto("5", "new")).map { .success($0) } ?? .failure(Stage.failure) }
        let answer = try await stage.sync()
        #expect((answer.removed, answer.deletions) == (0, .walked))
        #expect(stage.itemCalls == [.item("5")])
    }

    @Test func failedConfirmationIsLogged() async throws {
        let stage = try Stage()
        stage.serveList(1...5)
        try await stage.sync()
        stage.serveList(1...4)
        stage.remote.setItem { _ in .failure(Stage.failure) }
        let answer = try await stage.sync()
        #expect((answer.removed, answer.deletions, answer.isComplete) == (0, .unknown, true))
        #expect(
            stage.warnings.withLock { $0 } == [
                "sync: 'thing': cannot check whether an item that the list lacks still exists: the item '5' could not be"
                    + " fetched: reset; the copy keeps the item, and the next sync checks again"
            ])
    }

    @Test func absentItemWithAFetchTimeInTheFutureIsRemoved() async throws {
        let stage = try Stage(ServedList.cursors)
        stage.serveList(1...5) { $0.hasCursors = true }
        stage.clock.advance(milliseconds: 1_000_000)
        try await stage.sync()
        stage.clock.advance(milliseconds: -900_000)
        stage.serveList(1...4) { $0.hasCursors = true }
        let answer = try await stage.sync()
        #expect((answer.removed, answer.deletions) == (1, .walked))
    }

    @Test func absentItemsAreRemovedInSeveralBatches() async throws {
        let stage = try Stage(ServedList.cursors)
        stage.serveList(1...502) { ($0.hasCursors, $0.size) = (true, 1000) }
        try await stage.sync()
        stage.serveList([1]) { $0.hasCursors = true }
        let answer = try await stage.sync { $0.acceptsRemovals = true }
        #expect((answer.removed, answer.deletions, answer.state.items) == (501, .walked, 1))
    }

    @Test(arguments: [(1000, 1000), (1001, 0)])
    func atMostAThousandAbsentItemsAreRequestedFromTheAPI(absent: Int, removed: Int) async throws {
        let stage = try Stage()
        stage.serveList(1...absent + 1) { $0.size = 2000 }
        try await stage.sync()
        stage.serveList([1])
        let answer = try await stage.sync { $0.acceptsRemovals = true }
        #expect((answer.removed, stage.itemCalls.count) == (removed, removed))
        #expect(answer.deletions == (removed > 0 ? .walked : .unknown))
    }

    @Test func keptItemIsFreshAgainOnceTheListContainsIt() async throws {
        let stage = try Stage(ServedList.cursors)
        stage.serveList(1...101) { ($0.hasCursors, $0.size) = (true, 200) }
        try await stage.sync()
        stage.serveList([1]) { $0.hasCursors = true }
        #expect(try await stage.sync().held == 100)
        stage.serveList(1...101) { ($0.hasCursors, $0.size) = (true, 200) }
        let answer = try await stage.sync()
        #expect((answer.held, answer.added, answer.changed, answer.removed) == (nil, 0, 0, 0))
        #expect(try await stage.stored(7)?.isInvalidated == false)
    }

    // MARK: Incomplete lists

    /// A list that may lack items. `isComplete` is false if it certainly lacks some.
    struct Incomplete: Sendable {
        let name: String
        var declaration = ServedList.cursors
        var isComplete: Bool?
        let list: @Sendable (inout ServedList) -> Void
    }

    private static let skipping = Declaration(
        pagination: ServedList.cursors.pagination, more: #""onMismatch": "skip","#)

    static let incomplete = [
        Incomplete(name: "an invalid item is skipped", declaration: skipping, isComplete: false) { $0.invalid = [3] },
        Incomplete(name: "the count is larger", isComplete: false) { $0.count = 4 },
        Incomplete(name: "the count is smaller", isComplete: nil) { $0.count = 2 },
        Incomplete(name: "an item is listed twice", isComplete: nil) { $0.ids = [1, 2, 3, 1] },
        Incomplete(name: "a page is repeated", isComplete: false) { $0.ids = [1, 2, 1, 2, 3] },
        Incomplete(name: "a page is missing", isComplete: false) { $0.errors = [2: Stage.notFound] },
        Incomplete(name: "the list has no pages", declaration: Declaration(pagination: nil), isComplete: nil) {
            ($0.hasCursors, $0.size) = (false, 9)
        },
    ]

    @Test(arguments: incomplete.indices)
    func syncOfAnIncompleteListRemovesNoItems(_ index: Int) async throws {
        let row = Self.incomplete[index]
        let stage = try Stage(row.declaration)
        stage.serveList(1...5) { ($0.hasCursors, $0.size) = (row.declaration.pagination != nil, 9) }
        try await stage.sync()
        let whole = try await stage.cache.syncStates().first?.wholeAt
        let before = stage.clock.now()
        stage.serveList(1...3) { list in
            list.hasCursors = true
            row.list(&list)
        }
        let answer = try await stage.sync()
        #expect(answer.isComplete == row.isComplete, "\(row.name)")
        #expect((answer.removed, answer.deletions, answer.held) == (0, .unknown, nil), "\(row.name)")
        #expect(answer.state.syncedAt == (row.isComplete == false ? before : stage.clock.now()), "\(row.name)")
        #expect(answer.state.wholeAt == whole && answer.state.position == nil, "\(row.name)")
        #expect(try await stage.stored(1...5) == [1, 2, 3, 4, 5], "\(row.name)")
    }

    @Test func listWhoseCountChangesMayLackItems() async throws {
        let stage = try Stage(ServedList.cursors)
        stage.serveList(1...4) { ($0.hasCursors, $0.count) = (true, 4) }
        _ = try await stage.sync { $0.maxRequests = 1 }
        stage.serveList(1...3) { ($0.hasCursors, $0.count) = (true, 3) }
        #expect(try await stage.sync().isComplete == nil)
    }
}
