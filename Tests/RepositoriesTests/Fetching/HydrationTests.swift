import DataSources
import JSON
import System
import TestSupport
import Testing

@testable import Model
@testable import Repositories

/// Lists that give the whole items, which are asked for by their ids.
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
            #expect(stage.repository.cachedPage(PageRequest(), CacheControl()) == nil, "the rest is asked for again")
        }
    }

    /// An observer is told what `page` would answer: whole items, and which of them are not there.
    @Test func observerReceivesCompleteItems() async throws {
        let stage = try Self.stage()
        let told = Lock([Page]())
        let diary = Diary()
        let stop = await stage.repository.observePage(PageRequest()) { observation in
            if case .page(let answer) = observation { told.withLock { $0.append(answer.value) } }
            diary.note(observation)
        }
        _ = try await stage.repository.page(PageRequest(), CacheControl())
        await diary.has(1)
        // The page may have been told while its items were on their way.
        if told.withLock({ $0.last?.missing != [] }) {
            await stage.sleep.begun(1, for: .milliseconds(100))
            stage.sleep.wake(from: .milliseconds(100))
            await diary.has(2)
        }
        let page = try #require(told.withLock { $0.last })
        #expect(page.items.map(\.text) == [Stage.text("1", "new"), Stage.text("2", "new")])
        let stubs = told.withLock { $0.flatMap(\.items).filter { $0.text == #"{"id":"1"}"# } }
        #expect(stubs.isEmpty)
        stop()
    }

    @Test func prefetchStoresHydratedItems() async throws {
        let stage = try Self.stage()
        _ = try await stage.repository.prefetch(filters: [], limit: nil) { _, _ in }
        #expect(stage.repository.cachedItem("2", CacheControl(.localOnly)) != nil)
    }

    /// As a list says which are missing; one that does not exist is not missing from what is there.
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
        #expect(offline.items == 1 && offline.isComplete == nil, "nobody was asked for the rest")
    }
}
