import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// Tests which entries the shared level stores.
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

    /// Returns the change for fetched items.
    private static func answered(_ turn: FetchLease, _ items: [ItemEntity]) -> LocalChange {
        var change = LocalChange(items: items)
        change.ticket = turn.ticket
        return change
    }

    @Test func changeWithoutAFetchTicketIsNotStored() async throws {
        await one.level.start()
        one.level.save(LocalEntries.change(LocalEntries.item("1")))
        #expect(one.server.count("store") == 0 && data.bytes(SharedMachine.name("1").key) == nil)
    }

    @Test(arguments: [false, true]) func fetchWithoutALeaseIsStoredUnlessTheItemWasRemoved(isRemoved: Bool) async throws
    {
        var change = LocalEntries.change(LocalEntries.item("1", at: 5000))
        change.ticket = await one.level.beginFetch(of: LocalEntries.character)
        #expect(change.ticket?.generations.text == data.text(SharedMachine.generations))
        #expect(data.text(SharedMachine.names.lease(of: SharedMachine.name("1"))) == nil)
        clock.advance(milliseconds: 1)
        if isRemoved { _ = try await other.level.remove(CacheSelection(resource: "character", ids: ["1"])) }
        one.level.save(change)
        #expect(try await other.state("1") == (isRemoved ? "absent" : "fresh"))
    }

    @Test func noFetchTicketIsTakenForUnsharedResourcesOrInReadMode() async throws {
        #expect(await one.level.beginFetch(of: LocalEntries.location) == nil)
        let reader = try SharedMachine(data, clock: clock, mode: .read)
        #expect(await reader.level.beginFetch(of: LocalEntries.character) == nil && reader.server.verbs.isEmpty)
    }

    /// Removals and invalidations by another machine during a fetch.
    private static let removals: [(CacheSelection, isRemoval: Bool)] = [
        (CacheSelection(resource: "character", ids: ["1"]), true),
        (CacheSelection(resource: "character", ids: ["1"]), false),
        (CacheSelection(resource: "character"), true), (CacheSelection(resource: "character"), false),
        (CacheSelection(), true),
    ]

    @Test(arguments: removals, [true, false])
    func fetchDoesNotUndoARemoval(_ removal: (CacheSelection, isRemoval: Bool), isKnown: Bool) async throws {
        if isKnown { await other.store([LocalEntries.item("1")]) }
        let turn = await one.level.take([Self.key], isForced: false)
        clock.advance(milliseconds: 1)
        _ = try await removal.isRemoval ? other.level.remove(removal.0) : other.level.invalidate(removal.0)
        one.level.save(Self.answered(turn, [LocalEntries.item("1", at: 5000)]))
        #expect(try await other.state("1") == (isKnown && !removal.isRemoval ? "stale" : "absent"))
        let statistics = try await one.statistics()
        #expect(statistics?.refused == 1 && statistics?.written == 0 && statistics?.lost == 0)
        clock.advance(milliseconds: 1)
        turn.end()
        await one.store([LocalEntries.item("1", at: 6000)])
        #expect(try await other.state("1") == "fresh", "a fetch that began after the removal is stored")
    }

    /// The removal of one item during a fetch does not prevent the other items of the fetch from being stored.
    @Test func removalOfOneItemDoesNotAffectOtherItems() async throws {
        let turn = await one.level.take([Self.key], isForced: false)
        _ = try await other.level.remove(CacheSelection(resource: "character", ids: ["2"]))
        one.level.save(Self.answered(turn, ["1", "2", "3"].map { LocalEntries.item($0) }))
        #expect(try await [other.state("1"), other.state("2"), other.state("3")] == ["fresh", "absent", "fresh"])
    }

    /// A forged tombstone with a future time would prevent an entry from being stored.
    @Test func tombstoneWithAFutureTimeIsIgnored() async throws {
        data.set(SharedMachine.name("1").key, Array("x99999999999999999".utf8))
        #expect(try await other.state("1") == "absent")
        await one.store([LocalEntries.item("1")])
        #expect(try await other.state("1") == "fresh")
    }

    @Test func removalOfAnotherResourceHasNoEffect() async throws {
        let turn = await one.level.take([Self.key], isForced: false)
        _ = try await other.level.remove(CacheSelection(resource: "location"))
        one.level.save(Self.answered(turn, [LocalEntries.item("1")]))
        #expect(try await other.state("1") == "fresh")
    }

    @Test func removalIsAppliedBeforeQueuedWrites() async throws {
        let turn = await one.level.take([Self.key], isForced: false)
        one.server.hold()
        one.level.save(Self.answered(turn, [LocalEntries.item("1")]))
        _ = try await other.level.remove(CacheSelection(resource: "character"))
        one.server.release()
        #expect(try await other.state("1") == "absent")
    }

    @Test func newerEntryIsNotReplaced() async throws {
        await one.store([LocalEntries.item("1", at: 2000)])
        await other.store([LocalEntries.item("1", json: #"{"id":1,"old":true}"#, at: 1999), LocalEntries.item("2")])
        #expect(try await one.level.read(LocalEntries.key("1")) == LocalEntries.item("1", at: 2000))
        let statistics = try await other.statistics()
        #expect(statistics?.written == 1 && statistics?.refused == 1)
    }

    @Test func staleOrLargeEntriesAreNotStored() async throws {
        var stale = LocalEntries.item("1")
        stale.isInvalidated = true
        var page = LocalEntries.page(1, [])
        page.isInvalidated = true
        let large = LocalEntries.item("2", json: #"{"id":""# + String(repeating: "x", count: 1 << 20) + "\"}")
        await one.store([stale, large, LocalEntries.item("3")], page: page)
        #expect(try await one.statistics()?.written == 1)
        #expect(data.bytes(SharedMachine.name("3").key) != nil)
    }

    /// Other clients wait while a script runs or is received.
    @Test func manyEntriesAreStoredInBatches() async throws {
        let items = (0..<120).map { LocalEntries.item("\($0)") }
        await one.store(items)
        #expect(one.server.count("store") == 3)
        #expect(try await other.level.read(items.map(\.key)) == items)
        let text = String(repeating: "x", count: 500_000)
        await one.store((0..<3).map { LocalEntries.item("\($0)", json: "{\"id\":\"\(text)\"}", at: 2000) })
        #expect(one.server.count("store") == 6)
    }

    @Test func entryLifetimeIsRandomizedAroundKeepFor() async throws {
        let items = (0..<200).map { LocalEntries.item("\($0)") }
        await one.store(items)
        let lives = items.compactMap { data.life(SharedMachine.name($0.key.id).key) }
        #expect(lives.count == 200 && lives.allSatisfy { (9000...11_000).contains($0) })
        #expect(Set(lives).count > 1, "lifetimes differ")
        let days = Int64(86_400_000)
        #expect(data.life(SharedMachine.generations) == 9 * days, "longer than the longest entry: a week plus 10 %")
    }

    @Test func unsentEntriesAreCountedAsLost() async throws {
        let turn = await one.level.take([Self.key], isForced: false)
        one.server.lose()
        one.level.save(Self.answered(turn, [LocalEntries.item("1"), LocalEntries.item("2")]))
        #expect(try await one.statistics()?.lost == 2)
        one.server.find()
        #expect(try await one.state("1") == "absent", "unsent entries are not queued")
    }
}
