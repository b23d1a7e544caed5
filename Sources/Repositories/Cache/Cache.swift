import DataSources
import JSON
import Model
import System

/// The levels of the cache as one: their order, what moves from one to another, what a removal forbids to be kept, and
/// who is told of changes.
///
/// The first level is memory, which answers on the caller's thread. The others are asked in their order.
public final class Cache: Sendable {
    private let memory: any VolatileDataSourceContract
    private let farther: [CacheLevel]
    private let promotion: Promotion
    /// Who is told of changes.
    let hub: ChangeHub

    /// A cache of these levels.
    ///
    /// - Parameter farther: the levels after memory, nearest first.
    public init(memory: any VolatileDataSourceContract, farther: [CacheLevel] = [], hub: ChangeHub = ChangeHub()) {
        self.memory = memory
        self.farther = farther
        promotion = Promotion(memory: memory, farther: farther)
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
    func read<Key: CacheKey>(
        _ key: Key, within reach: CacheReach, promotes: Bool, isEnough: (Key.Entry?, Source) -> Bool
    ) async {
        if isEnough(key.look(in: memory), .memory) { return }
        for (index, level) in farther.enumerated() where level.isWithin(reach) {
            let moment = promotion.now
            let entry = try? await key.read(from: level.entries)
            guard isEnough(entry, level.source) else { continue }
            if promotes, let entry {
                let changes = await promotion.newer(Key.Entry.changes(keeping: [entry]), before: index)
                promotion.promote(changes, before: index, since: moment)
            }
            return
        }
    }

    /// The same for several items: a level is asked together for those of which no level before it had enough.
    func read(
        _ keys: [ItemKey], within reach: CacheReach, promotes: Bool, isEnough: (ItemKey, ItemEntity?, Source) -> Bool
    ) async {
        var missing = zip(keys, inMemory(keys)).filter { !isEnough($0, $1, .memory) }.map(\.0)
        for (index, level) in farther.enumerated() where !missing.isEmpty && level.isWithin(reach) {
            let moment = promotion.now
            guard let items = try? await level.entries.items(missing) else { continue }
            let enough = zip(missing, items).map { isEnough($0, $1, level.source) }
            let useful = zip(items, enough).compactMap { $1 ? $0 : nil }
            missing = zip(missing, enough).compactMap { $1 ? nil : $0 }
            if promotes, !useful.isEmpty {
                promotion.promote(ItemEntity.changes(keeping: useful), before: index, since: moment)
            }
        }
    }

    /// Starts to read an item from the shared level on the caller's thread, without a task. A file would be read first,
    /// so this is for a cache without one.
    ///
    /// - Parameters:
    ///   - isEnough: whether an item ends the search.
    ///   - then: called once, on the loop.
    /// - Returns: false if memory has the item, or the shared level cannot be read at once. `then` is not called then.
    func readShared(
        _ key: ItemKey, isEnough: @escaping @Sendable (ItemEntity) -> Bool,
        then: @escaping @Sendable (SharedRead<ItemEntity>) -> Void
    ) -> Bool {
        guard let level = farther.first?.shared, memory.peek(key) == nil else { return false }
        let moment = promotion.now
        return level.readAtOnce(key) { [memory, promotion] item in
            guard let item else { return then(.missing) }
            guard isEnough(item) else { return then(.outdated) }
            // Counts the miss of memory, as `read` does.
            _ = memory.item(key)
            promotion.promote(item, since: moment)
            then(.found(item))
        }
    }

    /// What each level has that is asked, nearest first. It is not counted as a miss of memory.
    func entries<Key: CacheKey>(
        _ key: Key, within reach: CacheReach
    ) async -> [(source: Source, entry: Key.Entry?)] {
        var entries = [(source: Source.memory, entry: key.peek(in: memory))]
        for level in farther where level.isWithin(reach) && level.shared?.shares(key.name) ?? true {
            entries.append((level.source, try? await key.read(from: level.entries)))
        }
        return entries
    }

    /// The levels that keep what a remote answers under a key.
    func keepers(of key: some CacheKey) -> [Source] {
        [.memory] + farther.filter { $0.shared?.keeps(key.name) ?? true }.map(\.source)
    }

    /// What the nearest level of this machine has that has anything, and where that was.
    func nearest<Key: CacheKey>(_ key: Key) async -> (entry: Key.Entry, source: Source)? {
        if let entry = key.peek(in: memory) { return (entry, .memory) }
        for level in farther where level.isWithin(.machine) {
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
        for level in farther where level.isWithin(.machine) {
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

    /// Brings to disk what is kept, and ends. Returns whether each level after memory has all that it was given.
    public func close() async -> [Source: Bool] {
        var whole: [Source: Bool] = [:]
        for level in farther { whole[level.source] = await level.entries.close() }
        return whole
    }

    // MARK: Turns

    /// Takes the turn to ask the remote for some keys; nil where no level is shared, so that nobody else could have it.
    func takeTurn(_ keys: [some CacheKey], isForced: Bool) async -> FetchTurn? {
        await shared?.entries.take(keys.map(\.name), isForced: isForced)
    }

    /// What others have brought in the meantime and is enough. It is kept in the levels of this machine.
    func broughtByOthers<Key: CacheKey>(
        _ keys: [Key], isEnough: (Key.Entry) -> Bool
    ) async -> [Key: Key.Entry] {
        guard let (index, level) = shared else { return [:] }
        let moment = promotion.now
        var brought: [Key: Key.Entry] = [:]
        for (key, entry) in zip(keys, await Key.lookAgain(keys, in: level)) {
            if let entry, isEnough(entry) { brought[key] = entry }
        }
        level.countBrought(brought.count)
        let changes = await promotion.newer(Key.Entry.changes(keeping: Array(brought.values)), before: index)
        promotion.promote(changes, before: index, since: moment)
        return brought
    }

    /// The level that many machines share, and its place among those after memory; nil where there is none.
    private var shared: (place: Int, entries: any SharedDataSourceContract)? {
        farther.enumerated().lazy.compactMap { place, level in level.shared.map { (place, $0) } }.first
    }

    // MARK: Changes

    /// How often entries were removed or marked stale.
    var currentEpoch: Int { promotion.currentEpoch }

    /// Keeps what was asked for in an epoch, unless that is over. Memory first: whoever sees the answer finds it there.
    func save(_ change: LocalChange, askedIn epoch: Int) {
        promotion.save(change, askedIn: epoch)
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
        let count = await select { level in (try? await level.remove(selection)) ?? 0 }
        hub.changedAll()
        return count
    }

    /// Marks stale what a selection names. Returns how many entries were marked, as `remove` does.
    public func invalidate(_ selection: CacheSelection) async -> Int {
        await select { level in (try? await level.invalidate(selection)) ?? 0 }
    }

    /// A shared level comes first: what is read from it meanwhile would else come back into those before it, from which
    /// it was removed.
    private func select(_ act: (any LocalDataSourceContract) async -> Int) async -> Int {
        promotion.beginEpoch()
        for level in farther where !level.isWithin(.machine) { _ = await act(level.entries) }
        var count = await act(memory)
        for level in farther where level.isWithin(.machine) { count = max(count, await act(level.entries)) }
        return count
    }

    /// Drops from memory what another process changed in the cache file: the next read takes it from there.
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

    /// Not `async`: there the call would go to the other `items`, which waits.
    private func inMemory(_ keys: [ItemKey]) -> [ItemEntity?] { memory.items(keys) }
}
