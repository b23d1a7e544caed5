import Model
import Redis
import Synchronization
import System

/// The third cache level: a Redis or Valkey server that several machines share.
///
/// If the server cannot be used, reads find no entries, writes are dropped, and no caller has to wait. A value is used
/// only if its tag (an HMAC) is valid, and if its entry was not removed after the API sent the value.
public final class SharedDataSource: SharedDataSourceContract {
    private let settings: SharedSettings
    private let context: SharedContext
    private let reader: SharedReader
    private let writer: SharedWriter
    private let remover: SharedRemover
    private let leases: SharedLeases
    private let rights: SharedRights
    /// The maximum time that `close` spends on sending pending writes, in milliseconds.
    private static let closeTimeout = 1000

    private let timer: any TimerContract
    private let backoff: BackoffRecord
    private let starting = Lock(Task<Void, Never>?.none)
    private let isStarted = Atomic<Bool>(false)
    /// Whether this process delayed its first connection because an earlier process could not reach the Redis server.
    // The connection counts this backoff as a failure.
    private let hasInheritedBackoff = Atomic<Bool>(false)

    /// Creates the shared level. The connection to the Redis server is opened at the first use.
    ///
    /// - Parameters:
    ///   - condition: monitors the shared level. The owner of `server` must report the health of the connection to the
    ///     same monitor.
    ///   - resources: the resources whose entries are shared.
    ///   - notes: stores how long later processes must wait before they connect; nil if there is no cache file.
    public init(
        _ settings: SharedSettings, server: any RedisServerContract, condition: SharedHealthMonitor,
        resources: SharedResources, notes: (any CacheNotesContract)?, clock: any ClockContract,
        timer: any TimerContract = EventLoop.shared
    ) {
        self.settings = settings
        self.timer = timer
        context = SharedContext(
            settings, server: server, condition: condition, resources: resources, clock: clock)
        reader = SharedReader(context: context)
        backoff = BackoffRecord(notes, server: settings.url.shown, clock: clock)
        remover = SharedRemover(context: context)
        writer = SharedWriter(context: context, counts: reader.counts)
        leases = SharedLeases(server, context.outbox, condition, timer: timer)
        rights = SharedRights(
            server, condition, names: context.table.names, writes: context.isWritable, timer: timer)
    }

    /// Starts to connect to the Redis server. If an earlier process could not reach the server, it has stored a pause
    /// in the cache file (`BackoffRecord`). In this case, the first attempt to connect waits until the pause is over.
    ///
    /// Every operation that needs the server calls this function first.
    public func start() async { await start(respectsBackoff: true) }

    private func start(respectsBackoff: Bool) async {
        if isStarted.load(ordering: .acquiring) { return }
        let task = starting.withLock { starting in
            if let starting { return starting }
            let task = Task(executorPreference: EventLoop.shared) { [self] in
                let rest = respectsBackoff ? await backoff.current() : nil
                if rest != nil { hasInheritedBackoff.store(true, ordering: .releasing) }
                context.server.start(after: rest)
                isStarted.store(true, ordering: .releasing)
            }
            starting = task
            return task
        }
        await task.value
    }

    /// Returns an API's rate limit that several processes share.
    ///
    /// - Parameters:
    ///   - identity: the identity of the limit, which is equal on all machines (`APIDefinition.budgetIdentity`).
    ///   - timeout: the timeout of the API, in milliseconds.
    public func budget(_ identity: [UInt8], timeout: Milliseconds) -> any RateBudgetContract {
        SharedBudget(
            server: context.server, condition: context.condition, isWritable: context.isWritable,
            key: context.table.names.bucket(identity), timeout: timeout)
    }

    // MARK: Reading

    public func read<Key: CacheKey>(_ key: Key) async throws(LocalDataError) -> Key.Entry? { try await read([key])[0] }

    public func read<Key: CacheKey>(_ keys: [Key]) async throws(LocalDataError) -> [Key.Entry?] {
        guard keys.contains(where: { shares($0.name) }) else { return keys.map { _ in nil } }
        await start()
        let entries = await reader.entries(keys)
        for entry in entries { count(isHit: entry != nil) }
        return entries
    }

    public func readAtOnce(_ key: ItemKey, then: @escaping @Sendable (ItemEntity?) -> Void) -> Bool {
        guard isStarted.load(ordering: .acquiring), context.server.isReady else { return false }
        return reader.item(key) { [self] item in
            count(isHit: item != nil)
            then(item)
        }
    }

    public func reread<Key: CacheKey>(_ keys: [Key]) async -> [Key.Entry?] {
        await reader.entries(keys, isReread: true)
    }

    public func shares(_ key: EntryKey) -> Bool { context.table.resources.resource(of: key.resource) != nil }

    public func stores(_ key: EntryKey) -> Bool {
        context.isWritable && shares(key) && context.server.isReady && context.condition.refusals.ofWriting == nil
    }

    public func countReceived(_ count: Int) { context.counters.waited.count(count) }

    private func count(isHit: Bool) {
        if isHit { context.counters.hits.count() } else { context.counters.misses.count() }
    }

    // MARK: Leases

    public func take(_ keys: [EntryKey], isForced: Bool) async -> FetchLease {
        let all = FetchLease(own: Set(keys))
        let entries = keys.compactMap { context.table.entry($0) }
        guard context.isWritable, let first = entries.first else { return all }
        await start()
        let token = SharedGenerations.randomDigits()
        let names = entries.map { context.table.names.lease(of: $0.name) }
        let end = leases.endOfNext
        let commands = leases.commands(names, token: token) + [Self.beginFetch(first.generations)]
        guard let replies = try? await context.server.send(commands), replies.count == commands.count
        else { return all }
        guard context.condition.note(replies, of: .leasing), let ticket = replies[names.count].ticket else {
            leases.end(names, token: token)
            return all
        }
        let taken = zip(names, replies).compactMap { $1 == .integer(1) ? $0 : nil }
        let fetchedElsewhere = Set(zip(entries, replies).compactMap { $1 == .integer(0) ? $0.key : nil })
        leases.hold(taken, token: token, until: end)
        return FetchLease(
            own: isForced ? Set(keys) : Set(keys).subtracting(fetchedElsewhere), mustReread: !isForced, ticket: ticket,
            maxWait: first.resource.maxWait, isHeld: { [leases] in leases.areHeld(taken, token: token) }
        ) { [leases] in
            leases.end(taken, token: token)
        }
    }

    public func beginFetch(of resource: ResourceKey) async -> FetchTicket? {
        guard context.isWritable, let shared = context.table.resources.resource(of: resource) else { return nil }
        await start()
        let command = Self.beginFetch(context.table.generationKey(of: shared))
        guard let replies = try? await context.server.send([command]), context.condition.note(replies, of: .leasing)
        else { return nil }
        return replies.first?.ticket
    }

    /// Returns the Redis command that reads the state of the shared level at the start of a fetch.
    ///
    /// - Parameter generations: the Redis key of the resource's generations.
    private static func beginFetch(_ generations: String) -> RedisCommand {
        .eval(SharedScript.beginFetch, keys: [generations], [Array(SharedGenerations.random().text.utf8)])
    }

    // MARK: Writing

    public func save(_ change: LocalChange) {
        if let ticket = change.ticket { writer.store(change, ticket) }
    }

    public func remove(_ key: some CacheKey) { remover.remove(key.name) }

    /// Removes the selected entries. Returns nil, because the shared level does not count the removed entries.
    public func remove(_ selection: CacheSelection) async throws(LocalDataError) -> Int? {
        await start()
        await remover.apply(.remove, to: selection)
        return nil
    }

    /// Marks the selected entries as stale. Returns nil, because the shared level does not count these entries.
    public func invalidate(_ selection: CacheSelection) async throws(LocalDataError) -> Int? {
        await start()
        await remover.apply(.invalidate, to: selection)
        return nil
    }

    // MARK: State

    public func statistics() async -> LocalStatistics {
        let health = context.server.health
        var shared = SharedStatistics(url: settings.url.shown, mode: settings.mode, namespace: settings.namespace)
        shared.note(health, context.condition.refusals)
        (shared.hits, shared.misses) = (context.counters.hits.value, context.counters.misses.value)
        (shared.written, shared.refused) = (context.counters.written.value, context.counters.refused.value)
        (shared.rejected, shared.lost) = (context.counters.rejected.value, context.counters.lost.value)
        shared.waited = context.counters.waited.value
        var statistics = LocalStatistics()
        (statistics.hits, statistics.misses) = (shared.hits, shared.misses)
        statistics.shared = shared
        return statistics
    }

    /// Tests whether the Redis server can be reached and read. In the mode `readwrite`, also tests writing. Does not
    /// wait for a pause that an earlier process has stored. Returns the resulting state.
    public func probe() async -> SharedStatistics? {
        await start(respectsBackoff: false)
        let nothing = context.table.names.nothing
        await probe(RedisCommand("MGET", nothing), .reading)
        if context.isWritable {
            let token = SharedGenerations.randomDigits()
            for command in leases.commands([nothing], token: token) { await probe(command, .writing) }
            leases.end([nothing], token: token)
        }
        await rights.probe()
        return await statistics().shared
    }

    private func probe(_ command: RedisCommand, _ purpose: ServerRefusals.Purpose) async {
        if let replies = try? await context.server.send([command]) { context.condition.note(replies, of: purpose) }
    }

    /// Stores a pause in the cache file if the Redis server could not be reached. Later processes then delay their
    /// first connection. Must be called before the cache file is closed.
    public func noteBackoff() async {
        guard isStarted.load(ordering: .acquiring) else { return }
        let health = context.server.health
        let inherited = hasInheritedBackoff.load(ordering: .acquiring) ? 1 : 0
        await backoff.update(health, attempts: health.failures - inherited)
    }

    /// Sends pending writes for at most a second, and closes the connection to the Redis server.
    public func close() async {
        let end = timer.milliseconds + Self.closeTimeout
        await context.outbox.drain(within: Self.closeTimeout, timer)
        await context.server.close(within: max(0, end - timer.milliseconds))
    }
}

extension RESPValue {
    /// The state of the shared level in a reply to the script `SharedScript.beginFetch`; nil if the reply is malformed.
    fileprivate var ticket: FetchTicket? {
        guard case .array(let parts) = self, parts.count == 2, let generations = parts[0].generations,
            case .text(let digits) = parts[1], let beganAt = Int64(String(decoding: digits, as: UTF8.self))
        else { return nil }
        return FetchTicket(generations: generations, beganAt: beganAt)
    }
}
