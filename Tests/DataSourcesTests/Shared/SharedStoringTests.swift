import System
import TestSupport
import Testing

@testable import DataSources

/// What is stored, and what is not.
@Suite(.limited) struct SharedStoringTests {
    private let clock = ClockMock()
    private let data: RedisData
    private let one: SharedMachine
    private let other: SharedMachine

    init() throws {
        data = RedisData(clock: clock)
        one = try SharedMachine(data, clock: clock)
        other = try SharedMachine(data, clock: clock)
    }

    private static let key = EntryKey.item(LocalEntries.key("1"))

    /// What has been asked of a remote.
    private static func answered(_ turn: FetchTurn, _ items: [ItemEntity]) -> LocalChange {
        var change = LocalChange(items: items)
        change.ticket = turn.ticket
        return change
    }

    @Test func withoutATicketNothingIsStored() async throws {
        await one.level.start()
        one.level.save(LocalEntries.change(LocalEntries.item("1")))
        #expect(one.server.count("store") == 0 && data.bytes(SharedMachine.name("1").key) == nil)
    }

    /// What another machine does while the remote is asked, and what is found of the answer after it.
    private static let removals: [(CacheSelection, isRemoval: Bool)] = [
        (CacheSelection(resource: "character", ids: ["2"]), true),
        (CacheSelection(resource: "character", ids: ["2"]), false),
        (CacheSelection(resource: "character"), true), (CacheSelection(resource: "character"), false),
        (CacheSelection(), true),
    ]

    @Test(arguments: removals)
    func whatWasAskedForBeforeARemovalIsNotStored(selection: CacheSelection, isRemoval: Bool) async throws {
        let turn = await one.level.take([Self.key], isForced: false)
        _ = try await isRemoval ? other.level.remove(selection) : other.level.invalidate(selection)
        one.level.save(Self.answered(turn, [LocalEntries.item("1")]))
        #expect(data.bytes(SharedMachine.name("1").key) == nil)
        let statistics = try await one.statistics()
        #expect(statistics?.refused == 1 && statistics?.written == 0 && statistics?.lost == 0)
        await one.store([LocalEntries.item("1")])
        #expect(try await other.state("1") == "fresh", "what is asked for after it is stored")
    }

    @Test func theRemovalOfAnotherResourceConcernsNothing() async throws {
        let turn = await one.level.take([Self.key], isForced: false)
        _ = try await other.level.remove(CacheSelection(resource: "location"))
        one.level.save(Self.answered(turn, [LocalEntries.item("1")]))
        #expect(try await other.state("1") == "fresh")
    }

    /// Nobody waits for the store, and the removal comes first.
    @Test func aRemovalOvertakesWhatWaits() async throws {
        let turn = await one.level.take([Self.key], isForced: false)
        one.server.hold()
        one.level.save(Self.answered(turn, [LocalEntries.item("1")]))
        _ = try await other.level.remove(CacheSelection(resource: "character"))
        one.server.release()
        #expect(try await other.state("1") == "absent")
    }

    @Test func whatCameLaterStays() async throws {
        await one.store([LocalEntries.item("1", at: 2000)])
        await other.store([LocalEntries.item("1", json: #"{"id":1,"old":true}"#, at: 1999), LocalEntries.item("2")])
        #expect(try await one.level.item(LocalEntries.key("1")) == LocalEntries.item("1", at: 2000))
        let statistics = try await other.statistics()
        #expect(statistics?.written == 1 && statistics?.refused == 1)
    }

    @Test func whatIsStaleOrTooLargeIsLeftOut() async throws {
        var stale = LocalEntries.item("1")
        stale.isInvalidated = true
        var page = LocalEntries.page(1, [])
        page.isInvalidated = true
        let large = LocalEntries.item("2", json: #"{"id":""# + String(repeating: "x", count: 1 << 20) + "\"}")
        await one.store([stale, large, LocalEntries.item("3")], page: page)
        #expect(try await one.statistics()?.written == 1)
        #expect(data.bytes(SharedMachine.name("3").key) != nil)
    }

    /// Others wait while a script runs, and while it comes.
    @Test func manyAreStoredInPieces() async throws {
        let items = (0..<120).map { LocalEntries.item("\($0)") }
        await one.store(items)
        #expect(one.server.count("store") == 3)
        #expect(try await other.level.items(items.map(\.key)) == items)
        let text = String(repeating: "x", count: 500_000)
        await one.store((0..<3).map { LocalEntries.item("\($0)", json: "{\"id\":\"\(text)\"}", at: 2000) })
        #expect(one.server.count("store") == 6)
    }

    @Test func itIsKeptForAboutAsLongAsItIsWorth() async throws {
        let items = (0..<200).map { LocalEntries.item("\($0)") }
        await one.store(items)
        let lives = items.compactMap { data.life(SharedMachine.name($0.key.id).key) }
        #expect(lives.count == 200 && lives.allSatisfy { (9000...11_000).contains($0) })
        #expect(Set(lives).count > 1, "not all end at once")
        #expect(data.life(SharedMachine.marks.key) == Int64(SharedScript.markLife))
    }

    @Test func whatCannotBeStoredIsCountedAsLost() async throws {
        let turn = await one.level.take([Self.key], isForced: false)
        one.server.lose()
        one.level.save(Self.answered(turn, [LocalEntries.item("1"), LocalEntries.item("2")]))
        #expect(try await one.statistics()?.lost == 2)
        one.server.find()
        #expect(try await one.state("1") == "absent", "nothing is kept for later")
    }

    /// An API that has an item no longer takes it from all; where none of them has it, nobody hears of it.
    @Test func whatTheRemoteHasNoLongerIsTaken() async throws {
        await one.store([LocalEntries.item("1")], page: LocalEntries.page(1, ["1"]))
        let before = data.ids(SharedMachine.names.changes).count
        let turn = await other.level.take([.item(LocalEntries.key("9"))], isForced: false)
        one.level.removeItem(LocalEntries.key("9"))
        #expect(data.ids(SharedMachine.names.changes).count == before)
        other.level.save(Self.answered(turn, [LocalEntries.item("8")]))
        #expect(try await other.state("8") == "fresh")
        let told = data.ids(SharedMachine.names.changes).count
        one.level.removePage(LocalEntries.pageKey(1))
        one.level.removeItem(LocalEntries.key("1"))
        #expect(try await other.state("1") == "absent")
        #expect(data.bytes(SharedMachine.name(.page(LocalEntries.pageKey(1))).key) == nil)
        #expect(data.ids(SharedMachine.names.changes).count == told + 2)
    }
}
