import DataSources
import Synchronization
import System
import TestSupport
import Testing

@testable import Model
@testable import Repositories

/// Tests which watchers are called for each change.
@Suite(.limited) struct ChangeHubTests {
    private let hub = ChangeHub(sleep: SleepMock().sleep)
    private let resource = ResourceKey(name: "thing", fingerprint: .init(high: 1, low: 2))

    private func item(_ id: String) -> ItemKey { ItemKey(resource: resource, id: id) }

    private func page(_ number: Int) -> PageKey { PageKey(resource: resource, PageRequest(page: .number(number))) }

    /// Adds a watcher and counts its calls.
    private func watch(_ subject: ChangeHub.Subject) -> (number: Int, calls: Counter) {
        let calls = Counter()
        return (hub.watch(subject) { calls.add() }, calls)
    }

    @Test func watcherIsCalledOnlyForItsOwnItemOrPage() {
        let (one, two, list) = (watch(.item(item("1"))), watch(.item(item("2"))), watch(.page(page(1))))
        hub.changed(items: [item("1")])
        #expect([one, two, list].map(\.calls.count) == [1, 0, 0])
        hub.changed(items: [], page: page(1))
        hub.changed(items: [item("3")], pages: [page(2)])
        #expect([one, two, list].map(\.calls.count) == [1, 0, 1])
        hub.changedAll()
        #expect([one, two, list].map(\.calls.count) == [2, 1, 2])
    }

    @Test func simultaneousChangesCauseOneCall() {
        let list = watch(.page(page(1)))
        #expect(hub.shows([item("1"), item("2")], list.number))
        hub.changed(items: [item("1"), item("2")], page: page(1))
        #expect(list.calls.count == 1)
    }

    @Test func pageWatcherIsCalledOnlyForChangesOfItemsOnThePage() {
        let list = watch(.page(page(1)))
        #expect(hub.shows([item("1"), item("2")], list.number))
        #expect(!hub.shows([item("1"), item("2")], list.number), "the items are the same")
        #expect(hub.shows([item("2"), item("3")], list.number))
        hub.changed(items: [item("1")])
        #expect(list.calls.count == 0)
        hub.changed(items: [item("2")])
        hub.changed(items: [item("3")])
        #expect(list.calls.count == 2)
    }

    @Test func stoppedWatcherIsNotCalled() {
        let (one, list) = (watch(.item(item("1"))), watch(.page(page(1))))
        #expect(hub.shows([item("1")], list.number))
        hub.stop(list.number)
        hub.stop(list.number)
        #expect(!hub.shows([item("1")], list.number))
        hub.changed(items: [item("1")], page: page(1))
        hub.changedAll()
        #expect(list.calls.count == 0 && one.calls.count == 2)
        hub.stop(one.number)
        #expect(!hub.isWatched)
        hub.changedAll()
        #expect(one.calls.count == 2)
    }

    /// Cancellation handlers run before `cancel` returns.
    @Test func pollingForChangesByOtherProcessesStopsWhenTheLastWatcherLeaves() async throws {
        let (slept, isOver) = (Gate(), Lock(false))
        let hub = ChangeHub(sleep: { _ in
            await withTaskCancellationHandler {
                slept.open()
                try? await Gate().wait()
            } onCancel: {
                isOver.withLock { $0 = true }
            }
        })
        hub.follow {}
        let numbers = [hub.watch(.item(item("1"))) {}, hub.watch(.item(item("2"))) {}]
        try await slept.wait()
        hub.stop(numbers[0])
        #expect(!isOver.withLock { $0 })
        hub.stop(numbers[1])
        #expect(isOver.withLock { $0 })
    }

    private final class Counter: Sendable {
        private let calls = Atomic<Int>(0)
        var count: Int { calls.load(ordering: .sequentiallyConsistent) }
        func add() { calls.add(1, ordering: .sequentiallyConsistent) }
    }
}
