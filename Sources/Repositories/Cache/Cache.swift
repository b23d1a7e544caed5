import DataSources
import JSON
import System

/// The levels of the cache as one: their order, what moves from one to another, what a removal forbids to be kept, and
/// who is told of changes.
///
/// The first level is memory, which answers on the caller's thread. The others are asked in their order.
public final class Cache: Sendable {
    private let memory: any VolatileDataSourceContract
    private let farther: [CacheLevel]
    /// Who is told of changes.
    let hub: ChangeHub
    /// Counts how often entries were removed or marked stale. What was asked of a remote before that must not undo it
    /// by being kept after it, and nobody who asks after it may be answered with it.
    private let epoch = Lock(0)

    /// A cache of these levels.
    ///
    /// - Parameter farther: the levels after memory, nearest first.
    public init(memory: any VolatileDataSourceContract, farther: [CacheLevel] = [], hub: ChangeHub = ChangeHub()) {
        self.memory = memory
        self.farther = farther
        self.hub = hub
        for level in farther { level.entries.tellForeignChanges { [weak self] in self?.forget($0) } }
        hub.follow { [weak self] in await self?.catchUp() }
    }

    // MARK: Memory, at once

    /// Whether memory knows all that other processes have changed.
    var isCurrent: Bool { farther.allSatisfy { $0.entries.isCurrent } }

    /// As much of an item in memory as an answer needs; nil also where memory may be out of date. It never waits.
    func glance(_ key: ItemKey) -> ItemGlance? { isCurrent ? memory.glance(key) : nil }

    /// What memory has, whether or not that is out of date. It is not counted as a miss.
    func peek<Key: CacheKey>(_ key: Key) -> Key.Entry? { key.peek(in: memory) }

    /// The same for several items.
    func peek(_ keys: [ItemKey]) -> [ItemEntity?] { memory.peek(keys) }

    // MARK: All levels

    /// Learns what other processes have changed.
    func catchUp() async {
        for level in farther where !level.entries.isCurrent { await level.entries.catchUp() }
    }

    /// Shows what the levels have, nearest first, until one has enough. A level that fails has nothing.
    ///
    /// - Parameter promotes: whether an entry that is enough is put into the levels before its own.
    func read<Key: CacheKey>(_ key: Key, promotes: Bool, isEnough: (Key.Entry?, Source) -> Bool) async {
        if isEnough(key.look(in: memory), .memory) { return }
        let (removals, epoch) = (memory.removals, currentEpoch)
        for (index, level) in farther.enumerated() {
            let entry = try? await key.read(from: level.entries)
            guard isEnough(entry, level.source) else { continue }
            if promotes, let entry {
                promote(Key.Entry.changes(keeping: [entry]), before: index, since: removals, epoch)
            }
            return
        }
    }

    /// The same for several items: a level is asked together for those of which no level before it had enough.
    func read(
        _ keys: [ItemKey], promotes: Bool, isEnough: (ItemKey, ItemEntity?, Source) -> Bool
    ) async {
        var missing = zip(keys, inMemory(keys)).filter { !isEnough($0, $1, .memory) }.map(\.0)
        let (removals, epoch) = (memory.removals, currentEpoch)
        for (index, level) in farther.enumerated() where !missing.isEmpty {
            guard let items = try? await level.entries.items(missing) else { continue }
            let enough = zip(missing, items).map { isEnough($0, $1, level.source) }
            let useful = zip(items, enough).compactMap { $1 ? $0 : nil }
            missing = zip(missing, enough).compactMap { $1 ? nil : $0 }
            if promotes, !useful.isEmpty {
                promote(ItemEntity.changes(keeping: useful), before: index, since: removals, epoch)
            }
        }
    }

    /// What each level has, nearest first. It is not counted as a miss of memory.
    func entries<Key: CacheKey>(_ key: Key) async -> [(source: Source, entry: Key.Entry?)] {
        var entries = [(source: Source.memory, entry: key.peek(in: memory))]
        for level in farther { entries.append((level.source, try? await key.read(from: level.entries))) }
        return entries
    }

    /// What the nearest level has that has anything, and where that was.
    func nearest<Key: CacheKey>(_ key: Key) async -> (entry: Key.Entry, source: Source)? {
        if let entry = key.peek(in: memory) { return (entry, .memory) }
        for level in farther {
            if let entry = try? await key.read(from: level.entries) { return (entry, level.source) }
        }
        return nil
    }

    /// What is kept of a page without its items. In memory it is not counted, nor does it count as use.
    func page(_ key: PageKey) async -> PageEntity? {
        if let page = memory.glance(key) { return page }
        return await nearest(key)?.entry.page
    }

    /// Looks among the items that are kept. A farther level has all that is in memory; so memory is searched only where
    /// no other level can be.
    ///
    /// - Throws: `LocalDataError` where a level is there and cannot be searched.
    func search(_ query: SearchQuery) async throws(LocalDataError) -> SearchHits {
        for level in farther {
            do throws(LocalDataError) {
                return try await level.entries.search(query)
            } catch {
                guard error.isUnavailable else { throw error }
            }
        }
        return try memory.search(query)
    }

    /// How much each level keeps, and how often it helped.
    public func statistics() async -> [Source: LocalStatistics] {
        var statistics = [Source.memory: await memory.statistics()]
        for level in farther { statistics[level.source] = await level.entries.statistics() }
        return statistics
    }

    /// Brings to disk what is kept, and ends.
    public func close() async {
        for level in farther { await level.entries.close() }
    }

    // MARK: Changes

    /// The number of the epoch now.
    var currentEpoch: Int { epoch.withLock { $0 } }

    /// Keeps what was asked for in an epoch, unless that is over. Memory first: whoever sees the answer finds it there.
    func save(_ change: LocalChange, askedIn epoch: Int) {
        self.epoch.withLock {
            guard $0 == epoch else { return }
            memory.save(change)
            for level in farther { level.entries.save(change) }
        }
        hub.changed(items: change.items.keys, page: change.page?.key)
    }

    /// Forgets an entry that the remote has no longer.
    func forget(_ key: some CacheKey) {
        key.remove(from: memory)
        for level in farther { key.remove(from: level.entries) }
        hub.changed(key.subject)
    }

    /// Forgets what a selection names. Returns how many entries that were: a level keeps a part of what the levels
    /// after it keep, unless those are failing.
    public func remove(_ selection: CacheSelection) async -> Int {
        beginEpoch()
        var count = (try? await memory.remove(selection)) ?? 0
        for level in farther { count = max(count, (try? await level.entries.remove(selection)) ?? 0) }
        hub.changedAll()
        return count
    }

    /// Marks stale what a selection names. Returns how many entries were marked, as `remove` does.
    public func invalidate(_ selection: CacheSelection) async -> Int {
        beginEpoch()
        var count = (try? await memory.invalidate(selection)) ?? 0
        for level in farther { count = max(count, (try? await level.entries.invalidate(selection)) ?? 0) }
        return count
    }

    private func beginEpoch() { epoch.withLock { $0 += 1 } }

    /// What another process changed is read anew from the level where it did.
    private func forget(_ change: ForeignChange) {
        switch change {
        case .everything:
            memory.remove(CacheSelection())
            hub.changedAll()
        case .entries(let items, let pages):
            for key in items { memory.removeItem(key) }
            for key in pages { memory.removePage(key) }
            hub.changed(items: items, pages: pages)
        }
    }

    /// Puts what a level had into those before it, unless something was removed since it was read.
    private func promote(_ changes: [LocalChange], before index: Int, since removals: Int, _ epoch: Int) {
        for change in changes { memory.promote(change, since: removals) }
        guard index > 0 else { return }
        self.epoch.withLock {
            guard $0 == epoch, memory.removals == removals else { return }
            for change in changes { for level in farther[..<index] { level.entries.save(change) } }
        }
    }

    /// Not `async`: there the call would go to the other `items`, which waits.
    private func inMemory(_ keys: [ItemKey]) -> [ItemEntity?] { memory.items(keys) }
}

/// A level of the cache after memory.
public struct CacheLevel: Sendable {
    /// What answers from it say of where they came from.
    public let source: Source
    /// What it keeps.
    public let entries: any PersistentDataSourceContract

    public init(_ source: Source, _ entries: any PersistentDataSourceContract) {
        self.source = source
        self.entries = entries
    }
}
