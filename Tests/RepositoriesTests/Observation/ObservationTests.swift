import DataSources
import System
import TestSupport
import Testing

@testable import Model
@testable import Repositories

/// Tests which changes observers report.
@Suite(.limited) struct ObservationTests {
    private static let pause = Duration.milliseconds(100)
    private let request = PageRequest()

    /// Waits for a number of reads, then allows the next one.
    private func allowNextRead(_ stage: Stage, _ count: Int) async {
        await stage.sleep.begun(count, for: Self.pause)
        stage.sleep.wake(from: Self.pause)
    }

    @Test func refreshOfAnItemIsReportedToItsObserver() async throws {
        let stage = try Stage()
        let diary = ObservationRecorder()
        stage.keep(stage.entity("1", "old"))
        try stage.serve("1")
        let stop = await stage.repository.observeItem("1", tell: diary.note)
        _ = try await stage.repository.item("1", CacheControl(.remoteFirst))
        await diary.has(1)
        #expect(diary.entries == ["item \(Stage.text("1", "new")) memory"])
        stop()
    }

    @Test func firstFetchOfAnItemIsReportedToItsObserver() async throws {
        let stage = try Stage()
        let diary = ObservationRecorder()
        try stage.serve("1")
        let stop = await stage.repository.observeItem("1", tell: diary.note)
        _ = try await stage.repository.item("1", CacheControl())
        await diary.has(1)
        #expect(diary.entries == ["item \(Stage.text("1", "new")) memory"])
        stop()
    }

    @Test func itemFetchedWithAPageIsReported() async throws {
        let stage = try Stage()
        let diary = ObservationRecorder()
        stage.keep(stage.entity("2", "old"))
        try stage.servePage("1", "2")
        let stop = await stage.repository.observeItem("2", tell: diary.note)
        _ = try await stage.repository.page(request, CacheControl())
        await diary.has(1)
        #expect(diary.entries == ["item \(Stage.text("2", "new")) memory"])
        stop()
    }

    @Test func itemFetchedInABatchIsReported() async throws {
        let stage = try Stage(maxIDs: 10)
        let diary = ObservationRecorder()
        try stage.serve("1", "2")
        let stop = await stage.repository.observeItem("2", tell: diary.note)
        _ = try await stage.repository.items(["1", "2"], CacheControl())
        await diary.has(1)
        #expect(diary.entries == ["item \(Stage.text("2", "new")) memory"])
        stop()
    }

    @Test func removedItemIsReportedAsGone() async throws {
        let stage = try Stage()
        let (item, page) = (ObservationRecorder(), ObservationRecorder())
        try stage.servePage("1", "2")
        try stage.serve("2")
        _ = try await stage.repository.page(request, CacheControl())
        let stops = [
            await stage.repository.observeItem("1", tell: item.note),
            await stage.repository.observePage(request, tell: page.note),
        ]
        await #expect(throws: RepositoryError.self) { try await stage.repository.item("1", CacheControl(.remoteFirst)) }
        await item.has(1)
        await page.has(1)
        #expect(item.entries == ["gone"])
        #expect(page.entries == ["gone"], "a page is cached only while all of its items are")
        for stop in stops { stop() }
    }

    @Test func changedPageIsReportedWithItsItems() async throws {
        let stage = try Stage()
        let diary = ObservationRecorder()
        try stage.servePage("1", "2")
        _ = try await stage.repository.page(request, CacheControl())
        let stop = await stage.repository.observePage(request, tell: diary.note)
        try stage.servePage("3", name: "newer")
        _ = try await stage.repository.page(request, CacheControl(.remoteFirst))
        await diary.has(1)
        #expect(diary.entries == ["page \(Stage.text("3", "newer")) memory"])
        stop()
    }

    @Test func pageIsReportedIfOneOfItsItemsChanges() async throws {
        let stage = try Stage()
        let diary = ObservationRecorder()
        try stage.servePage("1", "2")
        try stage.serve("2", name: "newer")
        _ = try await stage.repository.page(request, CacheControl())
        let stop = await stage.repository.observePage(request, tell: diary.note)
        _ = try await stage.repository.item("2", CacheControl(.remoteFirst))
        await diary.has(1)
        #expect(diary.entries == ["page \(Stage.text("1", "new"))\(Stage.text("2", "newer")) memory"])
        stop()
    }

    @Test func changeOfAnItemThatLeftThePageDoesNotReportThePage() async throws {
        let stage = try Stage()
        let diary = ObservationRecorder()
        try stage.servePage("1")
        _ = try await stage.repository.page(request, CacheControl())
        let stop = await stage.repository.observePage(request, tell: diary.note)
        try stage.servePage("2")
        _ = try await stage.repository.page(request, CacheControl(.remoteFirst))
        await allowNextRead(stage, 1)
        stage.save(LocalChange(items: [stage.entity("1", "other")]))
        stage.save(LocalChange(items: [stage.entity("2", "other")]))
        await allowNextRead(stage, 2)
        #expect(
            diary.entries == ["page \(Stage.text("2", "new")) memory", "page \(Stage.text("2", "other")) memory"])
        stop()
    }

    @Test func unchangedBytesAreNotReportedToObservers() async throws {
        let stage = try Stage()
        let diary = ObservationRecorder()
        stage.keep(stage.entity("1", "same", age: 5))
        let stop = await stage.repository.observeItem("1", tell: diary.note)
        stage.save(LocalChange(items: [stage.entity("1", "same")]))
        await allowNextRead(stage, 1)
        #expect(diary.entries == [])
        stage.save(LocalChange(items: [stage.entity("1", "other")]))
        await allowNextRead(stage, 2)
        #expect(diary.entries == ["item \(Stage.text("1", "other")) memory"])
        stop()
    }

    /// The list has grown, but the items of this page are the same.
    @Test func pageIsReportedIfOnlyItsInfoChanges() async throws {
        let stage = try Stage()
        let diary = ObservationRecorder()
        try stage.servePages(2)
        _ = try await stage.repository.page(request, CacheControl())
        let stop = await stage.repository.observePage(request, tell: diary.note)
        try stage.servePages(3)
        _ = try await stage.repository.page(request, CacheControl(.remoteFirst))
        await allowNextRead(stage, 1)
        #expect(diary.entries == ["page \(Stage.text("1", "new")) memory"])
        stop()
    }

    @Test func changesOfOtherEntriesAreNotReported() async throws {
        let stage = try Stage()
        let diary = ObservationRecorder()
        let stop = await stage.repository.observeItem("1", tell: diary.note)
        stage.save(LocalChange(items: [stage.entity("2")]))
        stage.save(
            LocalChange(items: [
                ItemEntity(
                    key: ItemKey(resource: stage.key, id: "1", isPartial: true), json: Stage.bytes("1", "part"),
                    fetchedAt: stage.clock.now())
            ]))
        stage.save(LocalChange(items: [stage.entity("1", "mine")]))
        await allowNextRead(stage, 1)
        #expect(diary.entries == ["item \(Stage.text("1", "mine")) memory"])
        stop()
    }

    @Test func frequentChangesAreThrottledAndTheLatestIsReported() async throws {
        let stage = try Stage()
        let diary = ObservationRecorder()
        let stop = await stage.repository.observeItem("1", tell: diary.note)
        for number in 1...1000 {
            stage.save(LocalChange(items: [stage.entity("1", "\(number)")]))
        }
        await stage.sleep.begun(1, for: Self.pause)
        stage.sleep.wake(from: Self.pause)
        await diary.endsWith("item \(Stage.text("1", "1000")) memory")
        #expect(diary.entries.count <= 2)
        stop()
    }

    @Test func nothingIsReportedAfterStop() async throws {
        let stage = try Stage()
        let (ended, other) = (ObservationRecorder(), ObservationRecorder())
        let stop = await stage.repository.observeItem("1", tell: ended.note)
        let stopOther = await stage.repository.observeItem("1", tell: other.note)
        stop()
        stop()
        stage.save(LocalChange(items: [stage.entity("1")]))
        await other.has(1)
        await stage.sleep.begun(1, for: Self.pause)
        #expect(ended.entries == [])
        stopOther()
        #expect(!stage.cache.hub.isWatched)
    }

    @Test func pendingChangeIsNotReportedAfterStop() async throws {
        let stage = try Stage()
        let diary = ObservationRecorder()
        let stop = await stage.repository.observeItem("1", tell: diary.note)
        stage.save(LocalChange(items: [stage.entity("1", "a")]))
        await stage.sleep.begun(1, for: Self.pause)
        stage.save(LocalChange(items: [stage.entity("1", "b")]))
        stop()
        stage.sleep.wake(from: Self.pause)
        let other = ObservationRecorder()
        let stopOther = await stage.repository.observeItem("1", tell: other.note)
        stage.save(LocalChange(items: [stage.entity("1", "c")]))
        await other.has(1)
        #expect(diary.entries == ["item \(Stage.text("1", "a")) memory"])
        stopOther()
    }

    @Test func observationCountsNoHitsAndMakesNoRequests() async throws {
        let stage = try Stage()
        stage.keep(stage.entity("1"))
        let stop = await stage.repository.observeItem("1") { _ in }
        #expect(stage.repository.statistics == ResourceStatistics(hits: 0, misses: 0))
        #expect(stage.remote.calls == [])
        stop()
    }

    @Test func observationStatesWhetherItIsStale() async throws {
        let stage = try Stage()
        let stale = Lock<[Bool]>([])
        let stop = await stage.repository.observeItem("1") { observation in
            if case .item(let answer) = observation { stale.withLock { $0.append(answer.isStale) } }
        }
        stage.save(LocalChange(items: [stage.entity("1", "a", age: 2 * Stage.hour)]))
        await allowNextRead(stage, 1)
        stage.save(LocalChange(items: [stage.entity("1", "b")]))
        await allowNextRead(stage, 2)
        #expect(stale.withLock { $0 } == [true, false])
        stop()
    }
}
