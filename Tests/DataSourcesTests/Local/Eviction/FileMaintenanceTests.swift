import System
import TestSupport
import Testing

@testable import DataSources

/// Tests how times of use are recorded, and how they affect evictions.
@Suite(.limited) struct FileMaintenanceTests {
    typealias Entries = LocalEntries

    private final class Elsewhere: Sendable {
        private let keys = Lock(UsedKeys())
        func add(_ ids: String...) { keys.withLock { $0.items += ids.map { Entries.key($0) } } }
        func take() -> UsedKeys {
            keys.withLock { keys in
                defer { keys = UsedKeys() }
                return keys
            }
        }
    }

    private static let limit = 1 << 20

    private let folder: TemporaryDirectory
    private let store: EntityStore
    private let clock = ClockMock(Timestamp(milliseconds: 1_000_000))
    private let elsewhere = Elsewhere()
    private let upkeep: FileMaintenance
    private let json = String(repeating: "x", count: 1000)

    init() throws {
        folder = try TemporaryDirectory()
        store = try SearchedFile(folder).store
        upkeep = FileMaintenance(limit: Self.limit, clock: clock) { [elsewhere] in elsewhere.take() }
    }

    /// Saves items of about 1 kB each, one per second.
    private func fill(_ ids: Range<Int>) throws {
        for id in ids {
            clock.advance(milliseconds: 1000)
            try store.apply([.save(Entries.change(Entries.item(String(id), json: json)))], now: clock.now())
        }
    }

    private func usedAt(_ id: Int) throws -> Int64 {
        try store.connection.integer("SELECT used_at FROM items WHERE id = '\(id)'")
    }

    @Test func recentlyReadItemsAreKept() throws {
        try fill(0..<900)
        upkeep.notes.note(Entries.key("7"), Entries.item("7"))
        elsewhere.add("9", "700")
        try fill(900..<1100)
        try upkeep.run(store)
        #expect(upkeep.evictions > 100)
        #expect(try store.count() == 1100 - upkeep.evictions)
        for (id, isKept) in [(6, false), (7, true), (8, false), (9, true), (10, false), (1099, true)] {
            #expect(try (store.item(Entries.key(String(id))) != nil) == isKept, "\(id)")
        }
        let evictions = upkeep.evictions
        try upkeep.run(store)
        #expect(upkeep.evictions == evictions)
    }

    @Test func timeOfUseIsRecordedOnceAMinute() throws {
        try fill(0..<600)
        try upkeep.run(store)
        let before = try usedAt(3)
        elsewhere.add("3")
        upkeep.notes.note(Entries.key("4"), Entries.item("4"))
        clock.advance(milliseconds: 59_999)
        try upkeep.run(store)
        #expect(try usedAt(3) == before)
        clock.advance(milliseconds: 1)
        try upkeep.run(store)
        #expect(try usedAt(3) == clock.now().milliseconds)
        #expect(try usedAt(4) == clock.now().milliseconds)
        #expect(try usedAt(5) == before + 2000)
        #expect(upkeep.evictions == 0)
    }

    @Test func timeOfUseIsRecordedBeforeTheFileIsClosed() throws {
        try fill(0..<600)
        try upkeep.run(store)
        elsewhere.add("3", "599")
        clock.advance(milliseconds: 10)
        let before = try usedAt(599)
        try upkeep.run(store, isLast: true)
        #expect(try usedAt(3) == clock.now().milliseconds)
        // The recorded time is less than a minute old, so it is not updated.
        #expect(try usedAt(599) == before)
    }

    @Test func timeOfUseIsNotRecordedWhileTheFileIsSmall() throws {
        try fill(0..<300)
        let before = try usedAt(3)
        elsewhere.add("3")
        clock.advance(milliseconds: 60_000)
        try upkeep.run(store)
        try upkeep.run(store, isLast: true)
        #expect(try usedAt(3) == before)
        #expect(elsewhere.take() == UsedKeys())
    }

    @Test func timeOfUseIsRecordedAfterTheClockWasSetBack() throws {
        try fill(0..<600)
        try upkeep.run(store)
        clock.set(Timestamp(milliseconds: 900_000))
        elsewhere.add("3")
        try upkeep.run(store)
        #expect(elsewhere.take() == UsedKeys())
    }

    @Test func writeAheadLogSizeIsLimited() throws {
        try upkeep.begin(store)
        #expect(try store.connection.integer("PRAGMA wal_autocheckpoint") == 16)
    }
}
