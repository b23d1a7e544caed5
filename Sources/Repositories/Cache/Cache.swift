import DataSources
import JSON
import Model
import System

/// The cache of all resources, with several levels: memory, the cache file and the shared level. The cache copies
/// entries from lower to upper levels, applies removals and notifies observers.
///
/// Memory answers on the caller's thread. If memory lacks an entry, the cache reads the file, and then the shared
/// level.
public final class Cache: Sendable {
    let memory: MemoryDataSource
    private let file: (any PersistentDataSourceContract)?
    let shared: (any SharedDataSourceContract)?
    /// The store of synced lists; nil if there is no cache file.
    let syncs: FileSyncStore?
    /// The cache levels below memory, in the order of reading: the cache file and the shared level.
    private let lowerLevels: [CacheLevel]
    private let writer: CacheWriter
    /// Notifies observers of changes to the cache.
    let hub: ChangeHub

    /// Creates a cache of the given levels.
    ///
    /// - Parameters:
    ///   - file: the cache file; nil for none.
    ///   - shared: the cache level that several machines share; nil for none.
    ///   - syncs: the store of synced lists; nil if there is no cache file.
    public init(
        memory: MemoryDataSource, file: (any PersistentDataSourceContract)? = nil,
        shared: (any SharedDataSourceContract)? = nil, syncs: FileSyncStore? = nil,
        hub: ChangeHub = ChangeHub()
    ) {
        (self.memory, self.file, self.shared, self.syncs, self.hub) = (memory, file, shared, syncs, hub)
        lowerLevels = (file.map { [CacheLevel.file($0)] } ?? []) + (shared.map { [CacheLevel.shared($0)] } ?? [])
        writer = CacheWriter(memory: memory, lowerLevels: lowerLevels)
        file?.reportForeignChanges { [weak self] in self?.forget($0) }
        hub.follow { [weak self] in await self?.catchUp() }
    }

    // MARK: Reads of memory alone

    /// Whether memory reflects all changes by other processes.
    var isCurrent: Bool { file?.isCurrent ?? true }

    /// Returns an item from memory without waiting. Nil if memory lacks the item, or if another process may have
    /// changed the item.
    func glance(_ key: ItemKey) -> ItemSnapshot? { isCurrent ? memory.glance(key) : nil }

    /// Returns an entry from memory, even if another process may have changed the entry. Counts no cache miss.
    func peek<Key: CacheKey>(_ key: Key) -> Key.Entry? { memory.peek(key) }

    /// Returns entries from memory, even if other processes may have changed them. Counts no cache misses.
    func peek<Key: CacheKey>(_ keys: [Key]) -> [Key.Entry?] { memory.peek(keys) }

    /// Whether the cache supports `readShared`, which requires a shared cache level and no cache file.
    var readsSharedAtOnce: Bool { file == nil && shared != nil }

    // MARK: All levels

    /// Removes from memory all entries that other processes have changed in the cache file.
    func catchUp() async {
        if let file, !file.isCurrent { await file.catchUp() }
    }

    /// Reads an entry from one cache level after another, until `isEnough` accepts an entry. If a level fails, the read
    /// continues with the next level.
    ///
    /// - Parameters:
    ///   - reach: the cache levels to read.
    ///   - promotes: whether the cache also stores an accepted entry in the upper levels.
    func read<Key: CacheKey>(
        _ key: Key, within reach: CacheReach, promotes: Bool, isEnough: (Key.Entry?, Source) -> Bool
    ) async {
        if reach != .shared, isEnough(memory.read(key), .memory) { return }
        for (index, level) in lowerLevels.enumerated() where level.isWithin(reach) {
            let moment = writer.now
            let entry = try? await level.entries.read(key)
            guard isEnough(entry, level.source) else { continue }
            guard promotes, let entry else { return }
            if index == 0 { return writer.promote(entry, since: moment) }
            return await promote(entry, above: index, since: moment)
        }
    }

    /// Copies an entry from one cache level to all upper levels.
    // Not inlined, so that a read without a promotion needs no stack space for the variables of this function.
    @inline(never)
    private func promote(_ entry: some CacheEntry, above index: Int, since moment: CacheWriter.Moment) async {
        let changes = await writer.newer(Array(type(of: entry).changes(keeping: [entry])), above: index)
        writer.promote(changes, above: index, since: moment)
    }

    /// Reads several entries. Each cache level is read at most once, and only for keys without an accepted entry in an
    /// upper level.
    ///
    /// - Parameters:
    ///   - reach: the cache levels to read.
    ///   - promotes: whether the cache also stores accepted entries in the upper levels.
    func read<Key: CacheKey>(
        _ keys: [Key], within reach: CacheReach, promotes: Bool, isEnough: (Key, Key.Entry?, Source) -> Bool
    ) async {
        var missing = keys
        if reach != .shared { missing = zip(keys, memory.read(keys)).filter { !isEnough($0, $1, .memory) }.map(\.0) }
        for (index, level) in lowerLevels.enumerated() where !missing.isEmpty && level.isWithin(reach) {
            let moment = writer.now
            guard let entries = try? await level.entries.read(missing) else { continue }
            let enough = zip(missing, entries).map { isEnough($0, $1, level.source) }
            let useful = zip(entries, enough).compactMap { $1 ? $0 : nil }
            missing = zip(missing, enough).compactMap { $1 ? nil : $0 }
            if promotes, !useful.isEmpty {
                let changes = await writer.newer(Array(Key.Entry.changes(keeping: useful)), above: index)
                writer.promote(changes, above: index, since: moment)
            }
        }
    }

    /// Starts a read of an item from the shared cache level, without a Swift task. Passes the result to a callback.
    ///
    /// - Parameters:
    ///   - isEnough: returns whether the caller accepts an item.
    ///   - then: called once, on the event loop, unless `readShared` returns false.
    /// - Returns: whether the read was started. False if there is a cache file, if memory contains the item, or if the
    ///   shared level is off or cannot start the read now.
    func readShared(
        _ key: ItemKey, isEnough: @escaping @Sendable (ItemEntity) -> Bool,
        then: @escaping @Sendable (SharedRead<ItemEntity>) -> Void
    ) -> Bool {
        guard file == nil, let shared, memory.peek(key) == nil else { return false }
        let moment = writer.now
        return shared.readAtOnce(key) { [memory, writer] item in
            guard let item else { return then(.missing) }
            guard isEnough(item) else { return then(.outdated) }
            // The statistics must count the miss of memory, which `peek` did not count.
            _ = memory.read(key)
            writer.promote(item, since: moment)
            then(.found(item))
        }
    }

    /// Returns the entry with the given key in each cache level, from memory to the lowest level. Omits levels that
    /// never store this key. A missing entry in memory does not count as a miss.
    func entries<Key: CacheKey>(
        _ key: Key, within reach: CacheReach
    ) async -> [(source: Source, entry: Key.Entry?)] {
        var entries = [(source: Source.memory, entry: memory.peek(key))]
        for level in lowerLevels where level.isWithin(reach) && level.mayHave(key.name) {
            entries.append((level.source, try? await level.entries.read(key)))
        }
        return entries
    }

    /// Returns the cache levels that would store the API's answer for a key.
    func keepers(of key: some CacheKey) -> [Source] {
        [.memory] + lowerLevels.filter { $0.stores(key.name) }.map(\.source)
    }

    /// Reads an entry of any age from memory or the cache file. A missing entry in memory does not count as a miss.
    func readLocal<Key: CacheKey>(_ key: Key) async -> (entry: Key.Entry, source: Source)? {
        if let entry = memory.peek(key) { return (entry, .memory) }
        if let entry = try? await file?.read(key) { return (entry, .persistence) }
        return nil
    }

    /// Reads a page from memory or the cache file. The result contains the ids of the page's items, but not the items.
    // The read of memory does not change the statistics, and does not mark the page as recently used.
    func page(_ key: PageKey) async -> PageEntity? {
        if let page = memory.pageWithoutItems(key) { return page }
        return await readLocal(key)?.entry.page
    }

    /// Searches the cached items. If the cache file is usable, the search reads only the file, which also contains all
    /// items in memory. Otherwise the search reads memory.
    ///
    /// - Throws: `LocalDataError` if the file is usable but the search fails.
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

    /// Returns the size, the hits and the misses of each cache level.
    public func statistics() async -> [Source: LocalStatistics] {
        var statistics = [Source.memory: memory.statistics()]
        for level in lowerLevels { statistics[level.source] = await level.entries.statistics() }
        return statistics
    }

    /// Writes pending entries and closes the cache levels.
    ///
    /// - Returns: whether the cache file contains all saved entries; false if there is no file.
    public func close() async -> Bool {
        let isWhole = await file?.close() ?? false
        await shared?.close()
        return isWhole
    }

    // MARK: Leases

    /// Whether the cache has a shared cache level. If so, other processes may fetch the same entries at the same time.
    var hasSharedLevel: Bool { shared != nil }

    /// Asks the shared cache level which of the given entries this process may fetch from the API.
    ///
    /// - Parameter isForced: whether this process may also fetch entries that another process is fetching.
    /// - Returns: nil if there is no shared level, because this process then needs no permission.
    func takeLease(_ keys: [some CacheKey], isForced: Bool) async -> FetchLease? {
        await shared?.take(keys.map(\.name), isForced: isForced)
    }

    /// Returns the entries that other processes have stored in the shared level, if `isEnough` accepts them. Copies the
    /// returned entries to the upper cache levels.
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
        let changes = await writer.newer(
            Array(Key.Entry.changes(keeping: Array(received.values))), above: index)
        writer.promote(changes, above: index, since: moment)
        return received
    }

    // MARK: Changes

    /// The number of removals and invalidations so far.
    var currentEpoch: Int { writer.currentEpoch }

    /// Stores the API's answer to a request in memory, and passes the answer to the other cache levels. Discards the
    /// answer if entries were removed or invalidated since the request.
    ///
    /// - Parameter epoch: the value of `currentEpoch` when the request started.
    func save(_ change: LocalChange, askedIn epoch: Int) {
        writer.save(change, askedIn: epoch)
        hub.changed(items: change.items.keys, page: change.page?.key)
    }

    /// Removes an entry from all cache levels, because the API no longer has it.
    func forget(_ key: some CacheKey) {
        memory.remove(key)
        for level in lowerLevels { level.entries.remove(key) }
        hub.changed(key.name)
    }

    /// Removes the selected entries from all cache levels.
    ///
    /// - Returns: the highest number of entries that were removed from a single level.
    public func remove(_ selection: CacheSelection) async -> Int {
        let count = await select { level in (try? await level.remove(selection)) ?? 0 }
        hub.changedAll()
        return count
    }

    /// Marks the selected entries as stale in all cache levels.
    ///
    /// - Returns: the highest number of entries that were marked in a single level.
    public func invalidate(_ selection: CacheSelection) async -> Int {
        await select { level in (try? await level.invalidate(selection)) ?? 0 }
    }

    /// Applies a removal or an invalidation to all levels. Returns the highest number of affected entries in a single
    /// level.
    // The shared level comes first. Otherwise a concurrent read could promote an old entry from the shared level to an
    // already changed upper level.
    private func select(_ act: (any LocalDataSourceContract) async -> Int) async -> Int {
        writer.beginEpoch()
        var count = 0
        if let shared { count = await act(shared) }
        count = max(count, await act(memory))
        if let file { count = max(count, await act(file)) }
        return count
    }

    /// Removes from memory the entries that another process has changed.
    func forget(_ change: ForeignChange) {
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
