import Model
import System

/// The second level of the cache: items and pages in an SQLite file that several processes may share.
///
/// Writes wait in memory until a background thread stores them. Reads include pending writes, so no read waits for a
/// write. If the file cannot be used, the data source behaves as if it were empty.
public final class EntityDataSource: PersistentDataSourceContract, CacheNotesContract {
    /// The maximum total size of pending writes, in bytes.
    public static let maxPendingBytes = 64 << 20
    /// The maximum time that a read or a write waits for another process's lock, in milliseconds.
    // A call that reads and writes may wait twice.
    private static let busyTimeout: Int32 = 80
    /// The delay before a write is stored, in milliseconds. Writes during the delay join the same transaction.
    private static let gatheringTime = 2

    let context: CacheFileContext
    private let upkeep: FileMaintenance
    let reader: EntityReader
    let writer: EntityWriter
    private let limit: Int
    private let closeTimeout: Duration
    private let counts = Lock((hits: 0, misses: 0))

    /// Creates a data source over a file, which need not exist yet. The first use creates the file and its folder.
    ///
    /// - Parameters:
    ///   - path: The path of the cache file.
    ///   - loop: The event loop for reads; by default a new event loop.
    ///   - trust: The rule for trusting existing files. If the file is refused, the data source behaves as if it were
    ///     empty.
    ///   - limit: The maximum size of the file and its write-ahead log, in bytes.
    ///   - clock: The clock that supplies the times of faults, and the times at which entries are used.
    ///   - onFault: Called with each new fault, on any thread. It must not block.
    ///   - onRecovery: Called when the file can be used again after a reported fault.
    ///   - usedElsewhere: Returns the keys of entries that were read from another level since the last call of this
    ///     closure. The file treats these entries as recently used.
    ///   - key: The secret key of the resource fingerprints, which is stored beside the cache file. If nil, no key is
    ///     stored.
    public convenience init(
        path: FilePath, loop: EventLoop = EventLoop(), trust: FileTrust = .named, limit: Int, clock: any ClockContract,
        onFault: @escaping @Sendable (DegradedPart) -> Void,
        onRecovery: @escaping @Sendable () -> Void = {},
        usedElsewhere: @escaping @Sendable () -> UsedKeys = { UsedKeys() },
        key: FingerprintKey? = nil
    ) {
        self.init(
            path: path, loop: loop, trust: trust, limit: limit, clock: clock, onFault: onFault, onRecovery: onRecovery,
            usedElsewhere: usedElsewhere, key: key, maxPendingBytes: Self.maxPendingBytes, closeTimeout: .seconds(2)
        ) { failures in
            // The delay before the first retry is 50 ms. It doubles with each failure, up to 6.4 s.
            try? await EventLoop.shared.sleep(milliseconds: 50 << min(failures, 7))
        }
    }

    /// Creates a data source with explicit limits and timeouts.
    ///
    /// - Parameter pause: Waits before a failed write is retried.
    init(
        path: FilePath, loop: EventLoop = EventLoop(), trust: FileTrust = .named, limit: Int, clock: any ClockContract,
        onFault: @escaping @Sendable (DegradedPart) -> Void,
        onRecovery: @escaping @Sendable () -> Void = {},
        usedElsewhere: @escaping @Sendable () -> UsedKeys = { UsedKeys() },
        key: FingerprintKey? = nil,
        maxPendingBytes: Int, closeTimeout: Duration,
        busyTimeout: Int32 = EntityDataSource.busyTimeout,
        pause: @escaping @Sendable (Int) async -> Void
    ) {
        let file = DatabaseFile(
            path: path, migrations: EntitySchema.migrations, synchronous: "NORMAL", cacheSize: 2048,
            trust: trust, busyTimeout: busyTimeout)
        // For a while the file and its log both contain the data of a transaction. A transaction must therefore be
        // small compared to the limit.
        let batch = min(PendingWrites.batchBytes, max(limit / 32, 65_536))
        context = CacheFileContext(
            file: file, pending: PendingWrites(limit: maxPendingBytes, batchBytes: batch),
            health: FileHealth(clock: clock, onFault: onFault, onRecovery: onRecovery))
        upkeep = FileMaintenance(limit: limit, clock: clock, usedElsewhere: usedElsewhere)
        writer = EntityWriter(context, upkeep: upkeep, clock: clock, key: key, pause: pause)
        reader = EntityReader(context, writer: writer, loop: loop)
        self.limit = limit
        self.closeTimeout = closeTimeout
    }

    /// Reads an entry, with the pending writes applied.
    @_specialize(where Key == ItemKey)
    @_specialize(where Key == PageKey)
    public func read<Key: CacheKey>(_ key: Key) async throws(LocalDataError) -> Key.Entry? {
        let entry = try await view("read an entry") { (view) throws(SQLiteError) in try view.entry(key) }
        recordRead(key, entry)
        return entry
    }

    /// Reads several entries from one snapshot of the file. The result has one element per key, in the order of the
    /// keys.
    @_specialize(where Key == ItemKey)
    public func read<Key: CacheKey>(_ keys: [Key]) async throws(LocalDataError) -> [Key.Entry?] {
        let entries = try await view("read entries") { (view) throws(SQLiteError) in try view.entries(keys) }
        for (key, entry) in zip(keys, entries) { recordRead(key, entry) }
        return entries
    }

    /// Queues a change to be stored. All reads that start later see the change.
    public func save(_ change: LocalChange) { enqueue(.save(change)) }

    /// Queues the removal of an entry. All reads that start later see the removal.
    public func remove(_ key: some CacheKey) {
        switch key.name {
        case .item(let key): enqueue(.removeItem(key))
        case .page(let key): enqueue(.removePage(key))
        }
    }

    /// Removes the entries that match a selection, and returns their number. If the file is locked, the removal stays
    /// pending. The result is then the number of matching entries in the file.
    public func remove(_ selection: CacheSelection) async throws(LocalDataError) -> Int? {
        try await select(selection, "remove entries", isFresh: false) { .remove(selection, $0) }
    }

    /// Marks as stale all entries that match a selection. If the file is locked, the change stays pending.
    public func invalidate(_ selection: CacheSelection) async throws(LocalDataError) -> Int? {
        try await select(selection, "mark entries stale", isFresh: true) { .invalidate(selection, $0) }
    }

    public func statistics() async -> LocalStatistics {
        await writer.writePending()
        let size = try? await reader.read("count the entries") { (view) throws(SQLiteError) in
            (try view.store?.count() ?? 0, try view.store?.size() ?? 0)
        }
        // If the file did not exist, the state in the statistics depends on whether the writer can create the file.
        await reader.waitForCreation()
        var statistics = LocalStatistics()
        (statistics.entries, statistics.bytes) = size ?? (0, 0)
        statistics.limit = limit
        (statistics.hits, statistics.misses) = counts.withLock { $0 }
        statistics.evictions = upkeep.evictions
        statistics.damaged = context.health.damagedRows
        statistics.path = context.file.path.description
        statistics.state = context.health.level
        return statistics
    }

    /// Stores all queued writes. Returns early if the writer cannot store the writes now.
    public func flush() async {
        await writer.writePending()
        if !isCurrent { await catchUp() }
    }

    /// Spends at most two seconds on storing the queued writes, and then closes the file. Later reads find nothing, and
    /// later writes are dropped. Returns true if the file was usable and no write has been lost.
    @discardableResult public func close() async -> Bool {
        // If no write was queued, the writer's thread need not be started.
        if writer.loop.hasBegun || context.pending.count > 0 {
            await writer.close(timeout: closeTimeout)
        } else {
            context.dropPending()
        }
        await reader.close()
        return lostWrites.count == 0 && !context.health.isUnavailable
    }

    /// The number of writes that were dropped because they could not be stored, and the reason for the last loss.
    var lostWrites: (count: Int, reason: String?) { context.health.lostWrites }
}

extension EntityDataSource {
    /// Whether all changes by other processes have been reported. Reading this property may wait for a commit of this
    /// process, but never for another process.
    public var isCurrent: Bool { context.watch.isCurrent }

    public func catchUp() async { await reader.catchUp() }

    public func reportForeignChanges(to handler: @escaping @Sendable (ForeignChange) -> Void) {
        context.reportForeignChanges(to: handler)
    }

    private func view<Result: Sendable>(
        _ what: String, _ body: @Sendable (EntityView) throws(SQLiteError) -> Result
    ) async throws(LocalDataError) -> Result {
        if let result = reader.readAtOnce(body) { return result }
        return try await viewLater(what, body)
    }

    // Not inlined, so that a read on the event loop needs no memory for the variables of this function.
    @inline(never)
    private func viewLater<Result: Sendable>(
        _ what: String, _ body: @Sendable (EntityView) throws(SQLiteError) -> Result
    ) async throws(LocalDataError) -> Result {
        try await reader.read(what, body)
    }

    private func enqueue(_ write: EntityStore.Write) {
        let (schedule, lost) = context.pending.append(write)
        if lost > 0 {
            context.health.recordLost(
                lost,
                "cannot write to \(context.file.path) fast enough: the oldest writes were given up; use a faster disk"
                    + " (--cache-dir)")
        }
        switch schedule {
        case .none: break
        case .now: scheduleWrites()
        case .soon:
            reader.loop.run(after: Self.gatheringTime) { [self] in
                if context.pending.endGathering() { scheduleWrites() }
            }
        }
    }

    private func scheduleWrites() {
        writer.scheduleWrites { [self] in
            // Changes by other processes are reported now, instead of at the next read.
            if !isCurrent { Task(executorPreference: reader.loop) { [self] in await catchUp() } }
        }
    }

    private func select(
        _ selection: CacheSelection, _ what: String, isFresh: Bool,
        _ making: (EntityStore.WriteCount) -> EntityStore.Write
    ) async throws(LocalDataError) -> Int {
        let count = EntityStore.WriteCount()
        enqueue(making(count))
        await writer.writePending()
        if let count = count.value { return count }
        return try await reader.read(what) { (view) throws(SQLiteError) in
            try view.store?.selections.count(selection, fresh: isFresh) ?? 0
        }
    }

    /// Counts a read as a hit or a miss, and collects the keys of the entry that the read found.
    private func recordRead<Key: CacheKey>(_ key: Key, _ entry: Key.Entry?) {
        counts.withLock { if entry != nil { $0.hits += 1 } else { $0.misses += 1 } }
        if let entry { upkeep.notes.note(key, entry) }
    }
}

extension EntityDataSource {
    /// Searches the items in the cache file. Before the search, stores pending writes and indexes new items.
    ///
    /// - Throws: `LocalDataError`, with `isUnavailable` set if there is no file to search.
    // The indexing runs in small steps, so that other writes can run in between.
    public func search(_ query: SearchQuery) async throws(LocalDataError) -> SearchHits {
        do {
            while try await step(query) {}
        } catch {
            throw .search(error, in: context.file.path.description)
        }
        let hits = try await reader.read("search") { (view) throws(SQLiteError) -> SearchHits? in
            guard let store = view.store else { return nil }
            // A read-only file may lack the search index.
            if query.needsIndex, try !SearchIndexer.isPrepared(store.connection) { return nil }
            return try ItemSearch(store).hits(query)
        }
        guard let hits else {
            throw LocalDataError(
                "cannot search: the cache file \(context.file.path) cannot be used; run 'larder doctor'",
                isUnavailable: true)
        }
        return hits
    }

    /// Prepares a search: stores pending writes, and indexes some of the unindexed items. Returns true if the caller
    /// must repeat the call, because there may be more unindexed items. Returns false if the file is locked.
    // If another process keeps the file locked, the search uses the items that are already indexed.
    private func step(_ query: SearchQuery) async throws(SQLiteError) -> Bool {
        do {
            return try await writer.perform { (store) throws(SQLiteError) in
                guard query.needsIndex else { return false }
                var indexer = SearchIndexer(store)
                try indexer.prepare()
                for (_, resource) in try store.resources.resources(of: query) {
                    if try indexer.indexSome(of: resource) { return true }
                }
                return false
            } ?? false
        } catch {
            guard error.isBusy, !Task.isCancelled else { throw error }
            return false
        }
    }
}

extension EntityDataSource {
    public func note(_ name: String) async -> String? {
        try? await reader.read("read a note") { (view) throws(SQLiteError) in try view.note(name) }
    }

    public func keep(note name: String, _ value: String?) { enqueue(.keep(note: name, value)) }
}
