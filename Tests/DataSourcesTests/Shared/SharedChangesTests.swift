import System
import TestSupport
import Testing

@testable import DataSources

/// What a machine hears of that which others change.
@Suite(.limited) struct SharedChangesTests {
    private static let key = LocalEntries.key("1")
    private static let pageKey = LocalEntries.pageKey(1)
    private static let stream = SharedMachine.names.changes

    private let clock = ClockMock()
    private let data: RedisData
    private let index = SharedIndexDouble()
    private let other: SharedMachine
    private let listener: ChangeListener

    init() async throws {
        data = RedisData(clock: clock)
        other = try SharedMachine(data, clock: clock)
        listener = try ChangeListener(data, clock: clock, index: index)
        _ = await listener.hear()
    }

    /// That nobody can tell what was changed.
    private var allStale: [ForeignChange] {
        [.selection(CacheSelection(resource: "character", fetchedBefore: clock.now()), isRemoval: false)]
    }

    @Test(arguments: [(500, true), (999, true), (1000, false), (2000, false)])
    func newerContentsAreTaken(at: Int64, isTaken: Bool) async throws {
        index.add(.item(Self.key), fetchedAt: at)
        await other.store([LocalEntries.item("1"), LocalEntries.item("2")])
        #expect(await listener.hear() == (isTaken ? [.renewed(items: [Self.key], pages: [])] : []))
        #expect(listener.space.counters.changes.value == 1)
        #expect(await listener.hear() == [])
    }

    @Test func pagesAreToldToo() async throws {
        index.add(.page(Self.pageKey), fetchedAt: 1)
        index.add(.item(Self.key), fetchedAt: 1)
        await other.store([LocalEntries.item("1")], page: LocalEntries.page(1, ["1"]))
        #expect(await listener.hear() == [.renewed(items: [Self.key], pages: [Self.pageKey])])
    }

    private static let removals: [(CacheSelection, isRemoval: Bool, heard: [ForeignChange])] = [
        (CacheSelection(resource: "character", ids: ["1"]), true, [.removed(items: [key], pages: [])]),
        (CacheSelection(resource: "character", ids: ["1"]), false, [.stale(items: [key], pages: [])]),
        (CacheSelection(resource: "character", ids: ["9"]), true, []),
        (
            CacheSelection(resource: "character"), true,
            [.selection(CacheSelection(resource: "character"), isRemoval: true)]
        ),
        (CacheSelection(), false, [.selection(CacheSelection(resource: "character"), isRemoval: false)]),
        (
            CacheSelection(resource: "character", pages: .all), false,
            [.selection(CacheSelection(resource: "character"), isRemoval: false)]
        ),
        (CacheSelection(resource: "location"), true, []),
    ]

    @Test(arguments: removals)
    func removalsAreTold(selection: CacheSelection, isRemoval: Bool, heard: [ForeignChange]) async throws {
        index.add(.item(Self.key), fetchedAt: 5000)
        _ = try await isRemoval ? other.level.remove(selection) : other.level.invalidate(selection)
        #expect(await listener.hear() == heard)
    }

    @Test func aPageThatTheRemoteHasNoLongerIsTold() async throws {
        index.add(.page(Self.pageKey), fetchedAt: 5000)
        await other.store([], page: LocalEntries.page(1, []))
        other.level.removePage(Self.pageKey)
        #expect(await listener.hear() == [.removed(items: [], pages: [Self.pageKey])])
    }

    private enum Word: Sendable, CaseIterable {
        case others, own, wrongTag, shortTag, otherSecret, otherNamespace, otherStream, noEvent, noHash
    }

    /// Only what somebody else has said who has the secret.
    @Test(arguments: Word.allCases) private func onlyWhatIsTaggedIsHeard(_ word: Word) async throws {
        let hash = SharedMachine.marks.hash
        let told = ChangeEvent(
            kind: .resourceRemoved, writer: word == .own ? listener.space.writer : SharedMarks.random(),
            fetchedAt: clock.now(), hashes: [hash])
        var text = told.text
        if word == .noEvent { text = Array("something".utf8) }
        if word == .noHash { text.removeLast() }
        var names = SharedMachine.names
        if word == .otherSecret { names = SharedNames(secret: Array("another secret!!".utf8), namespace: "ci") }
        if word == .otherNamespace { names = SharedNames(secret: SharedMachine.secret, namespace: "other") }
        var tag = names.tag(ofChange: text)
        if word == .wrongTag { tag[0] = tag[0] == 0x30 ? 0x31 : 0x30 }
        if word == .shortTag { tag.removeLast() }
        if word == .otherStream {
            tag = names.tag(ofValue: SharedMachine.name("1"), header: text[...], payload: [])
        }
        data.tell(Self.stream, text, tag)
        let heard = [ForeignChange.selection(CacheSelection(resource: "character"), isRemoval: true)]
        #expect(await listener.hear() == (word == .others ? heard : []))
        #expect(index.place == data.ids(Self.stream).last, "it is not read again")
        #expect(listener.space.counters.rejected.value == ([.others, .own].contains(word) ? 0 : 1))
    }

    @Test func withoutAPlaceAllIsStale() async throws {
        await other.store([LocalEntries.item("1")])
        let index = SharedIndexDouble()
        let listener = try ChangeListener(data, clock: clock, index: index)
        #expect(await listener.hear() == allStale)
        #expect(index.place == data.ids(Self.stream).last)
        #expect(await listener.hear() == [])
    }

    @Test func whereThePlaceIsGoneAllIsStale() async throws {
        data.drop(Self.stream)
        await other.store([LocalEntries.item("1")])
        #expect(await listener.hear() == allStale)
        #expect(index.place == data.ids(Self.stream).last)
        data.drop(Self.stream)
        #expect(await listener.hear() == allStale)
        #expect(data.ids(Self.stream).count == 1, "it has begun the stream anew")
        #expect(index.place == data.ids(Self.stream).last)
        #expect(await listener.hear() == [])
    }

    @Test func whoOnlyReadsBeginsNoStream() async throws {
        data.drop(Self.stream)
        let index = SharedIndexDouble()
        let reader = try ChangeListener(data, clock: clock, mode: .read, index: index)
        #expect(await reader.hear() == allStale)
        #expect(data.ids(Self.stream).isEmpty)
        #expect(await reader.hear() == [])
        index.add(.item(Self.key), fetchedAt: 1)
        await other.store([LocalEntries.item("1")])
        // Nobody knows what stood before the first change that is there.
        #expect(await reader.hear() == allStale)
        #expect(await reader.hear() == [])
    }

    /// The next process reads on from where this one was.
    @Test func thePlaceIsKept() async throws {
        index.add(.item(Self.key), fetchedAt: 1)
        await other.store([LocalEntries.item("1")])
        let next = try ChangeListener(data, clock: clock, index: index)
        #expect(await next.hear() == [.renewed(items: [Self.key], pages: [])])
        let last = try ChangeListener(data, clock: clock, index: index)
        #expect(await last.hear() == [])
    }

    /// A process with another catalog passes by what concerns this one, which must still hear of it.
    @Test func aPlaceIsThatOfSomeResources() async throws {
        index.add(.item(Self.key), fetchedAt: 1)
        _ = try await other.level.remove(CacheSelection(resource: "character", ids: ["1"]))
        let location = SharedResource(key: LocalEntries.location, identity: Array("location".utf8))
        let stranger = try ChangeListener(data, clock: clock, index: index)
        stranger.resources.declare([location])
        let stale = CacheSelection(resource: "location", fetchedBefore: clock.now())
        #expect(await stranger.hear() == [.selection(stale, isRemoval: false)])
        // It has taken up this catalog, after this one's last process.
        stranger.resources.declare([SharedMachine.resource])
        #expect(await stranger.hear() == [.removed(items: [Self.key], pages: [])])
        #expect(await stranger.hear() == [])
    }

    @Test func aLongAbsenceIsReadInPieces() async throws {
        for _ in 0..<(2 * ChangeStream.batch + 500) {
            let event = ChangeEvent(kind: .begun, writer: "w", fetchedAt: clock.now(), hashes: [])
            data.tell(Self.stream, event.text, SharedMachine.names.tag(ofChange: event.text))
        }
        _ = try await other.level.remove(CacheSelection())
        let heard = [ForeignChange.selection(CacheSelection(resource: "character"), isRemoval: true)]
        #expect(await listener.hear() == heard)
        #expect(index.place == data.ids(Self.stream).last)
    }

    @Test func whatHappensWhileTheServerIsLostIsHeardAfterIt() async throws {
        listener.server.lose()
        _ = try await other.level.remove(CacheSelection())
        let place = index.place
        #expect(await listener.hear() == [])
        #expect(index.place == place)
        listener.server.find()
        let heard = [ForeignChange.selection(CacheSelection(resource: "character"), isRemoval: true)]
        #expect(await listener.hear() == heard)
    }

    /// Without a file, what was read or stored itself is known.
    @Test func withoutAFileWhatWasUsedIsKnown() async throws {
        let listener = try ChangeListener(data, clock: clock, index: nil)
        _ = await listener.hear()
        _ = await listener.reader.items([Self.key])
        await other.store([LocalEntries.item("1"), LocalEntries.item("2")])
        #expect(await listener.hear() == [.renewed(items: [Self.key], pages: [])])
    }

    private static func overfill(_ known: KnownNames) {
        for number in 0...KnownNames.most {
            let hash = (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
            known.learn(SharedName(hash: hash, key: ""), .item(LocalEntries.key("\(number)")))
        }
    }

    /// Where names were forgotten, a change of what has none may concern anything in memory; then that is empty.
    @Test func whatNoNameIsKnownOfEmptiesMemoryOnce() async throws {
        let listener = try ChangeListener(data, clock: clock, index: nil)
        _ = await listener.hear()
        Self.overfill(listener.space.known)
        await other.store([LocalEntries.item("1")])
        #expect(await listener.hear() == [.everything])
        await other.store([LocalEntries.item("3")])
        #expect(await listener.hear() == [], "nothing is kept that has no name")
        Self.overfill(listener.space.known)
        await other.store([LocalEntries.item("4")])
        #expect(await listener.hear() == [.everything])
    }

    @Test func aLevelLooksByItself() async throws {
        let machine = try SharedMachine(data, clock: clock)
        await machine.level.start()
        #expect(machine.heard.value == allStale && machine.timer.alarms == [400])
        machine.index.add(.item(Self.key), fetchedAt: 1)
        await other.store([LocalEntries.item("1")])
        machine.timer.advance(milliseconds: 400)
        await machine.heard.wait { $0.count > 1 }
        #expect(machine.heard.value.last == .renewed(items: [Self.key], pages: []))
    }
}
