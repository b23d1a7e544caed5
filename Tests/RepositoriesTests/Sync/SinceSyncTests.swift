import DataSources
import Mocks
import System
import TestSupport
import Testing

@testable import Catalog
@testable import Model
@testable import Repositories

/// Tests syncs that ask only for the changes of a list.
@Suite(.limited) struct SinceSyncTests {
    private static let keys = #""style": "since", "param": "since", "from": "n", "type": "integer""#

    /// Creates a stage whose list declares `sync`. Its remote returns the given elements, in their order, five a page.
    static func stage(
        _ sync: String = #""ascending": true, "deleted": {"when": "gone"}"#, shared: SharedLevelDouble? = nil
    ) throws -> Stage {
        try Stage(
            Declaration(
                pagination: #"{"style": "page", "param": "page", "more": "more"}"#, sync: "{\(keys), \(sync)}"),
            shared: shared)
    }

    /// Gives the remote a list, and the elements that it returns for changes. A request for changes gets the elements
    /// whose value is at least the requested one.
    static func serve(_ stage: Stage, _ whole: [(id: Int, n: Int)], changes: [(Int, Int, Bool)] = []) {
        stage.remote.setPage { request in
            let isWhole = !request.filters.contains { $0.name == SyncDefinition.filter }
            return page(request, isWhole ? whole.map { ($0.id, $0.n, false) } : changes)
        }
        stage.remote.setItem { _ in .failure(Stage.notFound) }
    }

    /// Returns a page of five of the elements whose value is at least the requested one.
    private static func page(_ request: PageRequest, _ elements: [(Int, Int, Bool)]) -> Result<PageDTO, APIError> {
        let since = request.filters.first { $0.name == SyncDefinition.filter }.flatMap { Int($0.value.plainText) }
        let number = if case .number(let number) = request.page { number } else { 1 }
        let asked = elements.filter { $0.1 >= since ?? .min }.sorted { $0.1 < $1.1 }
        guard
            let items = try? asked.map({ id, n, isGone in
                try Stage.dto(#"{"id":\#(id),\#(isGone ? #""gone":1"# : #""name":"v\#(n)""#),"n":\#(n)}"#)
            })
        else { return .failure(RemoteDataSourceMock.notConfigured) }
        let start = (number - 1) * 5
        let end = min(start + 5, items.count)
        let page = start < end ? Array(items[start..<end]) : []
        let next = end < items.count ? PageToken.number(number + 1) : nil
        return .success(PageDTO(items: page, info: PageInfoDTO(current: request.page, next: next)))
    }

    /// The requests for changes as `since/page`; `-` for a request without a value.
    static func requests(_ stage: Stage) -> [String] {
        stage.remote.calls.compactMap { call in
            guard case .page(let request) = call else { return nil }
            let page = if case .number(let page) = request.page { page } else { 1 }
            let since = request.filters.first { $0.name == SyncDefinition.filter }
            return "\(since?.value.plainText ?? "-")/\(page)"
        }
    }

    @Test func changesAreRequestedSinceTheLargestValue() async throws {
        let stage = try Self.stage()
        Self.serve(stage, [(1, 10), (2, 20)], changes: [(2, 20, false), (3, 30, false), (1, 40, true)])
        let first = try await stage.sync()
        #expect((first.mode, first.added, first.isComplete, first.deletions) == (.whole, 2, true, .walked))
        #expect(first.state.mark?.value == "20" && first.state.mark?.isComplete == true)
        let wholeAt = stage.clock.now()
        let second = try await stage.sync { $0.maxChanges = 10 }
        #expect((second.mode, second.isComplete, second.deletions) == (.since, true, .told))
        #expect((second.added, second.changed, second.removed, second.state.items) == (1, 0, 1, 2))
        #expect(second.state.wholeAt == wholeAt && second.state.syncedAt == stage.clock.now())
        #expect(second.state.isWhole && second.state.mark?.value == "40")
        #expect(try await stage.stored(1...3) == [2, 3])
        #expect(Self.requests(stage) == ["-/1", "20/1"])
    }

    @Test func onlyPagesOfTheWholeListAreStored() async throws {
        let stage = try Self.stage()
        Self.serve(stage, [(1, 10)], changes: [(2, 20, false)])
        var stored: [Bool] = []
        for _ in 0..<2 {
            try await stage.sync()
            guard case .page(let request)? = stage.remote.calls.last else { return #expect(Bool(false)) }
            stored.append(try await stage.persistence.read(stage.pageKey(request)) != nil)
        }
        #expect(stored == [true, false])
    }

    @Test(arguments: [true, false]) func pageWithADeletedItemIsNotStored(hasDeleted: Bool) async throws {
        let stage = try Self.stage()
        stage.remote.setPage { request in Self.page(request, [(1, 10, false), (2, 20, hasDeleted)]) }
        try await stage.sync()
        guard case .page(let request)? = stage.remote.calls.last else { return #expect(Bool(false)) }
        #expect((try await stage.persistence.read(stage.pageKey(request)) != nil) == !hasDeleted)
    }

    @Test func nextRequestAsksForChangesSinceTheLargestReceivedValue() async throws {
        let stage = try Self.stage()
        Self.serve(stage, (1...12).map { ($0, $0 * 10) }, changes: (1...12).map { ($0, 200 + $0 * 10, false) })
        #expect(try await stage.sync().isComplete == true)
        #expect(Self.requests(stage) == ["-/1", "-/2", "-/3"])
        #expect(try await stage.sync().isComplete == true)
        // A page shares its last element with the next.
        #expect(Self.requests(stage).dropFirst(3) == ["50/1", "250/1", "290/1"])
        #expect(try await stage.sync().requests == 1)
    }

    /// While the first page is read, one of its items changes. The items after it move to earlier pages.
    @Test func changeThatMovesToAnEarlierPageIsRead() async throws {
        let stage = try Self.stage()
        Self.serve(stage, [(1, 10)])
        try await stage.sync()
        let before = (1...12).map { ($0, $0 * 100, false) }
        let after = before.filter { $0.0 != 3 } + [(3, 1300, false)]
        stage.remote.setPage { request in
            let isFirst = request.filters.first { $0.name == SyncDefinition.filter }?.value.plainText == "10"
            return Self.page(request, isFirst ? before : after)
        }
        let answer = try await stage.sync()
        #expect((answer.mode, answer.isComplete, answer.state.items) == (.since, true, 12))
        #expect(answer.state.mark?.value == "1300")
    }

    /// The item that came twice has moved others to an earlier page.
    @Test func syncRunThatMayLackItemsSetsTheMarkFromTheFirstPage() async throws {
        let stage = try Self.stage()
        let elements = [(1, 10), (2, 20), (3, 30), (4, 40), (5, 50), (1, 60), (7, 70)]
        Self.serve(stage, elements, changes: elements.dropFirst(4).map { ($0.0, $0.1, false) } + [(6, 55, false)])
        let first = try await stage.sync()
        #expect((first.isComplete, first.state.mark?.value, first.state.mark?.isComplete) == (nil, "50", false))
        let second = try await stage.sync()
        #expect((second.mode, second.isComplete, second.added) == (.since, nil, 1))
    }

    @Test func wholeListIsReadIfTheAPIRefusesTheRequestForChanges() async throws {
        let stage = try Self.stage()
        Self.serve(stage, [(1, 10)])
        try await stage.sync()
        stage.remote.setPage { request in
            request.filters.isEmpty ? Self.page(request, [(1, 10, false), (2, 20, false)]) : .failure(Stage.notFound)
        }
        let answer = try await stage.sync()
        #expect((answer.mode, answer.isComplete, answer.added, answer.requests) == (.whole, true, 1, 2))
        #expect(stage.warnings.withLock { $0 }.contains { $0.contains("refused the request for changes since '10'") })
    }

    /// The request limit ends the run through the whole list that follows the refused request.
    @Test(arguments: [1, 2]) func refusedSyncMarkIsNotUsedAgain(limit: Int) async throws {
        let stage = try Self.stage()
        Self.serve(stage, (1...12).map { ($0, $0 * 10) })
        try await stage.sync()
        stage.remote.setPage { request in
            request.filters.isEmpty
                ? Self.page(request, (1...12).map { ($0, $0 * 10, false) }) : .failure(Stage.notFound)
        }
        let limited = try await stage.sync { $0.maxRequests = limit }
        #expect((limited.mode, limited.isComplete, limited.requests) == (.whole, false, limit))
        #expect(limited.state.mark == nil)
        let count = Self.requests(stage).count
        #expect(try await stage.sync().mode == .whole)
        #expect(Self.requests(stage)[count...].allSatisfy { $0.hasPrefix("-/") })
    }

    @Test(arguments: [
        (APIError.Kind.invalidRequest, true), (.notFound, true), (.network, false), (.unauthorized, false),
    ])
    func onlyARefusalOfTheRequestForChangesCausesAReadOfTheWholeList(
        kind: APIError.Kind, isReplaced: Bool
    ) async throws {
        let stage = try Self.stage()
        Self.serve(stage, [(1, 10)])
        try await stage.sync()
        stage.remote.setPage { request in
            request.filters.isEmpty ? Self.page(request, [(1, 10, false)]) : .failure(APIError(kind, "no", status: 404))
        }
        let mode = try? await stage.sync().mode
        #expect(mode == (isReplaced ? .whole : nil))
    }

    /// With dates, a sync can detect that a change is older than its own start.
    @Test(arguments: [(true, "integer", "3"), (false, "integer", "2"), (false, "date", "3"), (true, "date", "3")])
    func syncMarkIsTheLargestUsableValue(isAscending: Bool, type: String, expected: String) throws {
        let unit = type == "date" ? #", "unit": "ms""# : ""
        let keys = #""style": "since", "param": "since", "from": "n", "type": "\#(type)"\#(unit)"#
        let since = try #require(
            try Stage(Declaration(sync: "{\(keys), \"ascending\": \(isAscending)}")).resource.sync?.since)
        func value(_ text: Int) throws -> SinceValue { try #require(since.value("\(text)")) }
        // The pages lack deleted items, whose sequence numbers may be smaller than those of later pages.
        var lacking = SinceMarks(since, start: Timestamp(milliseconds: 3), mark: try value(0), lacksDeletions: true)
        lacking.add([try value(1), try value(2)], isFirstPage: true)
        lacking.add([try value(3)], isFirstPage: false)
        #expect(lacking.mark?.text == (type == "date" ? "3" : "2"))
        var marks = SinceMarks(since, start: Timestamp(milliseconds: 3), mark: try value(0))
        marks.add([try value(1), try value(2)], isFirstPage: true)
        marks.add([try value(3), try value(1)], isFirstPage: false)
        #expect(marks.mark?.text == expected)
        #expect(marks.certain(shifts: false)?.text == expected)
        #expect(marks.certain(shifts: true)?.text == (isAscending ? "2" : expected))
        marks.add([try value(4)], isFirstPage: false)
        #expect(marks.mark?.text == (type == "date" ? "3" : isAscending ? "4" : "2"))
        #expect(marks.ignored == nil)
        marks.add([try value(Int(SinceMarks.maxFuture) + 3)], isFirstPage: false)
        #expect(marks.ignored == nil)
        marks.add([try value(Int(SinceMarks.maxFuture) + 4)], isFirstPage: false)
        #expect((marks.ignored != nil) == (type == "date"))
    }

    /// An item of the first page may have changed while the later page was requested.
    @Test(
        arguments: [
            (0, 3, 40), (-999, 3, 40), (-15_000, 3, 30), (-3_600_000, 3, nil), (3_600_000, 3, 40), (-15_000, 1, 20),
        ] as [(Int, Int, Int?)])
    func syncMarkIsNeverLaterThanTheDateOfTheFirstAnswer(skew: Int, size: Int, expected: Int?) async throws {
        let stage = try Stage(
            Declaration(
                pagination: #"{"style": "cursor", "param": "c", "next": "next"}"#,
                sync: #"{"style": "since", "param": "since", "from": "n", "unit": "ms", "overlap": 0}"#))
        let start = Int(stage.clock.now().milliseconds) + 1000
        func value(_ seconds: Int) -> Int { start - 50_000 + seconds * 1000 }
        let values = [20, 10, 40, 30].map(value)
        stage.remote.setPage { [clock = stage.clock] request in
            let isFirst = request.page == .first
            // The API needs 6 s for the first page if it is small, so its list may be as old.
            if isFirst, size == 1 { clock.advance(milliseconds: 6000) }
            let some = isFirst ? Array(values.prefix(size)) : Array(values.dropFirst(size))
            guard let items = try? some.map({ try Stage.dto(#"{"id":\#($0),"name":"x","n":\#($0)}"#) }) else {
                return .failure(RemoteDataSourceMock.notConfigured)
            }
            let info = PageInfoDTO(current: request.page, next: isFirst ? .opaque("c") : nil)
            var page = PageDTO(items: items, info: info)
            page.date = Timestamp(milliseconds: Int64(start + skew))
            return .success(page)
        }
        #expect(try await stage.sync().state.mark?.value == expected.map { "\(value($0))" })
    }

    /// The catalog declares an overlap of 5 s.
    @Test(arguments: [(-3_600_000, true), (-6_001, true), (-6_000, false), (0, false), (nil, false)] as [(Int?, Bool)])
    func wholeListIsReadIfTheClockOfTheAPIWasSetBack(skew: Int?, isWhole: Bool) async throws {
        let stage = try Stage(
            Declaration(
                pagination: #"{"style": "cursor", "param": "c", "next": "next"}"#,
                sync: #"{"style": "since", "param": "since", "from": "n", "unit": "ms", "overlap": "5s"}"#))
        let now = stage.clock.now().milliseconds
        func serve(_ date: Timestamp?) {
            stage.remote.setPage { _ in
                guard let item = try? Stage.dto(#"{"id":1,"name":"x","n":\#(now)}"#) else {
                    return .failure(RemoteDataSourceMock.notConfigured)
                }
                var page = PageDTO(items: [item], info: PageInfoDTO(current: .first))
                page.date = date
                return .success(page)
            }
        }
        serve(nil)
        #expect(try await stage.sync().state.mark?.value == "\(now)")
        serve(skew.map { Timestamp(milliseconds: now + Int64($0)) })
        let answer = try await stage.sync()
        #expect((answer.mode, answer.isComplete) == (isWhole ? .whole : .since, true))
        #expect(stage.warnings.withLock { $0.contains { $0.contains("the API's clock has not reached") } } == isWhole)
    }

    /// The API's clock may have passed the mark again before the next run.
    @Test func markIsForgottenIfTheRunAfterASetBackClockFails() async throws {
        let stage = try Stage(
            Declaration(
                pagination: #"{"style": "cursor", "param": "c", "next": "next"}"#,
                sync: #"{"style": "since", "param": "since", "from": "n", "unit": "ms", "overlap": "5s"}"#))
        let now = stage.clock.now().milliseconds
        func serve(skew: Int64, wholeFails: Bool) {
            stage.remote.setPage { request in
                if wholeFails, !request.filters.contains(where: { $0.name == SyncDefinition.filter }) {
                    return .failure(Stage.failure)
                }
                guard let item = try? Stage.dto(#"{"id":1,"name":"x","n":\#(now)}"#) else {
                    return .failure(RemoteDataSourceMock.notConfigured)
                }
                var page = PageDTO(items: [item], info: PageInfoDTO(current: .first))
                page.date = Timestamp(milliseconds: now + skew)
                return .success(page)
            }
        }
        serve(skew: 0, wholeFails: false)
        try await stage.sync()
        serve(skew: -3_600_000, wholeFails: true)
        await #expect(throws: SyncError.self) { try await stage.sync() }
        serve(skew: 0, wholeFails: false)
        #expect(try await stage.sync().mode == .whole)
    }

    @Test func syncMarkIsNeverLaterThanTheStartOfTheSync() async throws {
        let stage = try Stage(
            Declaration(
                pagination: nil,
                sync: #"{"style": "since", "param": "since", "from": "n", "unit": "ms", "ascending": true}"#))
        let now = Int(stage.clock.now().milliseconds)
        Self.serve(stage, [(1, now - 10), (2, now), (3, now + 3_600_000)])
        #expect(try await stage.sync().state.mark?.value == "\(now)")
        #expect(stage.warnings.withLock { $0 }.isEmpty)
        Self.serve(stage, [], changes: [(4, now + 2 * Int(SinceMarks.maxFuture), false)])
        #expect(try await stage.sync().state.mark?.value == "\(now)")
        #expect(stage.warnings.withLock { $0 }.contains { $0.contains("ignored the change time") })
    }

    @Test func pagesOfChangesWithEqualValuesAreRequestedByPageNumber() async throws {
        let stage = try Self.stage()
        let elements = (1...12).map { ($0, 7, false) }
        Self.serve(stage, elements.map { ($0.0, $0.1) }, changes: elements)
        #expect(try await stage.sync().isComplete == true)
        #expect(Self.requests(stage) == ["-/1", "-/2", "-/3"])
        #expect(try await stage.sync().isComplete == nil)
        #expect(Self.requests(stage).dropFirst(3) == ["7/1", "7/2", "7/3"])
    }

    @Test func syncMarkOfAnUnsortedListComesFromTheFirstPageAndIsStoredAfterTheRun() async throws {
        let stage = try Self.stage(#""deleted": {"when": "gone"}"#)
        let elements = (1...7).map { ($0, $0 * 10, false) }
        Self.serve(stage, elements.map { ($0.0, $0.1) }, changes: elements)
        // Another change can be missing, because the items of the first page may have changed since.
        #expect(try await stage.sync().state.mark?.value == "50")
        Self.serve(stage, [], changes: (1...7).map { ($0, $0 * 100, false) })
        let answer = try await stage.sync()
        #expect((answer.isComplete, answer.changed, answer.state.mark?.value) == (true, 7, "500"))
    }

    @Test func wholeListIsReadAfterARunThatEndedBeforeItMovedTheMark() async throws {
        let stage = try Self.stage(#""deleted": {"when": "gone"}"#)
        let changed = (1...7).map { ($0, $0 * 100, false) }
        Self.serve(stage, (1...7).map { ($0, $0 * 10) }, changes: changed)
        try await stage.sync()
        let partial = try await stage.sync { $0.maxRequests = 1 }
        #expect((partial.mode, partial.isComplete, partial.changed) == (.since, false, 5))
        #expect(partial.state.mark == nil && partial.deletions == .unknown)
        Self.serve(stage, changed.map { ($0.0, $0.1) })
        let rest = try await stage.sync()
        #expect((rest.mode, rest.isComplete, rest.changed, rest.state.mark?.value) == (.whole, true, 2, "500"))
    }

    @Test func syncMarkOfASortedListMovesWithEachPage() async throws {
        let stage = try Self.stage()
        Self.serve(stage, [(1, 10)], changes: (1...7).map { ($0, $0 * 100, false) })
        try await stage.sync()
        let partial = try await stage.sync { $0.maxRequests = 1 }
        #expect((partial.isComplete, partial.state.mark?.value, partial.state.position) == (false, "500", nil))
        #expect(try await stage.sync().added == 2)
        #expect(Self.requests(stage) == ["-/1", "10/1", "500/1"])
    }

    @Test func lastOfSeveralChangesOfAnItemApplies() async throws {
        let stage = try Self.stage()
        Self.serve(
            stage, [(1, 10), (2, 11)],
            changes: [(1, 20, true), (1, 21, false), (2, 22, false), (2, 23, true), (9, 24, true)])
        try await stage.sync()
        let answer = try await stage.sync()
        #expect((answer.changed, answer.removed, answer.state.items) == (1, 1, 1))
        #expect(try await stage.stored(1...9) == [1])
    }

    @Test(arguments: [true, false]) func syncMarkDoesNotMovePastAnInvalidItem(isAscending: Bool) async throws {
        let stage = try Stage(
            Declaration(
                pagination: nil, more: #""onMismatch": "skip","#,
                sync: #"{\#(Self.keys), "ascending": \#(isAscending)}"#))
        stage.remote.setPage { request in
            let text = request.filters.isEmpty ? #"{"id":1,"name":"a","n":1}"# : #"{"id":2,"name":7,"n":2}"#
            let items = (try? [Stage.dto(text)]) ?? []
            return .success(PageDTO(items: items, info: PageInfoDTO(current: request.page)))
        }
        #expect(try await stage.sync().isComplete == nil)
        let answer = try await stage.sync()
        #expect((answer.mode, answer.isComplete, answer.state.mark?.value) == (.since, false, "1"))
    }

    @Test func changesAreRequestedEvenIfTheListHasNoKnownEnd() async throws {
        let stage = try Stage(Declaration(pagination: nil, sync: "{\(Self.keys)}"))
        Self.serve(stage, [(1, 10)], changes: [(2, 20, false)])
        #expect(try await stage.sync().isComplete == nil)
        let answer = try await stage.sync()
        #expect((answer.mode, answer.added, answer.isComplete, answer.deletions) == (.since, 1, nil, .unknown))
        #expect(!answer.state.isWhole)
    }

    @Test(
        arguments: [
            { $0.startsOver = true }, { $0.acceptsRemovals = true },
            { $0.filters = [.init("name", "a")] },
        ] as [@Sendable (inout SyncRequest) -> Void])
    func wholeListIsReadIfTheRequestRequiresIt(change: @Sendable (inout SyncRequest) -> Void) async throws {
        let stage = try Self.stage()
        Self.serve(stage, [(1, 10)], changes: [])
        for _ in 0..<2 { try await stage.sync(change) }
        #expect(Self.requests(stage) == ["-/1", "-/1"])
    }

    @Test func wholeListIsReadIfTheLastWholeRunIsOld() async throws {
        let stage = try Self.stage(#""ascending": true, "whole": "1h""#)
        Self.serve(stage, [(1, 10)], changes: [(1, 10, false)])
        try await stage.sync()
        stage.clock.advance(milliseconds: Stage.hour - 1000)
        #expect(try await stage.sync().mode == .since)
        #expect(try await stage.sync().mode == .whole)
    }

    @Test func wholeListIsReadIfTheMarkIsInTheFuture() async throws {
        let stage = try Stage(
            Declaration(
                pagination: nil,
                sync: #"{"style": "since", "param": "since", "from": "n", "type": "date", "unit": "ms"}"#))
        let now = stage.clock.now().milliseconds
        Self.serve(stage, [(1, Int(now))], changes: [])
        try await stage.sync()
        stage.clock.advance(milliseconds: -SinceMarks.maxFuture - 2000)
        #expect(try await stage.sync().mode == .since)
        stage.clock.advance(milliseconds: -1001)
        #expect(try await stage.sync().mode == .whole)
        #expect(stage.warnings.withLock { $0 }.contains { $0.contains("'\(now)' is in the future") })
    }

    @Test func wholeListIsReadIfTheCopyHasLostAnItem() async throws {
        let stage = try Self.stage()
        Self.serve(stage, [(1, 10), (2, 20)], changes: [(2, 20, false)])
        try await stage.sync()
        stage.persistence.remove(stage.itemKey("1"))
        #expect(try await stage.sync().mode == .whole)
        #expect(try await stage.sync().mode == .since)
    }

    @Test func interruptedRunThroughTheWholeListIsContinuedBeforeChangesAreRequested() async throws {
        let stage = try Self.stage()
        Self.serve(stage, (1...7).map { ($0, $0 * 10) })
        try await stage.sync()
        Self.serve(stage, (1...7).map { ($0, $0 * 100) })
        let stopped = try await stage.sync { ($0.startsOver, $0.maxRequests) = (true, 1) }
        #expect((stopped.isComplete, stopped.state.mark?.value) == (false, "50"))
        #expect(try await stage.sync().mode == .whole)
        #expect(Self.requests(stage) == ["-/1", "-/2", "-/1", "-/2"])
    }

    @Test func wholeListIsReadWhileTheRemovalOfItemsIsSuspended() async throws {
        let stage = try Self.stage()
        Self.serve(stage, (1...101).map { ($0, $0) })
        try await stage.sync()
        Self.serve(stage, [(1, 1)])
        #expect(try await stage.sync { $0.startsOver = true }.held == 100)
        #expect(try await stage.sync().mode == .whole)
    }

    @Test func continuedRunThroughTheWholeListSetsTheMarkOfItsFirstPage() async throws {
        let stage = try Self.stage(#""deleted": {"when": "gone"}"#)
        Self.serve(stage, (1...7).map { ($0, $0 * 10) })
        _ = try await stage.sync { $0.maxRequests = 1 }
        let answer = try await stage.sync()
        #expect((answer.isComplete, answer.requests, answer.state.mark?.value) == (nil, 1, "50"))
    }

    /// The first run through the list was interrupted, so that it is not known which items were deleted meanwhile.
    @Test(arguments: [true, false])
    func changesMakeACopyCompleteAfterAnInterruptedRunIfTheAPIReportsDeletions(isReported: Bool) async throws {
        let deleted = isReported ? #", "deleted": {"when": "gone"}"# : ""
        let stage = try Stage(
            Declaration(
                pagination: #"{"style": "cursor", "param": "c", "next": "next"}"#, sync: "{\(Self.keys)\(deleted)}"))
        stage.remote.setPage { request in
            let isWhole = !request.filters.contains { $0.name == SyncDefinition.filter }
            let ids = !isWhole ? [] : request.page == .first ? [1, 2] : [3]
            let items = try? ids.map { try Stage.dto(#"{"id":\#($0),"name":"x","n":\#($0)}"#) }
            let next: PageToken? = isWhole && request.page == .first ? .opaque("c") : nil
            return .success(PageDTO(items: items ?? [], info: PageInfoDTO(current: request.page, next: next)))
        }
        let first = try await stage.sync { $0.maxRequests = 1 }
        #expect((first.isComplete, first.state.mark) == (false, nil))
        let start = stage.clock.now()
        let continued = try await stage.sync()
        #expect((continued.isComplete, continued.state.wholeAt, continued.state.mark?.value) == (nil, nil, "2"))
        let last = try await stage.sync()
        #expect((last.mode, last.isComplete) == (.since, isReported ? true : nil))
        #expect(last.state.wholeAt == (isReported ? start : nil) && last.state.isWhole == isReported)
        #expect(try await stage.sync().isComplete == (isReported ? true : nil))
    }

    /// Items have moved between the pages of changes, so the run may have missed one.
    @Test func stoppedRunThatMayLackChangesLeavesACopyThatIsNotComplete() async throws {
        let stage = try Self.stage()
        Self.serve(stage, (1...3).map { ($0, $0) })
        let first = try await stage.sync()
        #expect(first.isComplete == true && first.state.isWhole)
        Self.serve(stage, [], changes: (1...12).map { ($0, 7, false) } + [(13, 8, false)])
        let stopped = try await stage.sync { $0.maxRequests = 2 }
        #expect((stopped.isComplete, stopped.state.mark?.isComplete, stopped.state.isWhole) == (false, false, false))
        #expect(try await stage.sync().isComplete == nil)
    }

    /// The API would not report a deletion before the mark again.
    @Test(arguments: [true, false])
    func wholeListIsReadAgainIfAnAbsenceCouldNotBeChecked(isReported: Bool) async throws {
        let stage = try Self.stage(
            isReported ? #""ascending": true, "deleted": {"when": "gone"}"# : #""ascending": true"#)
        Self.serve(stage, [(1, 10), (2, 20)])
        try await stage.sync()
        Self.serve(stage, [(2, 20)])
        stage.remote.setItem { _ in .failure(Stage.failure) }
        let answer = try await stage.sync { $0.startsOver = true }
        #expect((answer.removed, answer.isComplete, answer.deletions) == (0, true, .unknown))
        #expect((answer.state.mark == nil) == isReported)
        #expect(try await stage.sync().mode == (isReported ? .whole : .since))
    }

    @Test func wholeListIsReadIfTheLastRunThroughItIsInTheFuture() async throws {
        let stage = try Self.stage()
        Self.serve(stage, [(1, 10)])
        try await stage.sync()
        stage.clock.advance(milliseconds: -2 * SinceMarks.maxFuture - 1000)
        #expect(try await stage.sync().mode == .since)
        stage.clock.advance(milliseconds: -1001)
        #expect(try await stage.sync().mode == .whole)
    }

    @Test func wholeListIsReadAWeekAfterAnInterruptedRun() async throws {
        let stage = try Self.stage(#""deleted": {"when": "gone"}, "whole": "30d""#)
        Self.serve(stage, (1...7).map { ($0, $0 * 10) })
        _ = try await stage.sync { $0.maxRequests = 1 }
        _ = try await stage.sync()
        stage.clock.advance(milliseconds: 7 * 86_400_000 - 2000)
        #expect(try await stage.sync().mode == .since)
        #expect(try await stage.sync().isComplete == true)
        stage.clock.advance(milliseconds: 20 * 86_400_000)
        #expect(try await stage.sync().mode == .since)
    }

    /// If an item leaves the changes while they are read, another item moves to a page that the run has already read.
    @Test(arguments: [(12, true, "205"), (11, nil, "50")] as [(Int, Bool?, String)])
    func syncMarkIsKeptIfTheChangeCountDiffersBetweenPages(later: Int, isComplete: Bool?, mark: String) async throws {
        let stage = try Self.stage("\"deleted\": {\"when\": \"gone\"}")
        stage.remote.setPage { request in
            let isWhole = !request.filters.contains { $0.name == SyncDefinition.filter }
            let elements = (1...12).map { ($0, isWhole ? $0 * 10 : 200 + $0, false) }
            return Self.page(request, elements).map { page in
                let count = isWhole || request.page == .number(1) ? 12 : later
                let info = PageInfoDTO(current: page.info.current, count: count, next: page.info.next)
                return PageDTO(items: page.items, info: info)
            }
        }
        let first = try await stage.sync()
        #expect(first.state.mark?.value == "50" && first.isComplete == true)
        let second = try await stage.sync()
        #expect((second.mode, second.isComplete, second.state.mark?.value) == (.since, isComplete, mark))
        #expect((second.state.syncedAt == first.state.syncedAt) == (isComplete == nil))
    }

    @Test func changesAreRequestedFromTheEarlierMarkAfterAnInterruptedFullSync() async throws {
        let stage = try Self.stage()
        Self.serve(stage, (1...12).map { ($0, $0 * 10) }, changes: [(1, 130, true)])
        let first = try await stage.sync()
        _ = try await stage.sync { ($0.startsOver, $0.maxRequests) = (true, 1) }
        let continued = try await stage.sync()
        #expect((continued.mode, continued.isComplete) == (.whole, nil))
        #expect(continued.state.mark == first.state.mark && continued.state.syncedAt == first.state.syncedAt)
        // The deletion was reported after the mark.
        let last = try await stage.sync()
        #expect((last.mode, last.removed, last.isComplete, last.state.items) == (.since, 1, true, 11))
    }

    @Test func failedRequestForChangesOfAnUnsortedListKeepsTheMark() async throws {
        let stage = try Self.stage(#""deleted": {"when": "gone"}"#)
        Self.serve(stage, [(1, 10)])
        try await stage.sync()
        let changes = (1...7).map { ($0, $0 * 100, false) }
        stage.remote.setPage { request in
            request.page == .number(2) ? .failure(Stage.failure) : Self.page(request, changes)
        }
        await #expect(throws: SyncError.repository(.remote(Stage.failure))) { try await stage.sync() }
        #expect(try await stage.cache.syncStates().map(\.mark?.value) == ["10"])
    }
}
