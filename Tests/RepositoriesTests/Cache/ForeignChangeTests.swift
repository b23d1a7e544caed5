import DataSources
import Mocks
import TestSupport
import Testing

@testable import Model
@testable import Repositories

/// Changes by other processes, as observers and reads notice them.
@Suite(.limited) struct ForeignChangeTests {
    private static let interval = Duration.milliseconds(250)
    private let second = LocalDataSourceMock()

    /// Creates a stage whose file another process may change.
    private func stage() throws -> Stage {
        let stage = try Stage(persistence: .double(second))
        second.succeed()
        return stage
    }

    /// Lets another process write an item.
    private func write(_ item: ItemEntity) {
        second.foreignChange(.entries(items: [item.key], pages: [])) { [second] in second.succeed(items: [item]) }
    }

    @Test func foreignChangeIsReportedAtTheNextCheck() async throws {
        let stage = try stage()
        let diary = ObservationRecorder()
        stage.memory.save(LocalChange(items: [stage.entity("1", "old")]))
        let stop = await stage.repository.observeItem("1", tell: diary.note)
        await stage.sleep.begun(1, for: Self.interval)
        write(stage.entity("1", "foreign"))
        stage.sleep.wake(from: Self.interval)
        await diary.has(1)
        #expect(diary.entries == ["item \(Stage.text("1", "foreign")) persistence"])
        stop()
    }

    @Test func allObserversReadAgainAfterAChangeOfAllEntries() async throws {
        let stage = try stage()
        let (one, two) = (ObservationRecorder(), ObservationRecorder())
        stage.memory.save(LocalChange(items: [stage.entity("1", "a"), stage.entity("2", "b")]))
        let stops = [
            await stage.repository.observeItem("1", tell: one.note),
            await stage.repository.observeItem("2", tell: two.note),
        ]
        second.succeed(items: [stage.entity("2", "b")])
        second.foreignChange(.everything)
        await stage.cache.catchUp()
        await one.has(1)
        await stage.sleep.begun(2, for: .milliseconds(100))
        #expect(one.entries == ["gone"] && two.entries == [])
        for stop in stops { stop() }
    }

    @Test func changesByOtherProcessesAreSoughtOnlyWhileAnObserverExists() async throws {
        let stage = try stage()
        #expect(!stage.cache.hub.isWatched)
        let stops = [
            await stage.repository.observeItem("1") { _ in }, await stage.repository.observeItem("2") { _ in },
        ]
        await stage.sleep.begun(1, for: Self.interval)
        stops[0]()
        stage.sleep.wake(from: Self.interval)
        await stage.sleep.begun(2, for: Self.interval)
        stops[1]()
        // The check is cancelled and does not wait for the interval's end.
        #expect(!stage.cache.hub.isWatched)
        let again = await stage.repository.observeItem("1") { _ in }
        await stage.sleep.begun(3, for: Self.interval)
        again()
    }

    @Test func pageIsReadAgainOnceItsItemsAreObserved() async throws {
        let stage = try stage()
        let key = stage.pageKey(PageRequest())
        let page = PageEntity(key: key, ids: ["1"], info: [], fetchedAt: stage.clock.now())
        second.succeed(items: [stage.entity("1")], pages: [page])
        // A change between the first read and the registration of the items would otherwise be missed.
        let stop = await stage.repository.observePage(PageRequest()) { _ in }
        #expect(second.calls.filter { $0 == .read([.page(key)]) }.count == 2)
        stop()
    }

    @Test func foreignChangesAreLoadedBeforeARead() async throws {
        let stage = try stage()
        stage.memory.save(LocalChange(items: [stage.entity("1", "old")]))
        write(stage.entity("1", "foreign"))
        #expect(stage.repository.cachedItem("1", CacheControl()) == nil)
        #expect(stage.repository.cachedItems(["1"], CacheControl()) == nil)
        #expect(stage.repository.cachedPage(PageRequest(), CacheControl()) == nil)
        let answer = try await stage.repository.item("1", CacheControl())
        #expect(answer.value.text == Stage.text("1", "foreign") && answer.source == .persistence)
        #expect(stage.repository.cachedItem("1", CacheControl())?.value.text == Stage.text("1", "foreign"))
    }

    @Test func foreignChangesAreLoadedBeforeReadsOfBatchesAndPages() async throws {
        let stage = try stage()
        stage.memory.save(LocalChange(items: [stage.entity("1", "old")]))
        write(stage.entity("1", "foreign"))
        #expect(
            try await stage.repository.items(["1"], CacheControl()).items.map(\.text) == [Stage.text("1", "foreign")])
        try stage.servePage("1")
        second.foreignChange {}
        _ = try await stage.repository.page(PageRequest(), CacheControl())
        #expect(second.isCurrent)
        second.foreignChange {}
        _ = try await stage.repository.prefetch(filters: [], limit: 1) { _, _ in }
        #expect(second.isCurrent)
    }
}
