import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// Tests the runs of synced sets in a cache file, and the items that they store.
@Suite(.limited) struct SyncStoreTests {
    typealias Entries = LocalEntries
    typealias Stage = SyncStoreStage

    let stage: SyncStoreStage
    var store: FileSyncStore { stage.store }

    init() throws { stage = try SyncStoreStage() }

    // MARK: Tickets

    @Test func firstSyncRunStartsANewLocalCopy() async throws {
        let ticket = try await stage.begin()
        #expect(ticket.state == SyncState(set: Stage.list))
        #expect(try await store.states() == [SyncState(set: Stage.list)])
    }

    @Test func cacheFileThatWasNeverSyncedHasNoLocalCopies() async throws {
        #expect(try await store.states() == [])
        stage.source.save(Entries.change(Entries.item("1")))
        #expect(try await store.states() == [])
        #expect(try stage.connection().integer("SELECT count(*) FROM sqlite_schema WHERE name = 'syncs'") == 0)
    }

    @Test func secondSyncRunCannotStartUntilTheFirstIsInactiveFor10Seconds() async throws {
        _ = try await stage.begin()
        #expect(try await store.begin(Stage.list) == nil)
        stage.clock.advance(milliseconds: 10_000)
        #expect(try await store.begin(Stage.list) == nil)
        stage.clock.advance(milliseconds: 1)
        #expect(try await store.begin(Stage.list) != nil)
    }

    @Test func secondSyncRunStartsAtOnceIfTheProcessOfTheFirstHasEnded() async throws {
        let ticket = try await stage.begin()
        // Linux assigns smaller process ids than this.
        let ended = ticket.holder | (0x3F_FFFF << 41)
        try stage.connection().execute("UPDATE syncs SET holder = \(ended)")
        let second = try await store.begin(Stage.list)
        #if os(Linux)
            #expect(second != nil)
        #else
            #expect(second == nil)
        #endif
    }

    @Test func processOfAnotherContainerIsNotRegardedAsEnded() throws {
        let own = SyncHolder.make()
        #expect(!SyncHolder.hasEnded(own) && own != SyncHolder.make())
        let ended = own | (0x3F_FFFF << 41)
        #if os(Linux)
            #expect(SyncHolder.hasEnded(ended))
        #endif
        for bit in 21..<41 { #expect(!SyncHolder.hasEnded(ended ^ (1 << Int64(bit)))) }
        #expect(!SyncHolder.hasEnded(0))
    }

    #if os(Linux)
        /// The parent of a killed process may read the exit code much later.
        @Test func processThatItsParentHasNotWaitedForIsRegardedAsEnded() throws {
            let own = SyncHolder.make()
            var child = pid_t()
            var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
            defer { free(arguments[0]) }
            #expect(posix_spawnp(&child, "true", nil, nil, &arguments, nil) == 0)
            var info = siginfo_t()
            #expect(waitid(P_PID, id_t(child), &info, WEXITED | WNOWAIT) == 0)
            let zombie = (own & ((1 << 41) - 1)) | (Int64(child) << 41)
            #expect(SyncHolder.hasEnded(zombie))
            #expect(waitpid(child, nil, 0) == child)
            #expect(SyncHolder.hasEnded(zombie))
        }
    #endif

    @Test func activeSyncRunKeepsItsLocalCopy() async throws {
        let ticket = try await stage.begin()
        stage.clock.advance(milliseconds: 9000)
        await store.beat(ticket)
        stage.clock.advance(milliseconds: 9000)
        #expect(try await store.begin(Stage.list) == nil)
        _ = try await stage.store([], ticket)
        stage.clock.advance(milliseconds: 9000)
        #expect(try await store.begin(Stage.list) == nil)
    }

    @Test func secondSyncRunCanStartIfTheFirstWasActiveMoreThan10SecondsInTheFuture() async throws {
        _ = try await stage.begin()
        stage.clock.advance(milliseconds: -10_000)
        #expect(try await store.begin(Stage.list) == nil)
        stage.clock.advance(milliseconds: -1)
        #expect(try await store.begin(Stage.list) != nil)
    }

    @Test func finishedSyncRunReleasesItsLocalCopy() async throws {
        let ticket = try await stage.begin()
        _ = try await store.end(ticket, syncedAt: nil, isWhole: false, isHeld: false, continues: true)
        #expect(try await store.begin(Stage.list) != nil)
        #expect(try await store.store(stage.part([Entries.item("1")]), ticket) == nil, "the ticket is used up")
    }

    @Test func differentListsCanBeSyncedAtTheSameTime() async throws {
        let sets = [
            Stage.list, Stage.filtered, SyncSet(resource: Entries.otherCharacter, list: "{}"),
            SyncSet(resource: Entries.location, list: "{}"),
        ]
        for set in sets { #expect(try await stage.begin(set).state.set == set) }
        #expect(try await store.states().map(\.set) == sets)
    }

    @Test func syncRunThatWasTakenOverChangesNothing() async throws {
        try await stage.sync(ids: "1", "2")
        let lost = try await stage.begin()
        stage.clock.advance(milliseconds: 10_001)
        let ticket = try await stage.begin()
        let before = try await store.states()
        let later = stage.clock.now()
        #expect(try await store.store(stage.part([Entries.item("3")], next: .number(2)), lost) == nil)
        for deletes in [true, false] {
            #expect(try await store.remove([Entries.key("1")], lost, before: stage.later, deletes: deletes) == nil)
        }
        try await store.invalidateAbsent(lost, before: later)
        #expect(try await store.end(lost, syncedAt: later, isWhole: true, isHeld: false, continues: false) == nil)
        #expect(try await store.states() == before)
        #expect(
            try await stage.source.read(["1", "2", "3"].map { Entries.key($0) })
                == [Entries.item("1"), Entries.item("2"), nil])
        _ = try await stage.store([Entries.item("1")], ticket)
        try await store.restart(lost)
        #expect(try await store.seenCount(ticket) == 1)
        stage.clock.advance(milliseconds: 10_001)
        await store.beat(lost)
        #expect(try await store.begin(Stage.list) != nil, "the sign of life of a lost run does not count")
    }

    // MARK: Items

    @Test func itemsStoredByASyncRunAreInTheLocalCopy() async throws {
        let ticket = try await stage.begin()
        let items = [Entries.item("1"), Entries.item("2")]
        let page = Entries.page(1, ["1", "2"])
        let changes = try #require(await store.store(stage.part(items, pages: [page]), ticket))
        var expected = SyncedChanges()
        (expected.added, expected.written) = (items.map(\.key), items)
        #expect(changes == expected)
        let stored = try await stage.source.read(page.key)
        #expect(stored?.page == page && stored?.items == PackedItems(items))
        #expect(try await stage.state()?.items == 2)
        #expect(try await store.seenCount(ticket) == 2)
    }

    @Test func syncRunDoesNotWriteUnchangedItems() async throws {
        try await stage.sync(ids: "1")
        let ticket = try await stage.begin()
        #expect(try await stage.store([Entries.item("1", at: 2000)], ticket) == SyncedChanges())
        #expect(try await stage.source.read(Entries.key("1"))?.fetchedAt == Timestamp(milliseconds: 1000))
    }

    @Test func changedItemsReplaceTheStoredItems() async throws {
        try await stage.sync(ids: "1", "2")
        let ticket = try await stage.begin()
        let item = Entries.item("2", json: #"{"id":2,"name":"new"}"#, at: 2000)
        var expected = SyncedChanges()
        (expected.changed, expected.written) = ([item.key], [item])
        #expect(try await stage.store([Entries.item("1"), item], ticket) == expected)
        #expect(try await stage.source.read(item.key) == item)
        #expect(try await stage.state()?.items == 2)
    }

    /// Another request may store a newer version while the run waits for the API.
    @Test func syncRunKeepsANewerVersionOfAnItem() async throws {
        try await stage.sync(ids: "1")
        let ticket = try await stage.begin()
        let now = stage.clock.now().milliseconds
        let newer = Entries.item("1", json: #"{"id":1,"name":"newer"}"#, at: now)
        stage.source.save(LocalChange(items: [newer]))
        await stage.source.flush()
        let older = Entries.item("1", json: #"{"id":1,"name":"older"}"#, at: now - 1)
        #expect(try await stage.store([older], ticket) == SyncedChanges())
        #expect(try await stage.source.read(newer.key) == newer)
        #expect(try await store.seenCount(ticket) == 1)
        let same = Entries.item("1", json: #"{"id":1,"name":"same"}"#, at: now)
        var expected = SyncedChanges()
        (expected.changed, expected.written, expected.repeated) = ([same.key], [same], 1)
        #expect(try await stage.store([same], ticket) == expected)
    }

    /// The clock was ahead when the item was stored.
    @Test func syncRunReplacesAnItemWithATimeInTheFuture() async throws {
        try await stage.sync(ids: "1")
        let now = stage.clock.now().milliseconds
        stage.source.save(LocalChange(items: [Entries.item("1", json: #"{"id":1,"name":"later"}"#, at: now + 1)]))
        await stage.source.flush()
        let item = Entries.item("1", at: now)
        #expect(try await stage.store([item], stage.begin()).written == [item])
    }

    @Test func syncRunWritesAStaleItemButDoesNotReportItAsChanged() async throws {
        try await stage.sync(ids: "1")
        #expect(try await stage.source.invalidate(CacheSelection(ids: ["1"])) == 1)
        let item = Entries.item("1", at: 2000)
        let ticket = try await stage.begin()
        var expected = SyncedChanges()
        expected.written = [item]
        #expect(try await stage.store([item], ticket) == expected)
        #expect(try await stage.source.read(item.key) == item)
    }

    @Test(arguments: [(1999, false), (2000, false), (2001, true), (1000, false), (999, false)])
    func unchangedItemIsWrittenAgainOnlyIfItIsOld(time: Int64, isWritten: Bool) async throws {
        try await stage.sync(ids: "1")
        let ticket = try await stage.begin()
        let item = Entries.item("1", at: time)
        let changes = try #require(await store.store(SyncedPart(items: [item], maxAge: 1000), ticket))
        #expect(changes.written == (isWritten ? [item] : []) && changes.changed == [])
    }

    @Test func damagedItemIsWrittenAgain() async throws {
        try await stage.sync(ids: "1")
        try stage.connection().execute("UPDATE items SET checksum = 7")
        let ticket = try await stage.begin()
        #expect(try await stage.store([Entries.item("1")], ticket).written == [Entries.item("1")])
        #expect(try await stage.source.read(Entries.key("1")) == Entries.item("1"))
    }

    @Test func cachedItemIsAddedToTheLocalCopyButNotWrittenAgain() async throws {
        stage.source.save(Entries.change(Entries.item("1")))
        let ticket = try await stage.begin()
        var expected = SyncedChanges()
        expected.added = [Entries.key("1")]
        #expect(try await stage.store([Entries.item("1", at: 2000)], ticket) == expected)
    }

    @Test func itemsThatASyncRunReadsTwiceAreCountedAsRepeated() async throws {
        try await stage.sync(ids: "1")
        let ticket = try await stage.begin()
        #expect(try await stage.store([Entries.item("1"), Entries.item("2")], ticket).repeated == 0)
        let changes = try await stage.store(["2", "3", "3"].map { Entries.item($0) }, ticket, next: .number(3))
        #expect(changes.repeated == 2 && changes.added == [Entries.key("3")])
        #expect(try await store.seenCount(ticket) == 3)
        #expect(try await stage.state()?.position?.totals.hasRepeated == true)
    }

    @Test func writtenItemsAreReportedToOtherProcesses() async throws {
        let other = stage.anotherSource()
        try await stage.sync(ids: "1")
        #expect(try await other.read(Entries.key("1")) == Entries.item("1"))
        let told = Lock<[ForeignChange]>([])
        other.reportForeignChanges { change in told.withLock { $0.append(change) } }
        try await stage.sync([Entries.item("1", json: "{}")])
        await other.catchUp()
        #expect(told.withLock { $0 } == [.entries(items: [Entries.key("1")], pages: [])])
        #expect(try await other.read(Entries.key("1"))?.json == Array("{}".utf8))
    }

    // MARK: Progress

    @Test func restartedSyncRunForgetsTheItemsThatItHasRead() async throws {
        let ticket = try await stage.reading(ids: "1", "2")
        #expect(try await store.seenCount(ticket) == 2)
        try await store.restart(ticket)
        #expect(try await store.seenCount(ticket) == 0)
        #expect(try await stage.absent(ticket) == ["1", "2"])
        #expect(try await stage.store([Entries.item("1")], ticket).repeated == 0)
    }

    @Test func interruptedRunIsContinuedByTheNextRun() async throws {
        let ticket = try await stage.begin()
        let start = stage.clock.now()
        _ = try await stage.store([Entries.item("1")], ticket, next: .opaque("b"))
        // The run ends without a sign, as after a kill.
        stage.clock.advance(milliseconds: 10_001)
        let next = try #require(await stage.anotherSource().syncStore(clock: stage.clock).begin(Stage.list))
        #expect(next.state.position == SyncPosition(page: .opaque("b"), start: start))
        #expect(next.state.items == 1 && next.state.syncedAt == nil)
        #expect(try await store.seenCount(next) == 1)
        #expect(try await stage.store([Entries.item("1")], next).repeated == 1)
    }

    @Test(arguments: [true, false]) func positionIsStoredOnlyIfTheNextSyncRunMayContinue(continues: Bool) async throws {
        let ticket = try await stage.begin()
        _ = try await stage.store([Entries.item("1")], ticket, next: .number(2))
        let ended = try await store.end(ticket, syncedAt: nil, isWhole: false, isHeld: false, continues: continues)
        let state = try #require(ended)
        #expect(state.position == (continues ? SyncPosition(page: .number(2), start: stage.clock.now()) : nil))
        #expect((state.items, state.generation, state.syncedAt, state.wholeAt) == (1, 0, nil, nil))
        #expect(try await stage.state() == state)
    }

    @Test func endOfACompleteSyncRunIsRecorded() async throws {
        let state = try await stage.sync(ids: "1", "2")
        let start = stage.clock.now()
        #expect((state.items, state.generation, state.isPartial, state.position) == (2, 1, false, nil))
        #expect(state.syncedAt == start && state.wholeAt == start)
        #expect(try await stage.state() == state)
    }

    @Test func syncRunThatMayLackItemsIsNotRecordedAsComplete() async throws {
        let whole = try await stage.sync(ids: "1").wholeAt
        let ticket = try await stage.reading(ids: "1", "2")
        let start = stage.clock.now()
        let ended = try await store.end(ticket, syncedAt: start, isWhole: false, isHeld: false, continues: false)
        let state = try #require(ended)
        #expect((state.syncedAt, state.wholeAt, state.generation, state.items) == (start, whole, 1, 2))
        #expect(try await stage.state() == state)
    }
}
