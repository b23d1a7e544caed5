import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// Tests the rows of synced sets: damaged rows, the text of positions, and a cache file that cannot be used.
@Suite(.limited) struct SyncRowTests {
    typealias Entries = LocalEntries
    typealias Stage = SyncStoreStage

    @Test(arguments: [
        "generation = generation + 1", "generation = 9223372036854775807", "generation = -9223372036854775808",
        "whole_at = whole_at + 1", "whole_at = 0", "synced_at = synced_at + 1", "synced_at = -9223372036854775808",
        "position = '{}'", #"position = '{"page":2,"start":1}'"#, "checksum = checksum + 1", "checksum = 0",
    ])
    func localCopyWithADamagedRowCountsAsNeverSynced(_ change: String) async throws {
        let stage = try SyncStoreStage()
        try await stage.sync(ids: "1", "2")
        try stage.connection().execute("UPDATE syncs SET \(change)")
        var expected = SyncState(set: Stage.list)
        (expected.items, expected.isPartial) = (2, true)
        #expect(try await stage.store.states() == [expected])
        let ticket = try await stage.reading(ids: "2")
        #expect(ticket.state == expected)
        #expect(try await stage.absent(ticket) == ["1"])
        #expect(try await stage.absent(ticket, from: 2) == [])
        let start = stage.clock.now()
        let state = try await stage.store.end(ticket, syncedAt: start, isWhole: true, isHeld: false, continues: false)
        #expect(state?.syncedAt == start && state?.wholeAt == start && state?.isPartial == false)
        #expect(try await stage.state() == state)
    }

    /// The next run then need not remove the old rows, which could be more to write than the run itself.
    @Test func wholeRunRemovesTheOldRowsOfTheChangeLog() async throws {
        let stage = try SyncStoreStage()
        let ticket = try await stage.begin()
        let count = Int(ChangeLog.maxRows) + 300
        for start in stride(from: 0, to: count, by: 100) {
            _ = try await stage.store((start..<start + 100).map { Entries.item("\($0)") }, ticket)
        }
        _ = try await stage.store.end(
            ticket, syncedAt: stage.clock.now(), isWhole: true, isHeld: false, continues: false)
        #expect(try stage.connection().integer("SELECT count(*) FROM changes") == ChangeLog.maxRows)
    }

    @Test func damagedPositionOfASyncRunIsDropped() async throws {
        let stage = try SyncStoreStage()
        let ticket = try await stage.begin()
        _ = try await stage.store([Entries.item("1")], ticket, next: .number(2))
        try stage.connection().execute(#"UPDATE syncs SET position = '{"page":9,"start":1}'"#)
        let state = try await stage.store.end(ticket, syncedAt: nil, isWhole: false, isHeld: false, continues: true)
        #expect(state?.position == nil)
        #expect(try await stage.state()?.position == nil)
    }

    @Test(arguments: [Int64.min, .max, -1])
    func syncStartsEvenIfTheLastActivityIsFarInThePastOrFuture(_ time: Int64) async throws {
        let stage = try SyncStoreStage()
        try await stage.sync(ids: "1")
        try stage.connection().execute("UPDATE syncs SET holder = 7, beat_at = \(time)")
        #expect(try await stage.store.begin(Stage.list) != nil)
    }

    @Test(arguments: [(Int.max, 1000), (1, .min), (1, .max), (-1, 1000)] as [(Int, Int64)])
    func localCopyWithNumbersOutOfRangeIsDamagedEvenIfItsChecksumIsValid(generation: Int, time: Int64) async throws {
        let stage = try SyncStoreStage()
        var state = try await stage.sync(ids: "1")
        state.generation = generation
        (state.syncedAt, state.wholeAt) = (Timestamp(milliseconds: time), Timestamp(milliseconds: time))
        let connection = try stage.connection()
        let resource = try connection.integer("SELECT resource FROM syncs")
        try connection.run(
            "UPDATE syncs SET generation = ?1, synced_at = ?2, whole_at = ?2, checksum = ?3",
            .integer(Int64(generation)), .integer(time),
            .integer(RowChecksum.of(state, position: "", mark: "", resource: resource)))
        #expect(try await stage.state()?.syncedAt == nil)
        #expect(try await stage.sync(ids: "1").generation == 1)
    }

    @Test(arguments: [70, Int64.max, .min]) func nextSyncRunCorrectsAWrongItemCount(_ count: Int64) async throws {
        let stage = try SyncStoreStage()
        try await stage.sync(ids: "1", "2", "3")
        try stage.connection().execute("UPDATE syncs SET items = \(count)")
        stage.source.remove(Entries.key("1"))
        #expect(try await stage.source.read(Entries.key("1")) == nil)
        await stage.source.flush()
        #expect(try stage.connection().integer("SELECT count(*) FROM items") == 2)
        let ticket = try await stage.begin()
        _ = try await stage.store([Entries.item("4"), Entries.item("5")], ticket)
        let removed = try await stage.store.remove([Entries.key("2")], ticket, before: stage.later, deletes: true)
        #expect(removed?.count == 1)
        let state = try await stage.store.end(ticket, syncedAt: nil, isWhole: false, isHeld: false, continues: false)
        #expect(state?.items == 3)
    }

    @Test func syncOfAnotherListStartsANewLocalCopy() async throws {
        let stage = try SyncStoreStage()
        try await stage.sync(ids: "1")
        try stage.connection().execute("UPDATE syncs SET list = '[]'")
        #expect(try await stage.begin().state == SyncState(set: Stage.list))
        #expect(try await stage.state(SyncSet(resource: Entries.character, list: "[]"))?.syncedAt == nil)
    }

    // MARK: Positions

    private static var totals: ListTotals {
        var totals = ListTotals()
        (totals.lacksItems, totals.hasRepeated, totals.hasChanged, totals.count) = (true, true, true, 7)
        return totals
    }

    @Test(arguments: [PageToken.number(3), .number(-1), .opaque("b"), .opaque("\"\\\n\u{1F600}"), .opaque("7")])
    func syncPositionSurvivesEncodingAndDecoding(page: PageToken) {
        for totals in [ListTotals(), Self.totals] {
            let position = SyncPosition(page: page, start: Timestamp(milliseconds: 1_769_850_300_250), totals: totals)
            #expect(SyncPosition(text: SyncPosition.text(of: position)) == position)
        }
    }

    @Test func missingSyncPositionIsStoredAsAnEmptyText() {
        #expect(SyncPosition.text(of: nil) == "")
        let position = SyncPosition(page: .number(2), start: Timestamp(milliseconds: 5))
        #expect(SyncPosition.text(of: position) == #"{"page":2,"start":5}"#)
    }

    @Test(arguments: [
        "", "null", "{}", "[2,5]", #"{"page":2}"#, #"{"start":5}"#, #"{"page":"","start":5}"#,
        #"{"page":null,"start":5}"#, #"{"page":2.5,"start":5}"#, #"{"page":2,"start":"5"}"#,
        #"{"page":2,"start":1e3}"#, #"{"page":2,"start":99999999999999999999}"#, #"{"page":2,"start":5"#,
    ])
    func invalidTextOfASyncPositionIsRefused(text: String) { #expect(SyncPosition(text: text) == nil) }

    // MARK: Unusable files

    private func expectUnavailable(_ store: FileSyncStore, _ ticket: SyncTicket) async {
        let isUnavailable = { @Sendable (error: any Error) in
            guard let error = error as? LocalDataError else { return false }
            return error.isUnavailable && error.message.hasPrefix("cannot sync: the cache file ")
        }
        await #expect(performing: { _ = try await store.begin(Stage.list) }, throws: isUnavailable)
        await #expect(
            performing: { _ = try await store.store(SyncedPart(items: [], pages: [], position: nil), ticket) },
            throws: isUnavailable)
        await #expect(performing: { _ = try await store.seenCount(ticket) }, throws: isUnavailable)
        await store.beat(ticket)
    }

    @Test func closedCacheFileCannotBeSynced() async throws {
        let stage = try SyncStoreStage()
        let ticket = try await stage.begin()
        await stage.source.close()
        await expectUnavailable(stage.store, ticket)
    }

    @Test func folderInPlaceOfTheCacheFileCannotBeSynced() async throws {
        let folder = try TemporaryDirectory()
        let clock = ClockMock()
        let source = EntityDataSource(path: FilePath(folder.path), limit: 1 << 20, clock: clock) { _ in }
        let ticket = SyncTicket(state: SyncState(set: Stage.list), number: 1, holder: 1)
        await expectUnavailable(source.syncStore(clock: clock), ticket)
        #expect(try await source.syncStore(clock: clock).states() == [])
    }

    @Test func lockedCacheFileReportsAnError() async throws {
        let stage = try SyncStoreStage()
        try await stage.sync(ids: "1")
        let other = try stage.connection()
        try other.execute("BEGIN IMMEDIATE")
        await #expect {
            _ = try await stage.store.begin(Stage.list)
        } throws: { error in
            guard let error = error as? LocalDataError else { return false }
            return !error.isUnavailable && error.message.hasPrefix("cannot sync: ")
        }
        try other.execute("ROLLBACK")
        #expect(try await stage.store.begin(Stage.list) != nil)
    }

    @Test func newSyncEndDescribesAnUnfinishedRun() {
        let end = SyncEnd()
        #expect(end.syncedAt == nil && !end.isWhole && !end.isHeld && end.continues && end.mark == .keep)
    }
}
