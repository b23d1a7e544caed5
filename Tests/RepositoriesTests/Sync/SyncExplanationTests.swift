import DataSources
import Mocks
import TestSupport
import Testing

@testable import Model
@testable import Repositories

/// Tests the explanation of a sync: it describes what `sync` would do, and makes no request.
@Suite(.limited) struct SyncExplanationTests {
    private static let stored = "persistence: new and changed items are stored"

    /// Explains a sync, and checks that the explanation has one preview and makes no request.
    private static func steps(
        _ stage: Stage, _ change: (inout SyncRequest) -> Void = { _ in }
    ) async -> [String] {
        let asked = stage.remote.calls.count
        var request = SyncRequest()
        change(&request)
        let explanation = await stage.repository.explainSync(request)
        #expect(stage.remote.calls.count == asked)
        #expect(explanation.entries.isEmpty && explanation.requests.count == 1)
        return explanation.steps
    }

    @Test func firstSyncIsExplainedAsARequestForTheWholeList() async throws {
        let stage = try SinceSyncTests.stage()
        #expect(
            await Self.steps(stage) == [
                "copy: none", "remote: asked for the whole list, because there is no copy", Self.stored,
            ])
    }

    @Test func laterSyncIsExplainedAsARequestForChangesSinceTheMark() async throws {
        let stage = try SinceSyncTests.stage()
        SinceSyncTests.serve(stage, [(1, 10), (2, 20)])
        try await stage.sync()
        let copy = "copy: 2 items, synced at \(stage.clock.now().rfc3339)"
        #expect(await Self.steps(stage) == [copy, "remote: asked for changes since '20'", Self.stored])
        #expect(
            await Self.steps(stage) { $0.startsOver = true } == [
                copy, "remote: asked for the whole list, because the request has 'whole' or 'acceptRemovals'",
                Self.stored,
            ])
        #expect(
            await Self.steps(stage) { $0.filters = [.init("name", "a")] } == [
                "copy: none", "remote: asked for the whole list, because there is no copy", Self.stored,
            ])
    }

    @Test func copyWithinTheMaximumAgeNeedsNoRequest() async throws {
        let stage = try SinceSyncTests.stage()
        SinceSyncTests.serve(stage, [(1, 10)])
        try await stage.sync()
        stage.clock.advance(milliseconds: 5000)
        var request = SyncRequest()
        request.maxAge = 5000
        var explanation = await stage.repository.explainSync(request)
        #expect(explanation.requests.isEmpty && explanation.steps.last?.contains("'maxAge'") == true)
        request.maxAge = 4999
        explanation = await stage.repository.explainSync(request)
        #expect(explanation.requests.count == 1)
    }

    @Test func interruptedSyncIsExplainedAsARequestForTheRestOfTheList() async throws {
        let stage = try SinceSyncTests.stage()
        SinceSyncTests.serve(stage, (1...12).map { ($0, $0) })
        try await stage.sync { $0.maxRequests = 1 }
        let steps = await Self.steps(stage)
        #expect(steps.first == "copy: not complete")
        #expect(steps[1].hasPrefix("remote: asked for the rest of the list, because "))
    }

    @Test func explanationNamesTheMissingSyncDeclaration() async throws {
        let stage = try Stage(Declaration())
        stage.serveList(1...3)
        try await stage.sync()
        let reason = "the catalog declares no 'sync' for the list"
        #expect(await Self.steps(stage)[1] == "remote: asked for the whole list, because \(reason)")
    }

    @Test func explanationOfASyncNamesAnUndeclaredFilter() async throws {
        let stage = try SinceSyncTests.stage()
        SinceSyncTests.serve(stage, [(1, 10)])
        try await stage.sync { $0.filters = [.init("name", "a")] }
        let steps = await Self.steps(stage) { $0.filters = [.init("name", "a")] }
        #expect(steps[1].hasSuffix("because 'sync' in the catalog does not name the filter 'name'"))
    }

    @Test func explanationOfASyncReportsAMissingSecret() async throws {
        let stage = try SinceSyncTests.stage()
        stage.remote.refusePreviews(APIError(.unauthorized, "no token"))
        let explanation = await stage.repository.explainSync(SyncRequest())
        #expect(explanation.refusal?.kind == .unauthorized && explanation.requests.isEmpty)
        #expect(explanation.steps == ["copy: none", "remote: cannot be asked, see 'error'"])
    }
}
