import DataSources
import Mocks
import TestSupport
import Testing

@testable import Catalog
@testable import Model
@testable import Repositories

/// Tests the samples with which `larder check --live` tests the catalog's `sync`.
@Suite(.limited) struct SyncSampleTests {
    /// Creates a stage without a cache file, whose list declares `sync`. Its remote returns five elements a page.
    private static func stage(_ more: String = "", type: String = "integer") throws -> Stage {
        let sync = #"{"style": "since", "param": "since", "from": "n", "type": "\#(type)", "deleted": {"when": "gone"}"#
        return try Stage(
            Declaration(
                pagination: #"{"style": "page", "param": "page", "more": "more"}"#, list: #", "filters": {"by": "by"}"#,
                sync: sync + more + "}"),
            persistence: .none)
    }

    @Test func secondSyncSampleRequestsOnlyChanges() async throws {
        let stage = try Self.stage()
        SinceSyncTests.serve(
            stage, [(1, 10), (2, 20), (3, 30)],
            changes: [(2, 20, false), (3, 31, false), (4, 40, false), (1, 50, true)])
        let first = try #require(try await stage.repository.sampleSync([], since: nil, maxPages: 2))
        #expect((first.items, first.changed, first.valueCount, first.hasReachedEnd) == (3, 0, 3, true))
        #expect(first.mark?.text == "30" && first.bound == nil && first.descent == nil && !first.lacksValues)
        #expect(first.firstIDs == ["1", "2", "3"])
        let second = try #require(try await stage.repository.sampleSync([], since: first, maxPages: 2))
        #expect((second.items, second.changed, second.bound?.text, second.early?.text) == (2, 3, "30", nil))
        #expect(SinceSyncTests.requests(stage) == ["-/1", "30/1"])
    }

    @Test func equalItemsAreNotChanges() async throws {
        let stage = try Self.stage()
        SinceSyncTests.serve(stage, [(1, 10), (2, 20)], changes: [(1, 10, false), (2, 20, false)])
        let first = try await stage.repository.sampleSync([], since: nil, maxPages: 2)
        let second = try #require(try await stage.repository.sampleSync([], since: first, maxPages: 2))
        #expect((second.items, second.changed) == (1, 0))
    }

    @Test func syncSampleReadsOnlyTheFirstPages() async throws {
        let stage = try Self.stage(#", "ascending": true"#)
        SinceSyncTests.serve(stage, (1...30).map { ($0, $0) }, changes: (1...30).map { ($0, $0, false) })
        let first = try #require(try await stage.repository.sampleSync([], since: nil, maxPages: 2))
        #expect((first.items, first.hasReachedEnd, first.mark?.text) == (10, false, "5"))
        let second = try #require(try await stage.repository.sampleSync([], since: first, maxPages: 2))
        // A page shares its last element with the next.
        #expect((second.items, second.changed, second.hasReachedEnd, second.early?.text) == (9, 3, false, nil))
        #expect(SinceSyncTests.requests(stage) == ["-/1", "-/2", "5/1", "9/1"])
    }

    @Test func syncSampleShowsThatTheAPIIgnoresTheParameter() async throws {
        let stage = try Self.stage()
        let whole = [(1, 10), (2, 20), (3, 30)]
        SinceSyncTests.serve(stage, whole)
        let first = try #require(try await stage.repository.sampleSync([], since: nil, maxPages: 2))
        stage.remote.setPage { request in
            .success(
                PageDTO(
                    items: whole.compactMap { try? Stage.dto(#"{"id":\#($0),"name":"v\#($1)","n":\#($1)}"#) },
                    info: PageInfoDTO(current: request.page, next: nil)))
        }
        let second = try #require(try await stage.repository.sampleSync([], since: first, maxPages: 2))
        #expect((second.early?.text, second.changed) == ("10", 0) && second.firstIDs == first.firstIDs)
    }

    @Test(arguments: [("[1,2]", nil, false), ("[2,1]", "2>1", false), ("[1,null,2]", nil, true)])
    func syncSampleReportsSortOrderAndMissingValues(values: String, descent: String?, lacksValues: Bool) async throws {
        let stage = try Self.stage()
        let numbers = values.dropFirst().dropLast().split(separator: ",").enumerated()
        stage.remote.setPage { request in
            .success(
                PageDTO(
                    items: numbers.compactMap { try? Stage.dto(#"{"id":\#($0),"name":"a","n":\#($1)}"#) },
                    info: PageInfoDTO(current: request.page, next: nil)))
        }
        let sample = try #require(try await stage.repository.sampleSync([], since: nil, maxPages: 2))
        #expect(sample.descent.map { "\($0.first)>\($0.second)" } == descent && sample.lacksValues == lacksValues)
    }

    @Test func thereIsNoSyncSampleIfChangesCannotBeRequested() async throws {
        let stage = try Self.stage()
        SinceSyncTests.serve(stage, [(1, 10)])
        let filters = [PageRequest.Filter("by", "ann")]
        #expect(try await stage.repository.sampleSync(filters, since: nil, maxPages: 2) == nil)
        let plain = try Stage(persistence: .none)
        #expect(try await plain.repository.sampleSync([], since: nil, maxPages: 2) == nil)
        let unmarked = try Self.stage(type: "date")
        SinceSyncTests.serve(unmarked, [(1, 10)])
        let first = try #require(try await unmarked.repository.sampleSync([], since: nil, maxPages: 2))
        #expect((first.valueCount, first.mark) == (0, nil))
        #expect(try await unmarked.repository.sampleSync([], since: first, maxPages: 2) == nil)
    }

    @Test func failedRequestForChangesIsAnError() async throws {
        let stage = try Self.stage()
        SinceSyncTests.serve(stage, [(1, 10)])
        let first = try await stage.repository.sampleSync([], since: nil, maxPages: 2)
        stage.remote.setPage { _ in .failure(APIError(.invalidRequest, "no such parameter")) }
        await #expect(throws: RepositoryError.self) {
            try await stage.repository.sampleSync([], since: first, maxPages: 2)
        }
    }
}
