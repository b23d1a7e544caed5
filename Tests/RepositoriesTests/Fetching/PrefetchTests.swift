import DataSources
import JSON
import Mocks
import Model
import Repositories
import Synchronization
import System
import TestSupport
import Testing

/// Tests how a whole list is cached, page by page.
@Suite(.limited) struct PrefetchTests {
    private static let failure = APIError(.network, "reset")

    private static func answer(
        _ pages: Int, _ items: Int, fetched: Int, reused: Int, isComplete: Bool? = true
    ) -> PrefetchAnswer {
        var answer = PrefetchAnswer()
        answer.isComplete = isComplete
        (answer.pages, answer.items, answer.fetched, answer.reused) = (pages, items, fetched, reused)
        return answer
    }

    private static func prefetch(
        _ stage: Stage, _ filters: [PageRequest.Filter] = [], limit: Int? = nil
    ) async throws -> PrefetchAnswer {
        try await stage.repository.prefetch(filters: filters, limit: limit) { _, _ in }
    }

    private static func requests(_ numbers: ClosedRange<Int>) -> [RemoteDataSourceMock.Call] {
        numbers.map { .page(PageRequest(page: .number($0))) }
    }

    @Test func prefetchReadsAndStoresAllPages() async throws {
        let stage = try Stage()
        try stage.servePages(5)
        let progress = Lock<[String]>([])
        let answer = try await stage.repository.prefetch(filters: [], limit: nil) { done, total in
            progress.withLock { $0.append("\(done) of \(total ?? -1)") }
        }
        #expect(answer == Self.answer(5, 5, fetched: 5, reused: 0))
        #expect(stage.remote.calls == Self.requests(1...5))
        #expect(progress.withLock { $0 } == (1...5).map { "\($0) of 5" })
        for number in 1...5 {
            let page = PageRequest(page: .number(number))
            #expect(stage.repository.cachedPage(page, CacheControl(.localOnly))?.isStale == false)
            #expect(try await stage.persistence.read(stage.itemKey("\(number)")) != nil)
        }
    }

    @Test func prefetchReusesFreshPages() async throws {
        let stage = try Stage()
        try stage.servePages(5)
        for number in [2, 4] { _ = try await stage.repository.page(PageRequest(page: .number(number)), CacheControl()) }
        #expect(try await Self.prefetch(stage) == Self.answer(5, 5, fetched: 3, reused: 2))
        #expect(try await Self.prefetch(stage) == Self.answer(5, 5, fetched: 0, reused: 5))
        #expect(stage.remote.calls.count == 5)
    }

    @Test func prefetchReusesPagesInTheFile() async throws {
        let stage = try Stage()
        try stage.servePages(3)
        _ = try await Self.prefetch(stage)
        _ = stage.memory.remove(CacheSelection())
        #expect(try await Self.prefetch(stage) == Self.answer(3, 3, fetched: 0, reused: 3))
    }

    @Test func prefetchStopsAtItsLimit() async throws {
        let stage = try Stage()
        try stage.servePages(5)
        let totals = Lock<[Int?]>([])
        let answer = try await stage.repository.prefetch(filters: [], limit: 2) { _, total in
            totals.withLock { $0.append(total) }
        }
        #expect(answer == Self.answer(2, 2, fetched: 2, reused: 0, isComplete: false))
        #expect(totals.withLock { $0 } == [2, 2])
        #expect(try await Self.prefetch(stage, limit: 0) == Self.answer(0, 0, fetched: 0, reused: 0, isComplete: false))
    }

    @Test func interruptedPrefetchContinuesWhereItStopped() async throws {
        let stage = try Stage()
        let items = try (1...5).map { try Stage.dto(String($0), "new") }
        let isBroken = Atomic<Bool>(true)
        stage.remote.setPage { request in
            guard case .number(let number) = request.page else { return .failure(Self.failure) }
            if number == 4, isBroken.load(ordering: .sequentiallyConsistent) { return .failure(Self.failure) }
            let next = number < 5 ? PageToken.number(number + 1) : nil
            return .success(
                PageDTO(items: [items[number - 1]], info: PageInfoDTO(current: request.page, pages: 5, next: next)))
        }
        await #expect(throws: RepositoryError.remote(Self.failure)) { try await Self.prefetch(stage) }
        isBroken.store(false, ordering: .sequentiallyConsistent)
        #expect(try await Self.prefetch(stage) == Self.answer(5, 5, fetched: 2, reused: 3))
    }

    @Test func prefetchDoesNotFallBackToStalePages() async throws {
        let stage = try Stage()
        try stage.servePages(3)
        _ = try await Self.prefetch(stage)
        stage.clock.advance(milliseconds: 2 * Stage.hour)
        stage.remote.fail(Self.failure)
        await #expect(throws: RepositoryError.remote(Self.failure)) { try await Self.prefetch(stage) }
    }

    @Test func prefetchWaitsUntilStalePagesAreRefreshed() async throws {
        let stage = try Stage(Declaration(cache: #"{"freshFor": "1h", "staleWhileRevalidate": true}"#))
        try stage.servePages(3)
        _ = try await Self.prefetch(stage)
        stage.clock.advance(milliseconds: 2 * Stage.hour)
        try stage.servePages(3, name: "newer")
        #expect(try await Self.prefetch(stage) == Self.answer(3, 3, fetched: 3, reused: 0))
        #expect(stage.repository.cachedItem("3", CacheControl())?.value.text == Stage.text("3", "newer"))
    }

    @Test func prefetchPassesFiltersToEachPage() async throws {
        let stage = try Stage()
        try stage.servePages(2)
        let filters = [PageRequest.Filter("name", "rick")]
        #expect(try await Self.prefetch(stage, filters) == Self.answer(2, 2, fetched: 2, reused: 0))
        #expect(
            stage.remote.calls == (1...2).map { .page(PageRequest(page: .number($0), filters: filters)) })
    }

    @Test func prefetchEndsAtARefusedPage() async throws {
        let stage = try Stage(Declaration(pagination: ListEndTests.silent))
        try stage.servePages(3, tellsPages: false)
        let totals = Lock<[Int?]>([])
        let answer = try await stage.repository.prefetch(filters: [], limit: nil) { _, total in
            totals.withLock { $0.append(total) }
        }
        // The refused page is stored as an empty page.
        #expect(answer == Self.answer(4, 3, fetched: 4, reused: 0))
        #expect(totals.withLock { $0 } == [nil, nil, nil, nil])
        #expect(try await Self.prefetch(stage) == Self.answer(4, 3, fetched: 0, reused: 4))
        #expect(stage.remote.calls == Self.requests(1...4))
    }

    @Test func prefetchContinuesAfterAnEmptyPage() async throws {
        let stage = try Stage()
        let item = try Stage.dto("1", "new")
        stage.remote.setPage { request in
            request.page == .number(1)
                ? .success(PageDTO(items: [], info: PageInfoDTO(current: request.page, next: .opaque("more"))))
                : .success(PageDTO(items: [item], info: PageInfoDTO(current: request.page)))
        }
        #expect(try await Self.prefetch(stage) == Self.answer(2, 1, fetched: 2, reused: 0))
    }

    @Test func prefetchOfAMissingListFails() async throws {
        let stage = try Stage()
        stage.remote.fail(APIError(.notFound, "no such list", status: 404))
        await #expect {
            try await Self.prefetch(stage)
        } throws: {
            ($0 as? RepositoryError)?.cause?.kind == .notFound
        }
    }

    @Test func prefetchEndsAtARepeatedCursor() async throws {
        let stage = try Stage()
        let next: [PageToken: PageToken] = [
            .number(1): .opaque("b"), .opaque("b"): .opaque("c"), .opaque("c"): .opaque("b"),
        ]
        let items: [PageToken: ItemDTO] = [
            .number(1): try Stage.dto("1", "new"), .opaque("b"): try Stage.dto("2", "new"),
            .opaque("c"): try Stage.dto("3", "new"),
        ]
        stage.remote.setPage { request in
            let page = items[request.page].map { [$0] } ?? []
            return .success(PageDTO(items: page, info: PageInfoDTO(current: request.page, next: next[request.page])))
        }
        #expect(try await Self.prefetch(stage) == Self.answer(3, 3, fetched: 3, reused: 0, isComplete: nil))
        #expect(
            stage.remote.calls
                == [.number(1), .opaque("b"), .opaque("c")].map { .page(PageRequest(page: $0)) })
    }

    @Test func cancelledPrefetchStopsAndKeepsFetchedPages() async throws {
        let stage = try Stage()
        try stage.servePages(5)
        _ = try await Self.prefetch(stage, limit: 2)
        stage.remote.hold(at: Gate())
        let prefetch = Task { try await Self.prefetch(stage) }
        await stage.remote.arrived(3)
        prefetch.cancel()
        await #expect {
            try await prefetch.value
        } throws: {
            ($0 as? RepositoryError)?.cause?.kind == .cancelled
        }
        #expect(stage.remote.calls == Self.requests(1...3))
        stage.remote.hold(at: nil)
        #expect(try await Self.prefetch(stage) == Self.answer(5, 5, fetched: 3, reused: 2))
    }

    @Test func prefetchOfFreshPagesCanBeCancelled() async throws {
        let stage = try Stage()
        try stage.servePages(5)
        _ = try await Self.prefetch(stage)
        let seen = Lock(0)
        let prefetch = Task {
            try await stage.repository.prefetch(filters: [], limit: nil) { done, _ in
                seen.withLock { $0 = done }
                // The task cancels itself after the second page.
                if done == 2 { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        await #expect {
            try await prefetch.value
        } throws: {
            ($0 as? RepositoryError)?.cause?.kind == .cancelled
        }
        #expect(seen.withLock { $0 } == 2)
    }

    @Test func readersShareRequestsOfAPrefetch() async throws {
        let gate = Gate()
        let stage = try Stage()
        try stage.servePages(2)
        stage.remote.hold(at: gate)
        let prefetch = Task { try await Self.prefetch(stage) }
        await stage.remote.arrived(1)
        let reader = Task { try await stage.repository.page(PageRequest(), CacheControl()) }
        await stage.shared(1)
        gate.open()
        #expect(try await reader.value.source == .remote)
        #expect(try await prefetch.value == Self.answer(2, 2, fetched: 2, reused: 0))
        #expect(stage.remote.calls == Self.requests(1...2))
    }

    @Test func prefetchWithTheLocalOnlyPolicyChecksWhetherAllPagesAreCached() async throws {
        let stage = try Stage()
        try stage.servePages(3)
        let local = CacheControl(.localOnly)
        _ = try await stage.repository.prefetch(filters: [], limit: 2) { _, _ in }
        await #expect(throws: RepositoryError.notCached(resource: "thing")) {
            try await stage.repository.prefetch(filters: [], limit: nil, local) { _, _ in }
        }
        _ = try await stage.repository.prefetch(filters: [], limit: nil) { _, _ in }
        let calls = stage.remote.calls.count
        let answer = try await stage.repository.prefetch(filters: [], limit: nil, local) { _, _ in }
        #expect((answer.pages, answer.fetched, answer.reused) == (3, 0, 3))
        #expect(stage.remote.calls.count == calls)
    }
}
