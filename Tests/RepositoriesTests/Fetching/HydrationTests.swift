import DataSources
import JSON
import System
import TestSupport
import Testing

@testable import Model
@testable import Repositories

/// Tests lists whose complete items are fetched by their ids.
@Suite(.limited) struct HydrationTests {
    private static func stage() throws -> Stage {
        let stage = try Stage(Declaration(list: #", "hydrate": true"#))
        let stubs = try ["1", "2"].map { try Stage.dto(#"{"id": \#($0)}"#) }
        stage.remote.setPage { .success(PageDTO(items: stubs, info: PageInfoDTO(current: $0.page))) }
        try stage.serve("1", "2")
        return stage
    }

    @Test func hydratedItemsAreCompleteAndStored() async throws {
        let stage = try Self.stage()
        let answer = try await stage.repository.page(PageRequest(), CacheControl())
        #expect(answer.value.items.map(\.text) == [Stage.text("1", "new"), Stage.text("2", "new")])
        #expect(answer.value.missing == [])
        #expect(answer.source == .remote)
        #expect(stage.repository.cachedItem("1", CacheControl())?.value.text == Stage.text("1", "new"))
        let again = try #require(stage.repository.cachedPage(PageRequest(), CacheControl()))
        #expect(again.value.items == answer.value.items)
        #expect(again.source == .memory)
    }

    @Test func itemThatCannotBeFetchedIsMissing() async throws {
        let stage = try Self.stage()
        let one = try Stage.dto("1", "new")
        for kind in [APIError.Kind.notFound, .network, .unauthorized] {
            stage.remote.setItem { $0 == "1" ? .success(one) : .failure(APIError(kind, "no")) }
            let answer = try await stage.repository.page(PageRequest(), CacheControl(.remoteFirst))
            #expect(answer.value.ids == ["1"], "\(kind)")
            #expect(answer.value.items.map(\.text) == [Stage.text("1", "new")])
            #expect(answer.value.missing == ["2"])
            #expect(answer.fallback?.kind == (kind == .notFound ? nil : kind))
            #expect(stage.repository.cachedPage(PageRequest(), CacheControl()) == nil, "missing items are fetched")
        }
    }

    /// An observer receives the same as `page` returns: complete items, and the ids of missing ones.
    @Test func observerReceivesCompleteItems() async throws {
        let stage = try Self.stage()
        let pages = Lock([Page]())
        let diary = ObservationRecorder()
        let stop = await stage.repository.observePage(PageRequest()) { observation in
            if case .page(let answer) = observation { pages.withLock { $0.append(answer.value) } }
            diary.note(observation)
        }
        _ = try await stage.repository.page(PageRequest(), CacheControl())
        await diary.has(1)
        // The page may have been reported before its items were fetched.
        if pages.withLock({ $0.last?.missing != [] }) {
            await stage.sleep.begun(1, for: .milliseconds(100))
            stage.sleep.wake(from: .milliseconds(100))
            await diary.has(2)
        }
        let page = try #require(pages.withLock { $0.last })
        #expect(page.items.map(\.text) == [Stage.text("1", "new"), Stage.text("2", "new")])
        let stubs = pages.withLock { $0.flatMap(\.items).filter { $0.text == #"{"id":"1"}"# } }
        #expect(stubs.isEmpty)
        stop()
    }

    @Test func prefetchStoresHydratedItems() async throws {
        let stage = try Self.stage()
        _ = try await stage.repository.prefetch(filters: [], limit: nil) { _, _ in }
        #expect(stage.repository.cachedItem("2", CacheControl(.localOnly)) != nil)
    }

    /// A list is complete even if some of its items do not exist. It is incomplete if the API fails for an item.
    @Test(arguments: [(APIError.Kind.notFound, true), (.network, false), (.serverError, false), (.unauthorized, false)])
    func prefetchReportsWhetherAllItemsExist(kind: APIError.Kind, isComplete: Bool) async throws {
        let stage = try Stage(Declaration(list: #", "hydrate": true"#))
        let stubs = try ["1", "2"].map { try Stage.dto(#"{"id": \#($0)}"#) }
        stage.remote.setPage { .success(PageDTO(items: stubs, info: PageInfoDTO(current: $0.page, pages: 1))) }
        let one = try Stage.dto("1", "new")
        stage.remote.setItem { $0 == "1" ? .success(one) : .failure(APIError(kind, "no")) }
        let answer = try await stage.repository.prefetch(filters: [], limit: nil) { _, _ in }
        #expect(answer.items == 1 && answer.isComplete == isComplete)
        let offline = try await stage.repository.prefetch(filters: [], limit: nil, CacheControl(.localOnly)) { _, _ in }
        #expect(offline.items == 1 && offline.isComplete == nil, "the remote was not asked for the other item")
    }
}
