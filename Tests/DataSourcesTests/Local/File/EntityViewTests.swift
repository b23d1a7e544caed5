import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// Reads return the same results whether a write is pending or in the file.
@Suite(.limited) struct EntityViewTests {
    typealias Entries = LocalEntries

    let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private static let resources = [Entries.character, Entries.otherCharacter, Entries.location]
    private static let itemKeys = resources.flatMap { resource in
        ["1", "2"].flatMap { id in [false, true].map { ItemKey(resource: resource, id: id, isPartial: $0) } }
    }
    private static let pageKeys = resources.flatMap { resource in
        ["a", "b"].flatMap { list in
            (1...3).map { PageKey(resource: resource, request: "\(list)\($0)", list: list) }
        }
    }

    private static let notes = ["", "a", "b"]

    private func write(_ random: inout SeededGenerator) -> EntityStore.Write {
        let time = Timestamp(milliseconds: .random(in: 0..<4, using: &random))
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return .removeItem(Self.itemKeys.randomElement(using: &random) ?? Self.itemKeys[0])
        case 1: return .removePage(Self.pageKeys.randomElement(using: &random) ?? Self.pageKeys[0])
        case 2: return .remove(selection(&random), .init())
        case 3: return .invalidate(selection(&random), .init())
        case 4:
            let value = Bool.random(using: &random) ? "\(random.next())" : nil
            return .keep(note: Self.notes.randomElement(using: &random) ?? Self.notes[0], value)
        default:
            let items = Self.itemKeys.filter { _ in Bool.random(using: &random) }.map { key in
                ItemEntity(
                    key: key, json: Array("\(random.next())".utf8), fetchedAt: time,
                    isInvalidated: Int.random(in: 0..<4, using: &random) == 0)
            }
            let key = Self.pageKeys.randomElement(using: &random) ?? Self.pageKeys[0]
            let page = PageEntity(
                key: key, ids: ["1", "2"], info: [], fetchedAt: time,
                isInvalidated: Int.random(in: 0..<4, using: &random) == 0,
                count: [nil, 10, 11, 12].randomElement(using: &random) ?? nil)
            return .save(LocalChange(items: items, page: Bool.random(using: &random) ? page : nil))
        }
    }

    private func selection(_ random: inout SeededGenerator) -> CacheSelection {
        let ids: [String]? = [nil, nil, ["1"], ["2", "3"]].randomElement(using: &random) ?? nil
        return CacheSelection(
            resource: [nil, "character", "location"].randomElement(using: &random) ?? nil, ids: ids,
            pages: ids == nil ? [nil, nil, .all, .list("{}")].randomElement(using: &random) ?? nil : nil,
            fetchedBefore: [nil, Timestamp(milliseconds: 2)].randomElement(using: &random) ?? nil)
    }

    private func store(_ name: String) throws -> EntityStore {
        let file = DatabaseFile(
            path: folder.file(name), migrations: EntitySchema.migrations, synchronous: "OFF", cacheSize: 256)
        return EntityStore(try file.open(now: Timestamp(milliseconds: 0)).connection)
    }

    private func expectSame(_ view: EntityView, _ whole: EntityView, _ place: String) throws {
        #expect(try view.entries(Self.itemKeys) == whole.entries(Self.itemKeys), "\(place)")
        #expect(try view.entries(Self.pageKeys) == whole.entries(Self.pageKeys), "\(place)")
        for key in Self.pageKeys { #expect(try view.page(key) == whole.page(key), "\(place) \(key.request)") }
        for note in Self.notes { #expect(try view.note(note) == whole.note(note), "\(place) \(note)") }
    }

    /// Reads return the same results after each step in which some pending writes are stored in the file.
    @Test(arguments: 0..<30) func pendingWritesAreReadAsIfTheyWereStored(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let now = Timestamp(milliseconds: 9)
        let writes = (0..<40).map { _ in write(&random) }
        let whole = EntityView(store: try store("whole"), pending: PendingWrites(limit: .max))
        try whole.store?.apply(writes, now: now)
        let start = Int.random(in: 0..<writes.count, using: &random)
        let part = try store("part")
        let pending = PendingWrites(limit: .max, batchBytes: 2000)
        let view = EntityView(store: part, pending: pending)
        try part.apply(Array(writes[..<start]), now: now)
        for write in writes[start...] { _ = pending.append(write) }
        try expectSame(view, whole, "from \(start)")
        while case let taken = pending.take(), !taken.isEmpty {
            try part.apply(taken, now: now)
            // While a write is both in the file and pending, reads return the same results.
            try pending.reading { () throws(SQLiteError) in pending.finish() }
            try expectSame(view, whole, "from \(start), \(pending.count) wait")
        }
        #expect(pending.isSettled)
        try expectSame(view, whole, "all")
    }

    /// A page in the file is stale if a pending page of the same list has another total count.
    @Test func storedPageIsStaleIfAPendingPageHasAnotherTotalCount() throws {
        func page(_ number: Int, _ count: Int) -> PageEntity {
            PageEntity(
                key: PageKey(resource: Entries.character, request: "\(number)", list: "a"), ids: [], info: [],
                fetchedAt: Timestamp(milliseconds: 0), count: count)
        }
        let file = try store("file")
        let pending = PendingWrites(limit: .max)
        let view = EntityView(store: file, pending: pending)
        try file.apply([.save(LocalChange(items: [], page: page(1, 10)))], now: Timestamp(milliseconds: 0))
        for (number, count) in [(2, 11), (3, 10)] {
            _ = pending.append(.save(LocalChange(items: [], page: page(number, count))))
        }
        let stale = try (1...3).map { try view.page(page($0, 0).key)?.page.isInvalidated }
        #expect(stale == [true, true, false])
    }

    /// A read sees every write that was called before it, even if the write reaches the file during the read.
    @Test func writesStoredDuringAReadStayVisible() throws {
        let pending = PendingWrites(limit: .max)
        let reading = try store("file")
        let writing = try store("file")
        let view = EntityView(store: reading, pending: pending)
        let key = Entries.key("1")
        _ = pending.append(.save(Entries.change(Entries.item("1"))))
        let item = try pending.reading { () throws(SQLiteError) in
            try reading.connection.reading { () throws(SQLiteError) in
                _ = try reading.count()
                try writing.apply(pending.take(), now: Timestamp(milliseconds: 0))
                pending.finish()
                #expect(try reading.item(key) == nil)
                return try view.item(key)
            }
        }
        #expect(item == Entries.item("1"))
        #expect(pending.isSettled)
        #expect(try view.item(key) == Entries.item("1"))
    }

    @Test func oldestPendingWritesAreDroppedAtTheLimit() throws {
        let pending = PendingWrites(limit: 20_000)
        var lost = 0
        for number in 0..<100 {
            lost += pending.append(.save(Entries.change(Entries.item("\(number)")))).lost
        }
        let view = EntityView(store: nil, pending: pending)
        let left = try (0..<100).filter { try view.item(Entries.key("\($0)")) != nil }
        #expect(lost > 0)
        #expect(left == Array(lost..<100))
        #expect(pending.count == 100 - lost)
        // Writes that are being stored are not dropped.
        let taken = pending.take().count
        for number in 100..<300 { _ = pending.append(.removeItem(Entries.key("\(number)"))) }
        pending.finish()
        #expect(taken > 0 && pending.count < 300)
        while !pending.take().isEmpty { pending.finish() }
        #expect(pending.isSettled)
    }

    @Test func transactionSizeIsLimited() {
        let pending = PendingWrites(limit: .max)
        for number in 0..<1000 { _ = pending.append(.removeItem(Entries.key("\(number)"))) }
        #expect(pending.take().count < 500)
        pending.finish()
        pending.removeAll()
        let json = String(repeating: "x", count: 1 << 20)
        for number in 0..<5 { _ = pending.append(.save(Entries.change(Entries.item("\(number)", json: json)))) }
        #expect(pending.take().count == 1)
        #expect(pending.take().count == 1)
    }

    /// A key of an item whose read calls a closure afterwards.
    private struct InterruptedKey: CacheKey {
        typealias Entry = ItemEntity

        let key: ItemKey
        let then: @Sendable () -> Void

        static func == (one: Self, other: Self) -> Bool { one.key == other.key }

        func hash(into hasher: inout Hasher) { key.hash(into: &hasher) }

        var name: EntryKey { key.name }

        func entry<Place: EntryPlace>(in place: inout Place) throws(Place.Failure) -> ItemEntity? {
            defer { then() }
            return try key.entry(in: &place)
        }
    }

    /// Another process changes both items between the reads of the first and the second.
    @Test func severalEntriesAreReadFromOneSnapshot() throws {
        let reading = try store("file")
        // Safe: the closures of the keys run on this thread.
        nonisolated(unsafe) let writing = try store("file")
        func change(_ json: String) -> EntityStore.Write {
            .save(LocalChange(items: ["1", "2"].map { Entries.item($0, json: json) }))
        }
        try writing.apply([change("1")], now: Timestamp(milliseconds: 0))
        let newer = change("2")
        let keys = ["1", "2"].map { id in
            InterruptedKey(key: Entries.key(id)) { try? writing.apply([newer], now: Timestamp(milliseconds: 0)) }
        }
        let view = EntityView(store: reading, pending: PendingWrites(limit: .max))
        #expect(try view.entries(keys).map { $0?.json } == [Array("1".utf8), Array("1".utf8)])
        #expect(try view.entries([Entries.key("1")]).map { $0?.json } == [Array("2".utf8)])
    }
}
