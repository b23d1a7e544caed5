import Mocks
import System
import TestSupport

@testable import DataSources
@testable import Model
@testable import Redis

/// One machine at a shared level, with its own connection to a server that several machines share.
struct SharedMachine: Sendable {
    static let secret = Array("a secret of the team".utf8)
    static let names = SharedNames(secret: secret, namespace: "ci")
    /// The only shared resource. Its items are kept for ten seconds.
    static let resource = SharedResource(
        key: LocalEntries.character, identity: Array("character".utf8), keepFor: 10_000, timeout: 5000)

    /// The key of the resource's generations.
    static let generations = names.generations(of: resource)

    static func name(_ key: EntryKey) -> SharedName { names.entry(key, of: resource) }

    /// Returns the name of an item.
    static func name(_ id: String) -> SharedName { name(.item(LocalEntries.key(id))) }

    let level: SharedDataSource
    let server: RedisServerDouble
    let notes: CacheNotesDouble
    let timer = TimerMock()
    let faults = FaultRecorder()
    /// The number of reported recoveries.
    let recoveries = Watched(0)

    init(
        _ data: RedisData, clock: any ClockContract, mode: SharedMode = .readwrite,
        notes: CacheNotesDouble = CacheNotesDouble()
    ) throws {
        let resources = SharedResources()
        resources.declare([Self.resource])
        let settings = try Self.settings(mode)
        let condition = SharedHealthMonitor(
            settings.url, clock: clock, onFault: faults.record,
            onRecovery: { [recoveries] in recoveries.change { $0 += 1 } })
        server = RedisServerDouble(data)
        server.whenHealthChanges { condition.note($0) }
        self.notes = notes
        level = SharedDataSource(
            settings, server: server, condition: condition, resources: resources, notes: notes, clock: clock,
            timer: timer)
    }

    static func settings(_ mode: SharedMode) throws -> SharedSettings {
        SharedSettings(
            url: try RedisURL("redis://cache"), mode: mode, namespace: "ci", secret: secret, secrets: [])
    }

    /// Takes a lease, stores fetched items, and releases the lease.
    func store(_ items: [ItemEntity], page: PageEntity? = nil) async {
        var change = LocalChange(items: items, page: page)
        let turn = await level.take(items.map { .item($0.key) } + (page.map { [.page($0.key)] } ?? []), isForced: true)
        change.ticket = turn.ticket
        level.save(change)
        turn.end()
    }

    /// Returns the state of an item in the level: `fresh`, `stale` or `absent`.
    func state(_ id: String) async throws -> String {
        try await level.read(LocalEntries.key(id)).map { $0.isInvalidated ? "stale" : "fresh" } ?? "absent"
    }

    /// Returns the statistics of the level.
    func statistics() async throws -> SharedStatistics? { await level.statistics().shared }
}
