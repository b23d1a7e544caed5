import DataSources
import JSON
import Model
import System

/// The levels of the cache as one: their order, the promotion of entries, the effect of removals, and the observers of
/// changes.
///
/// The first level is memory, which answers on the caller's thread. The lower levels are read in their order.
public final class Cache: Sendable {
    private let memory: MemoryDataSource
    private let file: (any PersistentDataSourceContract)?
    private let shared: (any SharedDataSourceContract)?
    /// The levels below memory, from the upper to the lower.
    private let lowerLevels: [CacheLevel]
    private let writer: CacheWriter
    /// Notifies the observers of changes.
    let hub: ChangeHub

    /// A cache of these levels, from the upper to the lower.
    public init(
        memory: MemoryDataSource, file: (any PersistentDataSourceContract)? = nil,
        shared: (any SharedDataSourceContract)? = nil, hub: ChangeHub = ChangeHub()
    ) {
        (self.memory, self.file, self.shared, self.hub) = (memory, file, shared, hub)
        lowerLevels = (file.map { [CacheLevel.file($0)] } ?? []) + (shared.map { [CacheLevel.shared($0)] } ?? [])
        writer = CacheWriter(memory: memory, lowerLevels: lowerLevels)
        file?.reportForeignChanges { [weak self] in self?.forget($0) }
        hub.follow { [weak self] in await self?.catchUp() }
    }

    // MARK: Memory, at once

    /// Whether memory knows all changes by other processes.
    var isCurrent: Bool { file?.isCurrent ?? true }

    /// The part of an item in memory that an answer needs; nil if there is none, or if memory may be out of date. It
    /// never waits.
    func glance(_ key: ItemKey) -> ItemGlance? { isCurrent ? memory.glance(key) : nil }

    /// The entry in memory, even if it may be out of date. A miss is not counted.
    func peek<Key: CacheKey>(_ key: Key) -> Key.Entry? { memory.peek(key) }

    /// The entries in memory, in the order of their keys, even if they may be out of date. Misses are not counted.
    func peek<Key: CacheKey>(_ keys: [Key]) -> [Key.Entry?] { memory.peek(keys) }

    /// Whether `readShared` can read anything.
    var readsSharedAtOnce: Bool { file == nil && shared != nil }

    // MARK: All levels

    /// Learns what other processes have changed.
    func catchUp() async {
        if let file, !file.isCurrent { await file.catchUp() }
    }

    /// Reads an entry: shows what each level has to `isEnough`, until that returns true. A level that fails has none.
    ///
    /// - Parameter promotes: whether an entry that is enough is stored in the levels above its own.
    func read<Key: CacheKey>(
        _ key: Key, within reach: CacheReach, promotes: Bool, isEnough: (Key.Entry?, Source) -> Bool
    ) async {
        if isEnough(memory.read(key), .memory) { return }
        for (index, level) in lowerLevels.enumerated() where level.isWithin(reach) {
            let moment = writer.now
            let entry = try? await level.entries.read(key)
            guard isEnough(entry, level.source) else { continue }
            if promotes, let entry {
                var changes = Key.Entry.changes(keeping: [entry])
                if index > 0 { changes = await writer.newer(changes, above: index) }
                writer.promote(changes, above: index, since: moment)
            }
            return
        }
    }

    /// Reads several entries. Each level is read once, for the keys of which no upper level had enough.
    func read<Key: CacheKey>(
        _ keys: [Key], within reach: CacheReach, promotes: Bool, isEnough: (Key, Key.Entry?, Source) -> Bool
    ) async {
        var missing = zip(keys, memory.read(keys)).filter { !isEnough($0, $1, .memory) }.map(\.0)
        for (index, level) in lowerLevels.enumerated() where !missing.isEmpty && level.isWithin(reach) {
            let moment = writer.now
            guard let entries = try? await level.entries.read(missing) else { continue }
            let enough = zip(missing, entries).map { isEnough($0, $1, level.source) }
            let useful = zip(entries, enough).compactMap { $1 ? $0 : nil }
            missing = zip(missing, enough).compactMap { $1 ? nil : $0 }
            if promotes, !useful.isEmpty {
                let changes = await writer.newer(Key.Entry.changes(keeping: useful), above: index)
                writer.promote(changes, above: index, since: moment)
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
        guard file == nil, let shared, memory.peek(key) == nil else { return false }
        let moment = writer.now
        return shared.readAtOnce(key) { [memory, writer] item in
            guard let item else { return then(.missing) }
            guard isEnough(item) else { return then(.outdated) }
            // Counts the miss of memory, as `read` does.
            _ = memory.read(key)
            writer.promote(item, since: moment)
            then(.found(item))
        }
    }

    /// What each level within reach has that may have the entry, from the upper to the lower. A miss of memory is not
    /// counted.
    func entries<Key: CacheKey>(
        _ key: Key, within reach: CacheReach
    ) async -> [(source: Source, entry: Key.Entry?)] {
        var entries = [(source: Source.memory, entry: memory.peek(key))]
        for level in lowerLevels where level.isWithin(reach) && level.mayHave(key.name) {
            entries.append((level.source, try? await level.entries.read(key)))
        }
        return entries
    }

    /// The levels that store an answer of the remote.
    func keepers(of key: some CacheKey) -> [Source] {
        [.memory] + lowerLevels.filter { $0.stores(key.name) }.map(\.source)
    }

    /// Reads an entry of any age from this machine, and returns the level that had it. A miss of memory is not counted.
    func readLocal<Key: CacheKey>(_ key: Key) async -> (entry: Key.Entry, source: Source)? {
        if let entry = memory.peek(key) { return (entry, .memory) }
        if let entry = try? await file?.read(key) { return (entry, .persistence) }
        return nil
    }

    /// Reads a page without its items from this machine. In memory the read is not counted, and is no use of the page.
    func page(_ key: PageKey) async -> PageEntity? {
        if let page = memory.pageAlone(key) { return page }
        return await readLocal(key)?.entry.page
    }

    /// Searches the items. The file has all that memory has, so memory is searched only without a usable file.
    ///
    /// - Throws: `LocalDataError` if the file can be used and cannot be searched.
    func search(_ query: SearchQuery) async throws(LocalDataError) -> SearchHits {
        if let file {
            do throws(LocalDataError) {
                return try await file.search(query)
            } catch {
                guard error.isUnavailable else { throw error }
            }
        }
        return try memory.search(query)
    }

    /// The size of each level, and its hits and misses.
    public func statistics() async -> [Source: LocalStatistics] {
        var statistics = [Source.memory: memory.statistics()]
        for level in lowerLevels { statistics[level.source] = await level.entries.statistics() }
        return statistics
    }

    /// Writes what was saved, and closes the levels. Returns whether the file has all that was saved; false without a
    /// file.
    public func close() async -> Bool {
        let isWhole = await file?.close() ?? false
        await shared?.close()
        return isWhole
    }

    // MARK: Turns

    /// Whether other machines share a level, so that they may fetch the same entries.
    var hasSharedLevel: Bool { shared != nil }

    /// Takes the turn to ask the remote for some keys; nil without a shared level, since no other process has it then.
    func takeTurn(_ keys: [some CacheKey], isForced: Bool) async -> FetchTurn? {
        await shared?.take(keys.map(\.name), isForced: isForced)
    }

    /// Entries that other processes have stored in the shared level meanwhile and that are enough. They are stored in
    /// the levels of this machine.
    func broughtByOthers<Key: CacheKey>(
        _ keys: [Key], isEnough: (Key.Entry) -> Bool
    ) async -> [Key: Key.Entry] {
        guard let shared else { return [:] }
        let moment = writer.now
        var received: [Key: Key.Entry] = [:]
        for (key, entry) in zip(keys, await shared.reread(keys)) {
            if let entry, isEnough(entry) { received[key] = entry }
        }
        shared.countReceived(received.count)
        let index = lowerLevels.count - 1
        let changes = await writer.newer(Key.Entry.changes(keeping: Array(received.values)), above: index)
        writer.promote(changes, above: index, since: moment)
        return received
    }

    // MARK: Changes

    /// The number of removals and invalidations so far.
    var currentEpoch: Int { writer.currentEpoch }

    /// Stores the answer to a request of an epoch, unless that epoch is over. Memory is written first, so a caller
    /// that has the answer finds it in memory.
    func save(_ change: LocalChange, askedIn epoch: Int) {
        writer.save(change, askedIn: epoch)
        hub.changed(items: change.items.keys, page: change.page?.key)
    }

    /// Removes an entry that the remote no longer has.
    func forget(_ key: some CacheKey) {
        memory.remove(key)
        for level in lowerLevels { level.entries.remove(key) }
        hub.changed(key.name)
    }

    /// Removes what a selection names. Returns the number of removed entries: that of the level with the most, since an
    /// upper level has a part of what the lower levels have, unless those fail.
    public func remove(_ selection: CacheSelection) async -> Int {
        let count = await select { level in (try? await level.remove(selection)) ?? 0 }
        hub.changedAll()
        return count
    }

    /// Marks stale what a selection names. Returns the number of marked entries, as `remove` does.
    public func invalidate(_ selection: CacheSelection) async -> Int {
        await select { level in (try? await level.invalidate(selection)) ?? 0 }
    }

    /// The shared level comes first: an entry that is read from it meanwhile would else come back into the levels
    /// above, from which it was removed.
    private func select(_ act: (any LocalDataSourceContract) async -> Int) async -> Int {
        writer.beginEpoch()
        var count = 0
        if let shared { count = await act(shared) }
        count = max(count, await act(memory))
        if let file { count = max(count, await act(file)) }
        return count
    }

    /// Drops from memory what another process changed in the cache file: the next read takes it from there.
    private func forget(_ change: ForeignChange) {
        switch change {
        case .everything:
            memory.remove(CacheSelection())
            hub.changedAll()
        case .entries(let items, let pages):
            for key in items { memory.remove(key) }
            for key in pages { memory.remove(key) }
            hub.changed(items: items, pages: pages)
        }
    }
}
