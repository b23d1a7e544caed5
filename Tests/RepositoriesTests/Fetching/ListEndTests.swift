import DataSources
import JSON
import Model
import Repositories
import TestSupport
import Testing

/// Tests how the end of a list is detected, and whether the list was read completely.
@Suite(.limited) struct ListEndTests {
    static let silent = #"{"style": "page", "param": "page"}"#
    private static let offset = #"{"style": "offset", "param": "start"}"#

    private static func prefetch(_ stage: Stage) async throws -> PrefetchAnswer {
        try await stage.repository.prefetch(filters: [], limit: nil) { _, _ in }
    }

    private static func list(_ stage: Stage, _ page: PageToken) async throws -> Page {
        try await stage.repository.page(PageRequest(page: page), CacheControl()).value
    }

    /// Gives the remote the given pages of items; a request for any other page fails.
    ///
    /// - Parameters:
    ///   - step: 1 if pages are numbered; otherwise the next page is at the offset after the page's items.
    ///   - hasNextPages: whether each page has a next page.
    private static func serve(
        _ stage: Stage, _ pages: [PageToken: [String]], step: Int = 1, count: Int? = nil, hasNextPages: Bool = true,
        otherwise error: APIError = APIError(.invalidRequest, "no such page", status: 400)
    ) throws {
        let pages = try pages.mapValues { try $0.map { try Stage.dto($0, "new") } }
        stage.remote.setPage { request in
            guard let items = pages[request.page], case .number(let number) = request.page else {
                return .failure(error)
            }
            let next = hasNextPages ? PageToken.number(number + (step == 1 ? 1 : items.count)) : nil
            return .success(PageDTO(items: items, info: PageInfoDTO(current: request.page, count: count, next: next)))
        }
    }

    @Test(arguments: [
        APIError(.invalidRequest, "no", status: 400), APIError(.notFound, "no", status: 404),
    ])
    func laterPageThatTheAPIRefusesCountsAsEmpty(error: APIError) async throws {
        let stage = try Stage(Declaration(pagination: Self.silent))
        try Self.serve(stage, [.number(1): ["1", "2"]], otherwise: error)
        _ = try await Self.list(stage, .number(1))
        let page = try await Self.list(stage, .number(2))
        #expect(page.ids.isEmpty)
        #expect(page.info.text == #"{"current":2,"pages":null,"count":null,"next":null,"previous":null}"#)
        _ = try await Self.list(stage, .number(2))
        #expect(stage.remote.calls.count == 2)
        let prefetch = try await Self.prefetch(stage)
        #expect(prefetch.isComplete == true && prefetch.items == 2)
    }

    @Test func firstPageThatTheAPIRefusesIsAnError() async throws {
        let stage = try Stage(Declaration(pagination: Self.silent))
        try Self.serve(stage, [:])
        await #expect(throws: RepositoryError.self) { try await Self.list(stage, .number(1)) }
    }

    @Test(arguments: [
        APIError(.serverError, "no", status: 500), APIError(.rateLimited, "no", status: 400),
        APIError(.invalidRequest, "no", status: 422),
    ])
    func errorsThatDoNotSignalTheEndOfTheListAreReported(error: APIError) async throws {
        let stage = try Stage(Declaration(pagination: Self.silent))
        try Self.serve(stage, [.number(1): ["1"]], otherwise: error)
        await #expect(throws: RepositoryError.remote(error)) { try await Self.prefetch(stage) }
    }

    @Test func pageThatTheAPIRefusesBeforeTheAnnouncedLastPageIsAnError() async throws {
        let stage = try Stage()
        try Self.serve(stage, [.number(1): ["1"]])
        await #expect(throws: RepositoryError.self) { try await Self.list(stage, .number(2)) }
        let prefetch = try await Self.prefetch(stage)
        #expect(prefetch.isComplete == false && prefetch.items == 1 && prefetch.pages == 1)
    }

    @Test func pageThatRepeatsTheLastPageCountsAsEmpty() async throws {
        let stage = try Stage(Declaration(pagination: Self.silent))
        try Self.serve(stage, [.number(1): ["1", "2"], .number(2): ["3"], .number(3): ["3"]])
        let prefetch = try await Self.prefetch(stage)
        #expect(prefetch.isComplete == true && prefetch.items == 3 && prefetch.pages == 3)
        #expect(try await Self.list(stage, .number(3)).ids == [])
        let again = try await Self.prefetch(stage)
        #expect(again.isComplete == true && again.reused == 3)
    }

    @Test func repeatedFirstPageLeavesCompletenessUnknown() async throws {
        let stage = try Stage(Declaration(pagination: Self.silent))
        try Self.serve(stage, [.number(1): ["1", "2"], .number(2): ["1", "2"]])
        for _ in 1...2 {
            let prefetch = try await Self.prefetch(stage)
            #expect(prefetch.isComplete == nil && prefetch.items == 2)
        }
        let page = try await Self.list(stage, .number(2))
        #expect(page.info.text.contains(#""next":null"#) && page.ids == [])
    }

    @Test func policyNoneReturnsARepeatedPage() async throws {
        let stage = try Stage(Declaration(pagination: Self.silent))
        try Self.serve(stage, [.number(1): ["1", "2"], .number(2): ["1", "2"]])
        _ = try await Self.list(stage, .number(1))
        let page = try await stage.repository.page(PageRequest(page: .number(2)), CacheControl(.none)).value
        #expect(page.ids == ["1", "2"])
    }

    @Test(arguments: [(2, true), (3, false)])
    func declaredCountDecidesWhetherAListIsComplete(count: Int, isComplete: Bool) async throws {
        let stage = try Stage(Declaration(pagination: Self.silent))
        try Self.serve(stage, [.number(1): ["1", "2"], .number(2): ["1", "2"]], count: count)
        #expect(try await Self.prefetch(stage).isComplete == isComplete)
    }

    @Test func duplicateItemsAreCountedOnce() async throws {
        let pages: [PageToken: [String]] = [.number(1): ["1", "2"], .number(2): ["2", "3"]]
        for (count, isComplete) in [(nil, nil), (3, true), (4, false)] as [(Int?, Bool?)] {
            let stage = try Stage(Declaration(pagination: Self.silent))
            try Self.serve(stage, pages, count: count)
            #expect(try await Self.prefetch(stage).isComplete == isComplete)
        }
    }

    /// The API returns a different count with each page.
    @Test(arguments: [([3, 3], true), ([4, 3], nil), ([2, 2], nil), ([2, 3], nil)] as [([Int], Bool?)])
    func completenessOfAListIsUnknownIfItsCountChanges(counts: [Int], isComplete: Bool?) async throws {
        let stage = try Stage(Declaration(pagination: #"{"style": "cursor", "param": "c", "next": "next"}"#))
        let items = try [["1", "2"], ["3"]].map { try $0.map { try Stage.dto($0, "new") } }
        stage.remote.setPage { request in
            let index = request.page == .first ? 0 : 1
            let next: PageToken? = index == 0 ? .opaque("b") : nil
            return .success(
                PageDTO(
                    items: items[index], info: PageInfoDTO(current: request.page, count: counts[index], next: next)))
        }
        for _ in 1...2 { #expect(try await Self.prefetch(stage).isComplete == isComplete) }
    }

    @Test func uncertainEndOfAListLeavesCompletenessUnknown() async throws {
        let stage = try Stage(Declaration(pagination: #"{"style": "cursor", "param": "c", "next": "next"}"#))
        let item = try Stage.dto("1", "new")
        stage.remote.setPage { request in
            var info = PageInfoDTO(current: request.page)
            info.isEndUncertain = true
            return .success(PageDTO(items: [item], info: info))
        }
        for _ in 1...2 { #expect(try await Self.prefetch(stage).isComplete == nil) }
        _ = stage.memory.remove(CacheSelection())
        #expect(try await Self.prefetch(stage).isComplete == nil, "the file does not know the end either")
        #expect(stage.remote.calls.count == 1)
        #expect(try await Self.list(stage, .first).info.text.contains(#""next":null"#))
    }

    @Test(arguments: [(99, true), (150, false)])
    func emptyPagesAreFollowedOnlyUpToALimit(empty: Int, isComplete: Bool) async throws {
        let stage = try Stage(Declaration(pagination: #"{"style": "cursor", "param": "c", "next": "next"}"#))
        let item = try Stage.dto("1", "new")
        stage.remote.setPage { request in
            let number = if case .number(let number) = request.page { number } else { 0 }
            let isLast = number > empty
            return .success(
                PageDTO(
                    items: isLast ? [item] : [],
                    info: PageInfoDTO(current: request.page, next: isLast ? nil : .number(number + 1))))
        }
        #expect(try await Self.prefetch(stage).isComplete == isComplete)
        #expect(stage.remote.calls.count == min(empty + 2, 101))
    }

    @Test func repeatedFirstPageUnderACursorIsAnError() async throws {
        let stage = try Stage(Declaration(pagination: #"{"style": "cursor", "param": "c", "next": "next"}"#))
        let item = try Stage.dto("1", "new")
        stage.remote.setPage { request in
            .success(PageDTO(items: [item], info: PageInfoDTO(current: request.page, next: .opaque("b"))))
        }
        _ = try await Self.list(stage, .first)
        await #expect {
            try await Self.list(stage, .opaque("b"))
        } throws: {
            ($0 as? RepositoryError)?.cause?.kind == .invalidResponse
        }
    }

    @Test func repeatedPageBeforeTheAnnouncedLastPageIsAnError() async throws {
        let stage = try Stage()
        try Self.serve(stage, [.number(1): ["1", "2"], .number(2): ["1", "2"]])
        let prefetch = try await Self.prefetch(stage)
        #expect(prefetch.isComplete == false && prefetch.items == 2 && prefetch.pages == 1)
        await #expect {
            try await Self.list(stage, .number(2))
        } throws: {
            ($0 as? RepositoryError)?.cause?.kind == .invalidResponse
        }
    }

    @Test func sameItemsUnderAnotherCursorEndTheList() async throws {
        let stage = try Stage(Declaration(pagination: #"{"style": "cursor", "param": "c", "next": "next"}"#))
        let item = try Stage.dto("1", "new")
        stage.remote.setPage { request in
            let next = if case .number(let number) = request.page { number + 1 } else { 1 }
            return .success(PageDTO(items: [item], info: PageInfoDTO(current: request.page, next: .number(next))))
        }
        let prefetch = try await Self.prefetch(stage)
        #expect(prefetch.isComplete == false && prefetch.items == 1 && stage.remote.calls.count == 2)
    }

    /// The two pages were cached at different times, so neither was compared with the other.
    @Test func cachedPagesWithTheSameItemsEndTheList() async throws {
        let stage = try Stage(Declaration(pagination: #"{"style": "cursor", "param": "c", "next": "next"}"#))
        let item = try Stage.dto("1", "new")
        stage.remote.setPage { request in
            let next: PageToken? = request.page == .first ? .opaque("b") : nil
            return .success(PageDTO(items: [item], info: PageInfoDTO(current: request.page, next: next)))
        }
        _ = try await Self.list(stage, .opaque("b"))
        _ = try await Self.list(stage, .first)
        let prefetch = try await Self.prefetch(stage)
        #expect(prefetch.isComplete == false && prefetch.pages == 1 && prefetch.fetched == 0)
    }

    /// Skipped items are not cached, so the list is incomplete even if the API marks its end.
    @Test func listWithSkippedItemsIsIncomplete() async throws {
        let stage = try Stage(
            Declaration(
                pagination: #"{"style": "cursor", "param": "c", "next": "next"}"#, more: #""onMismatch": "skip","#))
        let items = [try Stage.dto("1", "new"), try Stage.dto(#"{"name": "without an id"}"#)]
        stage.remote.setPage { request in
            .success(PageDTO(items: items, info: PageInfoDTO(current: request.page)))
        }
        for _ in 1...2 {
            let prefetch = try await Self.prefetch(stage)
            #expect(prefetch.isComplete == false && prefetch.items == 1)
        }
    }

    @Test func shorterPageEndsAnOffsetList() async throws {
        let stage = try Stage(Declaration(pagination: Self.offset))
        try Self.serve(stage, [.number(0): ["1", "2"], .number(2): ["3", "4"], .number(4): ["5"]], step: 0)
        let prefetch = try await Self.prefetch(stage)
        #expect(prefetch.isComplete == true && prefetch.items == 5 && prefetch.pages == 3)
        #expect(try await Self.list(stage, .number(4)).info.text.contains(#""next":null"#))
    }

    @Test func listWithoutPaginationLeavesCompletenessUnknown() async throws {
        let stage = try Stage(Declaration(pagination: nil))
        try Self.serve(stage, [.number(1): ["1"]], hasNextPages: false)
        let prefetch = try await Self.prefetch(stage)
        #expect(prefetch.isComplete == nil && prefetch.items == 1)
    }

    @Test func allPagesAreStoredIfAnAnswerHasAllItems() async throws {
        let stage = try Stage(Declaration(pagination: #"{"style": "slice", "size": 2}"#))
        let items = try ["1", "2", "3"].map { try Stage.dto($0, "new") }
        stage.remote.setPage { .success(PageDTO(items: items, info: PageInfoDTO(current: $0.page))) }
        let last = try await Self.list(stage, .number(2))
        #expect(last.ids == ["3"])
        #expect(last.info.text == #"{"current":2,"pages":2,"count":3,"next":null,"previous":1}"#)
        #expect(try await Self.list(stage, .number(1)).ids == ["1", "2"])
        #expect(stage.remote.calls.count == 1)
        let prefetch = try await Self.prefetch(stage)
        #expect(prefetch.isComplete == true && prefetch.items == 3 && prefetch.reused == 2)
        await #expect {
            try await Self.list(stage, .number(3))
        } throws: {
            ($0 as? RepositoryError)?.cause?.kind == .notFound
        }
    }
}
