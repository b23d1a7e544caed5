import Synchronization
import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// What one data source writes, another one over the same file is told.
@Suite(.limited) struct ForeignChangeTests {
    typealias Entries = LocalEntries

    /// Collects what is told.
    final class Told: Sendable {
        private let changes = Lock<[ForeignChange]>([])

        var all: [ForeignChange] { changes.withLock { $0 } }

        var record: @Sendable (ForeignChange) -> Void { { change in self.changes.withLock { $0.append(change) } } }

        /// What was told since the last call.
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
    let told = Told()
    let toldOther = Told()

    init() throws { folder = try TemporaryDirectory() }

    private func make(_ told: Told) -> EntityDataSource {
        let source = EntityDataSource(
            path: folder.file("cache.sqlite"), limit: 1 << 20, clock: ClockMock(), onFault: { _ in })
        source.reportForeignChanges(to: told.record)
        return source
    }

    /// Two sources that both have read the file.
    private func pair() async throws -> (EntityDataSource, EntityDataSource) {
        let (one, other) = (make(told), make(toldOther))
        one.save(Entries.change(Entries.item("1")))
        await one.flush()
        #expect(other.isCurrent, "what nobody has read cannot be out of date")
        #expect(try await other.read(Entries.key("1")) != nil)
        #expect(other.isCurrent)
        return (one, other)
    }

    @Test func whatAnotherWritesIsTold() async throws {
        let (one, other) = try await pair()
        one.save(
            LocalChange(
                items: [Entries.item("2"), Entries.item("é", of: Entries.location, isPartial: true)],
                page: Entries.page(1, ["2"])))
        one.remove(Entries.key("1"))
        one.remove(Entries.pageKey(7))
        await one.flush()
        #expect(!other.isCurrent)
        #expect(toldOther.all == [])
        await other.catchUp()
        #expect(other.isCurrent)
        let expected = ForeignChange.entries(
            items: [Entries.key("2"), Entries.key("é", of: Entries.location, isPartial: true), Entries.key("1")],
            pages: [Entries.pageKey(1), Entries.pageKey(7)])
        #expect(toldOther.take() == [expected])
        await other.catchUp()
        #expect(toldOther.all == [])
        #expect(told.all == [], "its own writes are no news")
    }

    @Test func aReadTellsNothingAndAWriteDoesNotHideIt() async throws {
        let (one, other) = try await pair()
        one.save(Entries.change(Entries.item("2")))
        await one.flush()
        #expect(try await other.read(Entries.key("2")) != nil)
        #expect(!other.isCurrent)
        // Its own commit comes after the other's, which is not taken for known.
        other.save(Entries.change(Entries.item("3")))
        await other.flush()
        #expect(other.isCurrent)
        #expect(toldOther.take() == [.entries(items: [Entries.key("2")], pages: [])])
        await one.catchUp()
        #expect(told.take() == [.entries(items: [Entries.key("3")], pages: [])])
    }

    @Test(arguments: [true, false]) func aSelectionMeansEverything(_ isRemoval: Bool) async throws {
        let (one, other) = try await pair()
        let selection = CacheSelection(resource: "character", ids: ["1"])
        _ = try await isRemoval ? one.remove(selection) : one.invalidate(selection)
        #expect(!other.isCurrent)
        await other.catchUp()
        #expect(toldOther.take() == [.everything])
    }

    @Test func pagesThatBecameStaleAreTold() async throws {
        let (one, other) = try await pair()
        let pages = [10, 10, 11].enumerated().map { number, count in
            PageEntity(
                key: Entries.pageKey(number), ids: [], info: [], fetchedAt: Timestamp(milliseconds: 0), count: count)
        }
        for page in pages.prefix(2) { one.save(LocalChange(items: [], page: page)) }
        await one.flush()
        await other.catchUp()
        _ = toldOther.take()
        one.save(LocalChange(items: [], page: pages[2]))
        await one.flush()
        await other.catchUp()
        guard case .entries([], let stale) = toldOther.all.first else { return #expect(Bool(false)) }
        #expect(Set(stale) == Set(pages.map(\.key)))
    }

    @Test func tooMuchToNameIsEverything() async throws {
        let (one, other) = try await pair()
        one.save(LocalChange(items: (0..<1000).map { Entries.item("\($0)") }))
        await one.flush()
        await other.catchUp()
        guard case .entries(let items, []) = toldOther.take().first else { return #expect(Bool(false)) }
        #expect(items.count == 1000)
        one.save(LocalChange(items: (0..<1001).map { Entries.item("\($0)") }))
        await one.flush()
        await other.catchUp()
        #expect(toldOther.take() == [.everything])
    }

    @Test func theLogIsTrimmedAndWhoHasMissedItForgetsAll() async throws {
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
        // What is left is all its own, but what the other one did is gone from the log.
        #expect(try store.changes.foreign(after: 1, store.resources).0 == .everything)
        #expect(try other.changes.foreign(after: 12_002, other.resources).0 == nil)
        #expect(
            try other.changes.foreign(after: 12_000, other.resources).0
                == .entries(items: [998, 999].map { Entries.key("\($0)") }, pages: []))
        #expect(try store.changes.foreign(after: 12_000, store.resources).0 == nil)
        // Numbers that begin anew are another file's.
        #expect(try other.changes.foreign(after: 99_999, other.resources).0 == .everything)
    }

    /// Hits in memory are not sent to the file because of what the process itself writes.
    @Test func itsOwnWritesLeaveItCurrent() async throws {
        let source = make(told)
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
        #expect(told.all == [])
    }

    /// Both write at once: whatever the order of commits and looks, none is missed and none taken for one's own.
    @Test func nothingIsMissedWhileBothWrite() async throws {
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
            for case .entries(let keys, _) in (name == "a" ? told : toldOther).all { items += keys.map(\.id) }
            let others = (0..<300).map { "\(name == "a" ? "b" : "a")\($0)" }
            #expect(Set(items).isSuperset(of: others))
            #expect(!items.contains { $0.hasPrefix(name) })
        }
    }

    @Test func whatOthersWroteToAFileInThePlaceOfThisOneIsTold() async throws {
        let (one, other) = try await pair()
        for name in folder.names { folder.delete(name) }
        one.save(Entries.change(Entries.item("2")))
        await one.flush()
        #expect(told.all == [], "the new file is its own")
        other.save(Entries.change(Entries.item("3")))
        await other.flush()
        #expect(toldOther.take() == [.everything])
        #expect(other.isCurrent)
        #expect(try await other.read(Entries.key("2")) == Entries.item("2"))
        await one.catchUp()
        #expect(told.take() == [.entries(items: [Entries.key("3")], pages: [])])
    }
}
