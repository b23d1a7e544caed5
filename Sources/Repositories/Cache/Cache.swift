import DataSources
import JSON
import Model
import System

/// The cache of all resources, which has several levels: memory, the cache file and the shared level. Promotes entries
/// to upper levels, applies removals and notifies observers.
///
/// Memory answers on the caller's thread. If memory lacks an entry, the cache file is read, and then the shared level.
public final class Cache: Sendable {
    private let memory: MemoryDataSource
    private let file: (any PersistentDataSourceContract)?
    private let shared: (any SharedDataSourceContract)?
    /// The cache file and the shared level, in the order in which they are read.
    private let lowerLevels: [CacheLevel]
    private let writer: CacheWriter
    /// The hub that notifies observers of changes.
    let hub: ChangeHub

    /// Creates a cache of the given levels.
    ///
    /// - Parameters:
    ///   - file: the cache file; nil for none.
    ///   - shared: the level that several machines share; nil for none.
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

    /// Whether memory reflects all changes by other processes.
    var isCurrent: Bool { file?.isCurrent ?? true }

    /// Returns the parts of an item that a reply needs, from memory alone. Never waits.
    ///
    /// - Returns: nil if memory does not have the item, or may lack changes by other processes.
    func glance(_ key: ItemKey) -> ItemSnapshot? { isCurrent ? memory.glance(key) : nil }

    /// Returns the entry in memory, even if another process has changed the entry since. Does not count a miss.
    func peek<Key: CacheKey>(_ key: Key) -> Key.Entry? { memory.peek(key) }

    /// Returns the entries in memory, in the order of their keys, even if other processes have changed them since. Does
    /// not count misses.
    func peek<Key: CacheKey>(_ keys: [Key]) -> [Key.Entry?] { memory.peek(keys) }

    /// Whether `readShared` can be used: there is a shared level but no cache file.
    var readsSharedAtOnce: Bool { file == nil && shared != nil }

    // MARK: All levels

    /// Loads the changes that other processes made to the cache file.
    func catchUp() async {
        if let file, !file.isCurrent { await file.catchUp() }
    }

    /// Reads an entry. Calls `isEnough` with the entry of each level until it returns true. A level that fails counts
    /// as having no entry.
    ///
    /// - Parameters:
    ///   - reach: the levels to read.
    ///   - promotes: whether an accepted entry is also stored in the levels above the one that had it.
    func read<Key: CacheKey>(
        _ key: Key, within reach: CacheReach, promotes: Bool, isEnough: (Key.Entry?, Source) -> Bool
    ) async {
        if isEnough(memory.read(key), .memory) { return }
        for (index, level) in lowerLevels.enumerated() where level.isWithin(reach) {
            let moment = writer.now
            let entry = try? await level.entries.read(key)
            guard isEnough(entry, level.source) else { continue }
            if promotes, let entry { await promote(entry, above: index, since: moment) }
            return
        }
    }

    /// Stores an entry in the levels above the one that had it.
    // Not inlined, so that a read without a promotion needs no memory for its variables.
    @inline(never)
    private func promote(_ entry: some CacheEntry, above index: Int, since moment: CacheWriter.Moment) async {
        var changes = type(of: entry).changes(keeping: [entry])
        if index > 0 { changes = await writer.newer(changes, above: index) }
        writer.promote(changes, above: index, since: moment)
    }

    /// Reads several entries. Each level is read once, for the keys without an accepted entry in an upper level.
    ///
    /// - Parameters:
    ///   - reach: the levels to read.
    ///   - promotes: whether accepted entries are also stored in the levels above the one that had them.
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

    /// Starts a read of the shared level on the caller's thread, without a task. Requires a cache without a file,
    /// because a file would have to be read first.
    ///
    /// - Parameters:
    ///   - isEnough: returns whether an item is accepted.
    ///   - then: called once, on the event loop.
    /// - Returns: false if memory has the item, or the shared level cannot be read at once. `then` is not called in
    ///   this case.
    func readShared(
        _ key: ItemKey, isEnough: @escaping @Sendable (ItemEntity) -> Bool,
        then: @escaping @Sendable (SharedRead<ItemEntity>) -> Void
    ) -> Bool {
        guard file == nil, let shared, memory.peek(key) == nil else { return false }
        let moment = writer.now
        return shared.readAtOnce(key) { [memory, writer] item in
            guard let item else { return then(.missing) }
            guard isEnough(item) else { return then(.outdated) }
            // `peek` did not count the miss of memory.
            _ = memory.read(key)
            writer.promote(item, since: moment)
            then(.found(item))
        }
    }

    /// Returns the entry of each level, from memory to the lowest level. Levels that never store this key are left out.
    /// A miss of memory is not counted.
    func entries<Key: CacheKey>(
        _ key: Key, within reach: CacheReach
    ) async -> [(source: Source, entry: Key.Entry?)] {
        var entries = [(source: Source.memory, entry: memory.peek(key))]
        for level in lowerLevels where level.isWithin(reach) && level.mayHave(key.name) {
            entries.append((level.source, try? await level.entries.read(key)))
        }
        return entries
    }

    /// Returns the levels that would store the remote's answer for a key.
    func keepers(of key: some CacheKey) -> [Source] {
        [.memory] + lowerLevels.filter { $0.stores(key.name) }.map(\.source)
    }

    /// Reads an entry of any age from memory or the cache file. Returns the entry and the level that had it. A miss of
    /// memory is not counted.
    func readLocal<Key: CacheKey>(_ key: Key) async -> (entry: Key.Entry, source: Source)? {
        if let entry = memory.peek(key) { return (entry, .memory) }
        if let entry = try? await file?.read(key) { return (entry, .persistence) }
        return nil
    }

    /// Reads a page without its items from memory or the cache file. The read of memory is not counted, and does not
    /// mark the page as recently used.
    func page(_ key: PageKey) async -> PageEntity? {
        if let page = memory.pageWithoutItems(key) { return page }
        return await readLocal(key)?.entry.page
    }

    /// Searches the cached items. The cache file has everything that memory has, so memory is searched only if there is
    /// no usable file.
    ///
    /// - Throws: `LocalDataError` if the file is usable but cannot be searched.
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

    /// Returns the size, the hits and the misses of each level.
    public func statistics() async -> [Source: LocalStatistics] {
        var statistics = [Source.memory: memory.statistics()]
        for level in lowerLevels { statistics[level.source] = await level.entries.statistics() }
        return statistics
    }

    /// Writes pending entries and closes the levels.
    ///
    /// - Returns: whether the cache file contains all saved entries; false if there is no file.
    public func close() async -> Bool {
        let isWhole = await file?.close() ?? false
        await shared?.close()
        return isWhole
    }

    // MARK: Leases

    /// Whether there is a shared level, so that other processes may be fetching the same entries.
    var hasSharedLevel: Bool { shared != nil }

    /// Takes a lease from the shared level. The lease lists the keys that this process may fetch from the remote.
    ///
    /// - Parameter isForced: whether the lease also lists keys that another process is fetching.
    /// - Returns: nil if there is no shared level, so that no lease is needed.
    func takeLease(_ keys: [some CacheKey], isForced: Bool) async -> FetchLease? {
        await shared?.take(keys.map(\.name), isForced: isForced)
    }

    /// Returns the entries that other processes have stored in the shared level and that `isEnough` accepts. Stores
    /// them in the upper levels too.
    func entriesOfOtherProcesses<Key: CacheKey>(
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

    /// Stores the remote's answer to a request that was made in `epoch`. Discards the answer if entries were removed or
    /// invalidated since. Memory is written first, so that a caller that has the answer also finds it in memory.
    func save(_ change: LocalChange, askedIn epoch: Int) {
        writer.save(change, askedIn: epoch)
        hub.changed(items: change.items.keys, page: change.page?.key)
    }

    /// Removes an entry from all levels, because the remote no longer has it.
    func forget(_ key: some CacheKey) {
        memory.remove(key)
        for level in lowerLevels { level.entries.remove(key) }
        hub.changed(key.name)
    }

    /// Removes the selected entries.
    ///
    /// - Returns: the number of entries removed from the level that lost the most. Levels can contain different
    ///   entries.
    public func remove(_ selection: CacheSelection) async -> Int {
        let count = await select { level in (try? await level.remove(selection)) ?? 0 }
        hub.changedAll()
        return count
    }

    /// Marks the selected entries as stale.
    ///
    /// - Returns: the number of entries marked in the level that has the most of them.
    public func invalidate(_ selection: CacheSelection) async -> Int {
        await select { level in (try? await level.invalidate(selection)) ?? 0 }
    }

    /// Applies a removal or an invalidation to all levels. Returns the largest number of entries that it affected in
    /// one level.
    ///
    /// The shared level is changed first. Otherwise a concurrent read could promote an old entry from the shared level
    /// to levels that were already changed.
    private func select(_ act: (any LocalDataSourceContract) async -> Int) async -> Int {
        writer.beginEpoch()
        var count = 0
        if let shared { count = await act(shared) }
        count = max(count, await act(memory))
        if let file { count = max(count, await act(file)) }
        return count
    }

    /// Drops from memory the entries that another process changed in the cache file. The next read takes them from the
    /// file.
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
