import DataSources
import Model
import Repositories
import TestSupport
import Testing

/// Tests that the cached pages of a list become stale if its length changes.
@Suite(.limited) struct ListCountTests {
    private static let filters = [PageRequest.Filter("name", "rick")]

    private func request(_ page: Int, _ filters: [PageRequest.Filter] = []) -> PageRequest {
        PageRequest(page: .number(page), filters: filters)
    }

    /// Makes the remote report a count for every list.
    private func serve(_ stage: Stage, count: Int?) throws {
        let item = try Stage.dto("1", "new")
        stage.remote.setPage { request in
            .success(PageDTO(items: [item], info: PageInfoDTO(current: request.page, count: count)))
        }
    }

    /// Creates a stage with two cached pages of one list, and one cached page of a second list.
    private func stage(count: Int?) async throws -> Stage {
        let stage = try Stage()
        try serve(stage, count: count)
        for request in [request(1), request(2), request(1, Self.filters)] {
            _ = try await stage.repository.page(request, CacheControl())
        }
        return stage
    }

    private func isStale(_ stage: Stage, _ request: PageRequest) async throws -> [Bool?] {
        let stored = try await stage.persistence.read(stage.pageKey(request))
        return [stage.memory.read(stage.pageKey(request))?.page.isInvalidated, stored?.page.isInvalidated]
    }

    @Test func changedCountInvalidatesOtherPagesInBothLevels() async throws {
        let stage = try await stage(count: 40)
        try serve(stage, count: 41)
        _ = try await stage.repository.page(request(1), CacheControl(.remoteFirst))
        #expect(try await isStale(stage, request(1)) == [false, false])
        #expect(try await isStale(stage, request(2)) == [true, true])
        #expect(try await isStale(stage, request(1, Self.filters)) == [false, false])
        let calls = stage.remote.calls.count
        #expect(try await stage.repository.page(request(2), CacheControl()).source == .remote)
        #expect(stage.remote.calls.count == calls + 1)
        #expect(try await isStale(stage, request(1)) == [false, false], "all pages now have the same count")
    }

    @Test(arguments: [40, nil]) func equalCountInvalidatesNothing(count: Int?) async throws {
        let stage = try await stage(count: count)
        _ = try await stage.repository.page(request(1), CacheControl(.remoteFirst))
        #expect(try await isStale(stage, request(2)) == [false, false])
    }

    @Test func invalidatedPageIsReturnedIfTheRemoteFails() async throws {
        let stage = try await stage(count: 40)
        try serve(stage, count: 41)
        _ = try await stage.repository.page(request(1), CacheControl(.remoteFirst))
        stage.remote.fail(APIError(.network, "reset"))
        let answer = try await stage.repository.page(request(2), CacheControl())
        #expect(answer.isStale && answer.fallback?.kind == .network)
    }
}
