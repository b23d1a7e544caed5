import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// A test fixture: a cache file with a store of sets, and a clock that tests advance.
struct SyncStoreStage {
    typealias Entries = LocalEntries

    static let list = SyncSet(resource: LocalEntries.character, list: "{}")
    static let filtered = SyncSet(resource: LocalEntries.character, list: #"{"name":"rick"}"#)

    let clock = ClockMock()
    let source: EntityDataSource
    let store: FileSyncStore
    private let folder: TemporaryDirectory

    init(limit: Int = 1 << 26) throws {
        folder = try TemporaryDirectory()
        source = EntityDataSource(path: folder.file("cache.sqlite"), limit: limit, clock: clock) { _ in }
        store = source.syncStore(clock: clock)
    }

    /// A time after the fetch times of all stored items.
    var later: Timestamp { Timestamp(milliseconds: clock.now().milliseconds + 1_000_000) }

    /// Starts a run.
    func begin(_ set: SyncSet = Self.list) async throws -> SyncTicket { try #require(await store.begin(set)) }

    /// Stores items without pages.
    func store(_ items: [ItemEntity], _ ticket: SyncTicket, next: PageToken? = nil) async throws -> SyncedChanges {
        try #require(await store.store(part(items, next: next), ticket))
    }

    func part(_ items: [ItemEntity], pages: [PageEntity] = [], next: PageToken? = nil) -> SyncedPart {
        SyncedPart(items: items, pages: pages, position: next.map { SyncPosition(page: $0, start: clock.now()) })
    }

    /// Runs a whole run that reads the given items. Returns the new state of the set.
    @discardableResult
    func sync(_ items: [ItemEntity], _ set: SyncSet = Self.list) async throws -> SyncState {
        clock.advance(milliseconds: 1000)
        let ticket = try await begin(set)
        try await store.restart(ticket)
        _ = try await store(items, ticket)
        return try #require(
            await store.end(ticket, syncedAt: clock.now(), isWhole: true, isHeld: false, continues: false))
    }

    /// Runs a whole run that reads items with the given ids.
    @discardableResult
    func sync(ids: String..., in set: SyncSet = Self.list) async throws -> SyncState {
        try await sync(ids.map { Entries.item($0) }, set)
    }

    /// Starts a run that has read the first pages of the list, with the given ids.
    func reading(ids: String...) async throws -> SyncTicket {
        clock.advance(milliseconds: 1000)
        let ticket = try await begin()
        try await store.restart(ticket)
        _ = try await store(ids.map { Entries.item($0) }, ticket)
        return ticket
    }

    /// Returns the ids of the items that are absent from the run.
    func absent(_ ticket: SyncTicket, from runs: Int = 1) async throws -> [String] {
        try await store.absent(ticket, from: runs, before: clock.now(), limit: 100).keys.map(\.id)
    }

    /// Returns the stored state of a set; nil if there is no such set.
    func state(_ set: SyncSet = Self.list) async throws -> SyncState? {
        try await store.states().first { $0.set == set }
    }

    /// Opens a second connection to the cache file.
    func connection() throws -> SQLiteConnection { try SQLiteConnection(path: folder.file("cache.sqlite")) }

    /// Opens the cache file as another process does.
    func anotherSource() -> EntityDataSource {
        EntityDataSource(path: folder.file("cache.sqlite"), limit: 1 << 26, clock: clock) { _ in }
    }
}

extension FileSyncStore {
    /// Stores a part of the list that cannot be outdated.
    func store(_ part: SyncedPart, _ ticket: SyncTicket) async throws(LocalDataError) -> SyncedChanges? {
        try await store(part, ticket) { false }
    }

    /// Ends a run without a change of the mark.
    func end(
        _ ticket: SyncTicket, syncedAt start: Timestamp?, isWhole: Bool, isHeld: Bool, continues: Bool
    ) async throws(LocalDataError) -> SyncState? {
        var end = SyncEnd()
        (end.syncedAt, end.isWhole, end.isHeld, end.continues) = (start, isWhole, isHeld, continues)
        return try await self.end(ticket, end)
    }
}
