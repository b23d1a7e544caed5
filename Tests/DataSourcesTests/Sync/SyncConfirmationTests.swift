import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// Tests the times at which syncs have confirmed items.
@Suite(.limited) struct SyncConfirmationTests {
    typealias Entries = LocalEntries
    typealias Stage = SyncStoreStage

    private func times(
        _ stage: SyncStoreStage, _ ids: String..., declaration: String? = nil
    ) async throws -> [Timestamp?] {
        try await stage.store.confirmations(of: ids.map { Entries.key($0) }, declaration: declaration)
    }

    @Test func completeRunConfirmsTheItemsThatItHasRead() async throws {
        let stage = try Stage()
        #expect(try await times(stage, "1") == [nil])
        let first = try await stage.sync(ids: "1", "2").wholeAt
        #expect(try await times(stage, "1", "2", "3") == [first, first, nil])
        // The second run does not find item 2.
        let second = try await stage.sync(ids: "1").wholeAt
        #expect(try await times(stage, "1", "2") == [second, nil] && first != second)
    }

    /// The run does not find item 2, so only changes may confirm it.
    @Test(arguments: [true, false]) func onlyACompleteRunWithTheSameDeclarationConfirmsUnreadItems(isComplete: Bool)
        async throws
    {
        let stage = try Stage()
        let whole = try #require(await stage.sync(ids: "1", "2").wholeAt)
        let ticket = try await stage.reading(ids: "1")
        let now = stage.clock.now()
        #expect(try await times(stage, "1", declaration: "d") == [whole])
        var end = SyncEnd()
        (end.syncedAt, end.continues) = (now, false)
        end.mark = .set(SyncMark(value: "7", declaration: "d", wholeAt: whole, isComplete: isComplete))
        _ = try await stage.store.end(ticket, end)
        let expected = isComplete ? now : whole
        #expect(try await times(stage, "1", "2", declaration: "d") == [expected, expected])
        #expect(try await times(stage, "1", "2", declaration: "e") == [whole, whole])
        #expect(try await times(stage, "1", "2") == [whole, whole])
        #expect(try await stage.store.syncedAt(of: Stage.list) == (isComplete ? now : nil))
    }

    @Test func invalidatedItemIsNotConfirmed() async throws {
        let stage = try Stage()
        try await stage.sync(ids: "1")
        #expect(try await stage.source.invalidate(CacheSelection(ids: ["1"])) == 1)
        #expect(try await times(stage, "1") == [nil])
    }

    @Test func latestOfSeveralCopiesConfirmsAnItem() async throws {
        let stage = try Stage()
        let first = try await stage.sync(ids: "1", "2").wholeAt
        let second = try await stage.sync(ids: "1", in: Stage.filtered).wholeAt
        #expect(try await times(stage, "1", "2") == [second, first])
        try await stage.sync(ids: "1", in: SyncSet(resource: Entries.location, list: "{}"))
        #expect(try await times(stage, "1") == [second])
    }

    @Test func copyWithADamagedRowConfirmsNoItems() async throws {
        let stage = try Stage()
        try await stage.sync(ids: "1")
        try stage.connection().execute("UPDATE syncs SET whole_at = whole_at + 1")
        #expect(try await times(stage, "1") == [nil])
        #expect(try await stage.store.syncedAt(of: Stage.list) == nil)
    }

    @Test func syncTimeOfAListIsKnownOnlyIfItsCopyIsComplete() async throws {
        let stage = try Stage()
        #expect(try await stage.store.syncedAt(of: Stage.list) == nil)
        let time = try await stage.sync(ids: "1", "2").syncedAt
        #expect(try await stage.store.syncedAt(of: Stage.list) == time && time != nil)
        #expect(try await stage.store.syncedAt(of: Stage.filtered) == nil)
        stage.source.remove(Entries.key("1"))
        await stage.source.flush()
        #expect(try await stage.store.syncedAt(of: Stage.list) == nil)
    }
}
