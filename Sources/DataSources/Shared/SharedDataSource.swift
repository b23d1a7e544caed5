import Synchronization
import System

/// The third level of the cache: one Redis or Valkey server for many machines.
///
/// It is never worse than having none. Where the server is not reached, nothing is found, nothing is kept for later,
/// and nobody waits; where it is full, read-only or somebody else's, it is told and the same holds. What is read is
/// believed only with a tag that nobody can make without the secret, and only under the marks that its resource has
/// now.
public final class SharedDataSource: SharedDataSourceContract {
    private let settings: SharedSettings
    private let space: SharedSpace
    private let reader: SharedReader
    private let writer: SharedWriter
    private let remover: SharedRemover
    private let leases: SharedLeases
    private let changes: SharedChanges
    /// For how many milliseconds it may write what was saved when it ends.
    private static let patienceAtEnd = 1000

    private let timer: any TimerContract
    private let rest: RestNote
    private let beginning = Lock(Task<Void, Never>?.none)
    private let isStarted = Atomic<Bool>(false)
    /// Whether it began with a rest, which counts as a failure.
    private let isResting = Atomic<Bool>(false)

    /// A level that is asked over a server. Nothing is sent before it is needed.
    ///
    /// - Parameters:
    ///   - condition: tells what the server refuses; who makes the server has it told of the connection too.
    ///   - resources: which resources are shared.
    ///   - index: knows which entries of this machine have which names, and keeps what later processes must know; nil
    ///     where nothing is kept in a file.
    public init(
        _ settings: SharedSettings, server: any RedisServerContract, condition: SharedCondition,
        resources: SharedResources, index: (any SharedIndexContract)?, clock: any ClockContract,
        timer: any TimerContract = EventLoop.shared
    ) {
        self.settings = settings
        self.timer = timer
        space = SharedSpace(settings, server: server, condition: condition, resources: resources, clock: clock)
        reader = SharedReader(space: space)
        rest = RestNote(index, server: settings.url.shown, clock: clock)
        let remover = SharedRemover(space, index: index, timer: timer)
        self.remover = remover
        writer = SharedWriter(space: space, counts: reader.counts, onLost: remover.tellOutdated)
        leases = SharedLeases(space, timer: timer)
        changes = SharedChanges(space, index: index, timer: timer) {
            // What the server has refused it may take by now, and others may owe it something.
            await remover.carryOut()
        }
        // Before anything is read over a new connection, the server hears of what was removed without it.
        server.whenConnected { [weak remover] in remover?.connected() }
    }

    /// Connects, and hears of changes from now on. Whoever needs the level first does the same and waits for it: before
    /// anything is read there, it must be known what this machine has removed, and what others have changed.
    ///
    /// A server that did not answer an earlier process a moment ago is left alone for as long as it would be by one.
    public func start() async { await start(resting: true) }

    private func start(resting: Bool) async {
        if isStarted.load(ordering: .acquiring) { return }
        let task = beginning.withLock { beginning in
            if let beginning { return beginning }
            let task = Task(executorPreference: EventLoop.shared) { [self] in
                await remover.readNotes()
                let rest = resting ? await rest.rest() : nil
                if rest != nil { isResting.store(true, ordering: .releasing) }
                space.server.start(after: rest)
                await changes.start()
                isStarted.store(true, ordering: .releasing)
            }
            beginning = task
            return task
        }
        await task.value
    }

    /// The rate limit of an API that all who share the level keep to together.
    ///
    /// - Parameter identity: who asks what, `APIDefinition.budgetIdentity`.
    public func budget(_ identity: [UInt8]) -> any RateBudgetContract {
        SharedBudget(space: space, key: space.names.bucket(identity))
    }

    // MARK: Reading

    public func item(_ key: ItemKey) async throws(LocalDataError) -> ItemEntity? { await counted([key])[0] }

    public func items(_ keys: [ItemKey]) async throws(LocalDataError) -> [ItemEntity?] { await counted(keys) }

    public func page(_ key: PageKey) async throws(LocalDataError) -> StoredPage? {
        guard isShared(key.resource) else { return nil }
        let page = await reader.page(key)
        count(isHit: page != nil)
        return page
    }

    public func lookAgain(_ keys: [ItemKey]) async -> [ItemEntity?] { await reader.items(keys, isSecond: true) }

    public func lookAgain(_ key: PageKey) async -> StoredPage? { await reader.page(key, isSecond: true) }

    public func shares(_ key: EntryKey) -> Bool { isShared(key.resource) }

    public func keeps(_ key: EntryKey) -> Bool {
        space.writes && isShared(key.resource) && space.server.isReady
            && space.condition.refusals.ofWriting == nil
    }

    public func countBrought(_ count: Int) { space.counters.waited.count(count) }

    private func counted(_ keys: [ItemKey]) async -> [ItemEntity?] {
        guard keys.contains(where: { isShared($0.resource) }) else { return keys.map { _ in nil } }
        let items = await reader.items(keys)
        for item in items { count(isHit: item != nil) }
        return items
    }

    private func isShared(_ resource: ResourceKey) -> Bool { space.resources.resource(of: resource) != nil }

    private func count(isHit: Bool) {
        if isHit { space.counters.hits.count() } else { space.counters.misses.count() }
    }

    // MARK: Turns

    public func take(_ keys: [EntryKey], isForced: Bool) async -> FetchTurn {
        let all = FetchTurn(own: Set(keys))
        let entries = keys.compactMap { space.named($0) }
        guard space.writes, let first = entries.first else { return all }
        await start()
        let token = SharedMarks.random()
        let names = entries.map { space.names.lease(of: $0.name) }
        let readMarks = RedisCommand.eval(
            SharedScript.readMarks, keys: [first.marks.key],
            [Array(SharedSpace.newMarks.joined(separator: [UInt8(ascii: " ")]))])
        let (end, now) = (leases.endOfNext, space.clock.now())
        let replies: [RESPValue]
        do throws(RedisError) {
            replies = try await space.server.send(leases.commands(names, token: token) + [readMarks])
        } catch {
            return error.isOfConnection
                ? FetchTurn(own: Set(keys), ticket: FetchTicket(marks: nil, askedAt: now)) : all
        }
        guard replies.count == names.count + 1 else { return all }
        guard space.condition.note(replies, of: .leasing), let marks = replies[names.count].marks else {
            leases.end(names, token: token)
            return all
        }
        let taken = zip(names, replies).compactMap { $1 == .integer(1) ? $0 : nil }
        let elsewhere = Set(zip(entries, replies).compactMap { $1 == .integer(0) ? $0.key : nil })
        leases.hold(taken, token: token, until: end)
        return FetchTurn(
            own: isForced ? Set(keys) : Set(keys).subtracting(elsewhere), looksAgain: !isForced,
            ticket: FetchTicket(marks: marks, askedAt: now), patience: first.resource.patience,
            isHeld: { [leases] in leases.areHeld(taken, token: token) }
        ) { [leases] in
            leases.end(taken, token: token)
        }
    }

    // MARK: Writing

    public func save(_ change: LocalChange) {
        if let ticket = change.ticket { writer.store(change, ticket) }
    }

    public func removeItem(_ key: ItemKey) { remover.forget(.item(key)) }

    public func removePage(_ key: PageKey) { remover.forget(.page(key)) }

    /// Nothing is counted: nobody knows how many entries the level has.
    public func remove(_ selection: CacheSelection) async throws(LocalDataError) -> Int {
        await start()
        await remover.remove(removals(selection, .removed))
        return 0
    }

    /// Nothing is counted, as with `remove`.
    public func invalidate(_ selection: CacheSelection) async throws(LocalDataError) -> Int {
        await start()
        await remover.remove(removals(selection, .stale))
        return 0
    }

    public func markStale(items: [ItemKey], pages: [PageKey]) {
        let entries = (items.map { .item($0) } + pages.map { .page($0) }).compactMap { space.named($0) }
        remover.post(entries.map { Removal(name: $0.name, marks: $0.marks, kind: .stale) })
    }

    /// What a selection comes to: single items where they are named, else whole resources. What it narrows besides
    /// cannot be told by names.
    private func removals(_ selection: CacheSelection, _ kind: Removal.Kind) -> [Removal] {
        let resources =
            selection.resource.map { [space.resources.named($0)].compactMap { $0 } } ?? space.resources.all
        return resources.flatMap { resource -> [Removal] in
            let marks = space.marks(of: resource)
            guard let ids = selection.ids, let scoped = resource.key(in: selection.scope) else {
                return [Removal(name: marks, marks: marks, kind: kind)]
            }
            return ids.flatMap { id in
                [false, true].map { isPartial in
                    let key = ItemKey(resource: scoped, id: id, isPartial: isPartial)
                    let name = space.names.entry(.item(key), of: resource)
                    return Removal(name: name, marks: marks, kind: kind)
                }
            }
        }
    }

    // MARK: Others

    /// What others change is told by `tellChanges`, and never waited for.
    public var isCurrent: Bool { true }

    public func catchUp() async {}

    public func tellForeignChanges(to tell: @escaping @Sendable (ForeignChange) -> Void) {}

    public func tellChanges(to tell: @escaping @Sendable (ForeignChange) async -> Void) { changes.tell(tell) }

    /// Names tell nothing, so that nobody can look for anything.
    public func search(_ query: SearchQuery) async throws(LocalDataError) -> SearchHits {
        throw LocalDataError("the shared level cannot be searched", isUnavailable: true)
    }

    public func statistics() async -> LocalStatistics {
        let health = space.server.health
        var shared = SharedStatistics(url: settings.url.shown, mode: settings.mode, namespace: settings.namespace)
        shared.note(health, space.condition.refusals)
        (shared.hits, shared.misses) = (space.counters.hits.value, space.counters.misses.value)
        (shared.written, shared.refused) = (space.counters.written.value, space.counters.refused.value)
        (shared.rejected, shared.lost) = (space.counters.rejected.value, space.counters.lost.value)
        (shared.changes, shared.waited) = (space.counters.changes.value, space.counters.waited.value)
        var statistics = LocalStatistics()
        (statistics.hits, statistics.misses) = (shared.hits, shared.misses)
        statistics.shared = shared
        return statistics
    }

    /// How it is, after one attempt to reach it, to read and to write.
    public func probe() async -> SharedStatistics? {
        await start(resting: false)
        // The stream of changes is no text, which reads as missing.
        await probe(RedisCommand("MGET", space.names.changes), .reading)
        if space.writes {
            let event = space.event(.begun, [], fetchedAt: space.clock.now())
            await probe(.eval(SharedScript.beginChanges, keys: [space.names.changes], event), .writing)
        }
        await space.rights.probe()
        return await statistics().shared
    }

    private func probe(_ command: RedisCommand, _ purpose: ServerRefusals.Purpose) async {
        if let replies = try? await space.server.send([command]) { space.condition.note(replies, of: purpose) }
    }

    /// Hears what others have changed up to now, before the process and its cache file end: who answers one request
    /// from that file ends before it would have looked for the first time, and the next process must know.
    public func catchUpAtEnd() async {
        await start()
        await changes.lookAtAll()
        let health = space.server.health
        await rest.note(health, tries: health.failures - (isResting.load(ordering: .acquiring) ? 1 : 0))
    }

    /// Has one second to write what was saved. Nothing of that counts as lost: this machine's levels have it.
    @discardableResult public func close() async -> Bool {
        changes.end()
        let end = timer.milliseconds + Self.patienceAtEnd
        await space.outbox.drain(within: Self.patienceAtEnd, timer)
        await space.server.close(within: max(0, end - timer.milliseconds))
        return true
    }
}
