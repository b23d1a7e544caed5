import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// What an earlier version kept under another fingerprint is taken over.
@Suite(.limited) struct FormerFingerprintTests {
    typealias Entries = LocalEntries

    /// The one of today, of the resource that was `Entries.character` before.
    private static let today = ResourceKey(name: "character", fingerprint: .init(high: 77, low: 78))
    private static let item = ItemKey(resource: today, id: "1")
    private let folder: TemporaryDirectory
    private let faults = FaultRecorder()

    init() throws { folder = try TemporaryDirectory() }

    private func make(_ onForeignChange: @escaping @Sendable (ForeignChange) -> Void = { _ in }) -> EntityDataSource {
        let source = EntityDataSource(
            path: folder.file("cache.sqlite"), limit: 1 << 20, clock: ClockMock(), onFault: faults.record,
            former: { $0 == Self.today ? Entries.character.fingerprint : nil })
        source.tellForeignChanges(to: onForeignChange)
        return source
    }

    private func fill() async {
        let source = make()
        source.save(LocalChange(items: [Entries.item("1"), Entries.item("2")]))
        await source.close()
    }

    private func rows(_ sql: String) throws -> [String] {
        let connection = try SQLiteConnection(path: folder.file("cache.sqlite"))
        var rows: [String] = []
        try connection.rows(sql) { rows.append($0.text(0)) }
        return rows
    }

    private static let fingerprints = "SELECT hex(fingerprint) FROM resources"
    private static let former = "00000000000000010000000000000002"

    @Test func itIsFoundByReadsThatWriteNothing() async throws {
        await fill()
        let source = make()
        #expect(try await source.item(Self.item)?.json == Entries.item("1").json)
        await source.close()
        #expect(try rows(Self.fingerprints) == [Self.former])
    }

    @Test func theFirstWriteMovesTheRowAndNoItem() async throws {
        await fill()
        let before = try rows("SELECT key || ':' || resource || ':' || id FROM items ORDER BY key")
        let source = make()
        let new = ItemKey(resource: Self.today, id: "3")
        source.save(
            LocalChange(items: [ItemEntity(key: new, json: Array("{}".utf8), fetchedAt: Timestamp(milliseconds: 1))]))
        await source.flush()
        #expect(try await source.item(Self.item) != nil)
        await source.close()
        #expect(try rows(Self.fingerprints) == ["000000000000004D000000000000004E"])
        let after = try rows("SELECT key || ':' || resource || ':' || id FROM items ORDER BY key")
        #expect(Array(after.prefix(2)) == before && after.count == 3)
        let again = make()
        #expect(try await again.items([Self.item, new]).map { $0 != nil } == [true, true])
        await again.close()
    }

    /// An earlier version may be at work at the same time.
    @Test func whatIsChangedUnderTheFormerFingerprintIsTold() async throws {
        await fill()
        let changes = Lock<[ForeignChange]>([])
        let source = make { change in changes.withLock { $0.append(change) } }
        #expect(try await source.item(Self.item) != nil)
        let other = make()
        other.removeItem(ItemKey(resource: Entries.character, id: "1"))
        await other.flush()
        await source.catchUp()
        #expect(changes.withLock { $0 } == [.entries(items: [Self.item], pages: [])])
        await other.close()
        await source.close()
    }

    @Test func anotherResourceFindsNothing() async throws {
        await fill()
        let source = make()
        #expect(try await source.item(ItemKey(resource: Entries.location, id: "1")) == nil)
        await source.close()
    }
}
