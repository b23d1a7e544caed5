import Synchronization
import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// Tests that one data source reports the changes that another data source makes to the same file.
@Suite(.limited) struct ForeignChangeTests {
    typealias Entries = LocalEntries

    /// Collects the reported changes.
    final class ChangeRecorder: Sendable {
        private let changes = Lock<[ForeignChange]>([])

        var all: [ForeignChange] { changes.withLock { $0 } }

        var record: @Sendable (ForeignChange) -> Void { { change in self.changes.withLock { $0.append(change) } } }

        /// Returns the changes reported since the last call.
        func take() -> [ForeignChange] {
            changes.withLock { changes in
                defer { changes = [] }
                return changes
            }
        }
    }

    private final class Flag: Sendable {
        let isRaised = Atomic(false)
    }

    let folder: TemporaryDirectory
    let recorder = ChangeRecorder()
    let otherRecorder = ChangeRecorder()

    init() throws { folder = try TemporaryDirectory() }

    private func make(_ recorder: ChangeRecorder) -> EntityDataSource {
        let source = EntityDataSource(
            path: folder.file("cache.sqlite"), limit: 1 << 20, clock: ClockMock(), onFault: { _ in })
        source.reportForeignChanges(to: recorder.record)
        return source
    }

    /// Creates two data sources that have both read the file.
    private func pair() async throws -> (EntityDataSource, EntityDataSource) {
        let (one, other) = (make(recorder), make(otherRecorder))
        one.save(Entries.change(Entries.item("1")))
        await one.flush()
        #expect(other.isCurrent, "a source that has read nothing is current")
        #expect(try await other.read(Entries.key("1")) != nil)
        #expect(other.isCurrent)
        return (one, other)
    }

    @Test func changesByAnotherDataSourceAreReported() async throws {
        let (one, other) = try await pair()
        one.save(
            LocalChange(
                items: [Entries.item("2"), Entries.item("é", of: Entries.location, isPartial: true)],
                page: Entries.page(1, ["2"])))
        one.remove(Entries.key("1"))
        one.remove(Entries.pageKey(7))
        await one.flush()
        #expect(!other.isCurrent)
        #expect(otherRecorder.all == [])
        await other.catchUp()
        #expect(other.isCurrent)
        let expected = ForeignChange.entries(
            items: [Entries.key("2"), Entries.key("é", of: Entries.location, isPartial: true), Entries.key("1")],
            pages: [Entries.pageKey(1), Entries.pageKey(7)])
        #expect(otherRecorder.take() == [expected])
        await other.catchUp()
        #expect(otherRecorder.all == [])
        #expect(recorder.all == [], "a source's own writes are not reported to it")
    }

    @Test func ownCommitDoesNotHideForeignChanges() async throws {
        let (one, other) = try await pair()
        one.save(Entries.change(Entries.item("2")))
        await one.flush()
        #expect(try await other.read(Entries.key("2")) != nil)
        #expect(!other.isCurrent)
        // The second source's own commit follows the commit of the first source, whose change must still be reported.
        other.save(Entries.change(Entries.item("3")))
        await other.flush()
        #expect(other.isCurrent)
        #expect(otherRecorder.take() == [.entries(items: [Entries.key("2")], pages: [])])
        await one.catchUp()
        #expect(recorder.take() == [.entries(items: [Entries.key("3")], pages: [])])
    }

    @Test(arguments: [true, false]) func foreignRemovalBySelectionIsReportedAsAChangeOfAllEntries(_ isRemoval: Bool)
        async throws
    {
        let (one, other) = try await pair()
        let selection = CacheSelection(resource: "character", ids: ["1"])
        _ = try await isRemoval ? one.remove(selection) : one.invalidate(selection)
        #expect(!other.isCurrent)
        await other.catchUp()
        #expect(otherRecorder.take() == [.everything])
    }

    @Test func pagesMadeStaleByAnotherDataSourceAreReported() async throws {
        let (one, other) = try await pair()
        let pages = [10, 10, 11].enumerated().map { number, count in
            PageEntity(
                key: Entries.pageKey(number), ids: [], info: [], fetchedAt: Timestamp(milliseconds: 0), count: count)
        }
        for page in pages.prefix(2) { one.save(LocalChange(items: [], page: page)) }
        await one.flush()
        await other.catchUp()
        _ = otherRecorder.take()
        one.save(LocalChange(items: [], page: pages[2]))
        await one.flush()
        await other.catchUp()
        guard case .entries([], let stale) = otherRecorder.all.first else { return #expect(Bool(false)) }
        #expect(Set(stale) == Set(pages.map(\.key)))
    }

    @Test func manyChangesByOtherProcessesAreReportedAsAChangeOfAllEntries() async throws {
        let (one, other) = try await pair()
        one.save(LocalChange(items: (0..<1000).map { Entries.item("\($0)") }))
        await one.flush()
        await other.catchUp()
        guard case .entries(let items, []) = otherRecorder.take().first else { return #expect(Bool(false)) }
        #expect(items.count == 1000)
        one.save(LocalChange(items: (0..<1001).map { Entries.item("\($0)") }))
        await one.flush()
        await other.catchUp()
        #expect(otherRecorder.take() == [.everything])
    }

    @Test func lossOfUnreadChangeLogRowsIsReportedAsAChangeOfAllEntries() async throws {
        let store = EntityStore(
            try DatabaseFile(
                path: folder.file("cache.sqlite"), migrations: EntitySchema.migrations, synchronous: "OFF",
                cacheSize: 1024
            ).open(now: Timestamp(milliseconds: 0)).connection, writer: 1)
        let other = EntityStore(store.connection, writer: 2)
        let now = Timestamp(milliseconds: 0)
        try store.apply([.save(Entries.change(Entries.item("1")))], now: now)
        try other.apply([.save(Entries.change(Entries.item("2")))], now: now)
        for _ in 0..<12 {
            let removals = (0..<1000).map { EntityStore.Write.removeItem(Entries.key("\($0)")) }
            try store.apply(removals, now: now)
        }
        #expect(try store.connection.integer("SELECT count(*) FROM changes") <= ChangeLog.maxRows * 11 / 10 + 1)
        #expect(try store.changes.newest() == 12_002)
        #expect(try other.changes.foreign(after: 1, other.resources).0 == .everything)
        // The remaining rows are the first writer's own. The row of the other writer was removed, so everything may
        // have changed.
        #expect(try store.changes.foreign(after: 1, store.resources).0 == .everything)
        #expect(try other.changes.foreign(after: 12_002, other.resources).0 == nil)
        #expect(
            try other.changes.foreign(after: 12_000, other.resources).0
                == .entries(items: [998, 999].map { Entries.key("\($0)") }, pages: []))
        #expect(try store.changes.foreign(after: 12_000, store.resources).0 == nil)
        // The file was replaced if the last row that was read has a larger number than the newest row.
        #expect(try other.changes.foreign(after: 99_999, other.resources).0 == .everything)
    }

    /// A process's own writes must not send its hits in memory to the file.
    @Test func ownWritesDoNotCountAsForeignChanges() async throws {
        let source = make(recorder)
        source.save(Entries.change(Entries.item("1")))
        await source.flush()
        let end = Flag()
        try await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask {
                var stale = 0
                while !end.isRaised.load(ordering: .relaxed) { if !source.isCurrent { stale += 1 } }
                return stale
            }
            for number in 0..<100 {
                source.save(Entries.change(Entries.item("\(number)")))
                if number % 3 == 0 { await source.flush() }
                _ = try await source.read(Entries.key("\(number)"))
            }
            await source.flush()
            end.isRaised.store(true, ordering: .relaxed)
            for try await stale in group { #expect(stale == 0) }
        }
        #expect(recorder.all == [])
    }

    /// Both sources write at the same time. Whatever the order of commits and checks, every change by the other source
    /// is reported, and no source gets a report of its own changes.
    @Test func concurrentChangesAreAllReported() async throws {
        let (one, other) = try await pair()
        let sources = [("a", one), ("b", other)]
        await withTaskGroup(of: Void.self) { group in
            for (name, source) in sources {
                group.addTask {
                    for number in 0..<300 {
                        source.save(Entries.change(Entries.item("\(name)\(number)")))
                        if number % 3 == 0 { await source.flush() }
                        if number % 7 == 0, !source.isCurrent { await source.catchUp() }
                    }
                    await source.flush()
                }
            }
        }
        for (name, source) in sources {
            while !source.isCurrent { await source.catchUp() }
            var items: [String] = []
            for case .entries(let keys, _) in (name == "a" ? recorder : otherRecorder).all { items += keys.map(\.id) }
            let others = (0..<300).map { "\(name == "a" ? "b" : "a")\($0)" }
            #expect(Set(items).isSuperset(of: others))
            #expect(!items.contains { $0.hasPrefix(name) })
        }
    }

    @Test func changesInAReplacedFileAreReported() async throws {
        let (one, other) = try await pair()
        for name in folder.names { folder.delete(name) }
        one.save(Entries.change(Entries.item("2")))
        await one.flush()
        #expect(recorder.all == [], "this source created the new file")
        other.save(Entries.change(Entries.item("3")))
        await other.flush()
        #expect(otherRecorder.take() == [.everything])
        #expect(other.isCurrent)
        #expect(try await other.read(Entries.key("2")) == Entries.item("2"))
        await one.catchUp()
        #expect(recorder.take() == [.entries(items: [Entries.key("3")], pages: [])])
    }
}
