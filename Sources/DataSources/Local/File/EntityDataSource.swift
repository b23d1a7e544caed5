import Model
import System

/// The second level of the cache: items and pages in an SQLite file that many processes share.
///
/// Writes wait in memory until one thread, which owns a connection, does them, several in one transaction. Reads are
/// done on another thread over a connection of its own, and see what waits as if it were in the file: no read waits for
/// a write. Where the file cannot be used, the data source behaves as an empty one and says why once.
public final class EntityDataSource: PersistentDataSourceContract, CacheNotesContract {
    /// How many bytes of writes may wait for the file.
    public static let backlog = 64 << 20
    /// How long a read or a write waits for another process's lock, in milliseconds. A call may need one of each.
    private static let busyTimeout: Int32 = 80
    /// How long a write waits for others that fit the same transaction, in milliseconds.
    private static let gathering = 2

    let context: CacheFileContext
    private let upkeep: FileUpkeep
    let reader: EntityReader
    let writer: EntityWriter
    private let limit: Int
    private let patience: Duration
    private let counts = Lock((hits: 0, misses: 0))

    /// A data source over a file that need not exist yet; its folder is made too. Nothing is opened here.
    ///
    /// - Parameters:
    ///   - path: Where the file is.
    ///   - loop: Where it is read; one of its own where none is given.
    ///   - trust: How far what is there is trusted; the data source runs without a file that is refused.
    ///   - limit: How many bytes it may take.
    ///   - clock: Tells when an entry was used, and when a fault was found.
    ///   - onFault: Called with each fault as it is found, on any thread; it should return soon.
    ///   - onRecovery: Called when what was told last is over.
    ///   - usedElsewhere: Tells, and forgets, which entries were used without asking here; they are kept as those are
    ///     that were asked for here.
    ///   - key: What the fingerprints of resources are made with; it is kept beside the file.
    public convenience init(
        path: FilePath, loop: EventLoop = EventLoop(), trust: FileTrust = .named, limit: Int, clock: any ClockContract,
        onFault: @escaping @Sendable (DegradedPart) -> Void,
        onRecovery: @escaping @Sendable () -> Void = {},
        usedElsewhere: @escaping @Sendable () -> UsedKeys = { UsedKeys() },
        key: FingerprintKey? = nil
    ) {
        self.init(
            path: path, loop: loop, trust: trust, limit: limit, clock: clock, onFault: onFault, onRecovery: onRecovery,
            usedElsewhere: usedElsewhere, key: key, backlog: Self.backlog, patience: .seconds(2)
        ) { failures in
            // 50 ms, then twice as long each time, up to 6.4 s.
            try? await EventLoop.shared.sleep(milliseconds: 50 << min(failures, 7))
        }
    }

    /// The same with another backlog, another patience at the end and with locks, and another wait before a failed
    /// write is tried again.
    init(
        path: FilePath, loop: EventLoop = EventLoop(), trust: FileTrust = .named, limit: Int, clock: any ClockContract,
        onFault: @escaping @Sendable (DegradedPart) -> Void,
        onRecovery: @escaping @Sendable () -> Void = {},
        usedElsewhere: @escaping @Sendable () -> UsedKeys = { UsedKeys() },
        key: FingerprintKey? = nil,
        backlog: Int, patience: Duration,
        busyTimeout: Int32 = EntityDataSource.busyTimeout,
        pause: @escaping @Sendable (Int) async -> Void
    ) {
        let file = DatabaseFile(
            path: path, migrations: EntitySchema.migrations, synchronous: "NORMAL", cacheSize: 2048,
            trust: trust, busyTimeout: busyTimeout)
        // What a transaction writes lies in the file and in its log for a while: that must be little beside the limit.
        let batch = min(PendingWrites.batchBytes, max(limit / 32, 65_536))
        context = CacheFileContext(
            file: file, pending: PendingWrites(limit: backlog, batchBytes: batch),
            health: FileHealth(clock: clock, onFault: onFault, onRecovery: onRecovery))
        upkeep = FileUpkeep(limit: limit, clock: clock, usedElsewhere: usedElsewhere)
        writer = EntityWriter(context, upkeep: upkeep, clock: clock, key: key, pause: pause)
        reader = EntityReader(context, writer: writer, loop: loop)
        self.limit = limit
        self.patience = patience
    }

    /// Reads an entry.
    @_specialize(where Key == ItemKey)
    @_specialize(where Key == PageKey)
    public func read<Key: CacheKey>(_ key: Key) async throws(LocalDataError) -> Key.Entry? {
        let entry = try await view("read an entry") { (view) throws(SQLiteError) in try view.entry(key) }
        note(key, entry)
        return entry
    }

    /// Reads entries in the order of their keys, as they stood together at one moment.
    @_specialize(where Key == ItemKey)
    public func read<Key: CacheKey>(_ keys: [Key]) async throws(LocalDataError) -> [Key.Entry?] {
        let entries = try await view("read entries") { (view) throws(SQLiteError) in try view.entries(keys) }
        for (key, entry) in zip(keys, entries) { note(key, entry) }
        return entries
    }

    /// Queues the entries; every later read sees them at once.
    public func save(_ change: LocalChange) { enqueue(.save(change)) }

    /// Queues the removal of an entry.
    public func remove(_ key: some CacheKey) {
        switch key.name {
        case .item(let key): enqueue(.removeItem(key))
        case .page(let key): enqueue(.removePage(key))
        }
    }

    /// Removes what a selection names, and returns when it is gone from the file. While the file is locked, the removal
    /// is left for later, and the number is that of the entries that the file has now.
    public func remove(_ selection: CacheSelection) async throws(LocalDataError) -> Int? {
        try await select(selection, "remove entries", isFresh: false) { .remove(selection, $0) }
    }

    /// Marks stale what a selection names. While the file is locked, that is left for later, as a removal is.
    public func invalidate(_ selection: CacheSelection) async throws(LocalDataError) -> Int? {
        try await select(selection, "mark entries stale", isFresh: true) { .invalidate(selection, $0) }
    }

    public func statistics() async -> LocalStatistics {
        await writer.turn()
        let size = try? await reader.read("count the entries") { (view) throws(SQLiteError) in
            (try view.store?.count() ?? 0, try view.store?.size() ?? 0)
        }
        // Where there was none, whether one can be made says what the state is.
        await reader.settle()
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

    /// Tries to bring every write that was queued before into the file, and returns when it is there or cannot be done
    /// now.
    public func flush() async {
        await writer.turn()
        if !isCurrent { await catchUp() }
    }

    /// Writes what is queued, for at most two seconds, and closes the file. Later reads find nothing, later writes are
    /// dropped. Returns whether the file can be used, and no write was lost since the beginning.
    @discardableResult public func close() async -> Bool {
        // Where nothing was ever written, no thread is started to end that.
        if writer.loop.hasBegun || context.pending.count > 0 {
            await writer.close(patience: patience)
        } else {
            context.loseWaiting()
        }
        await reader.close()
        return lostWrites.count == 0 && !context.health.isUnavailable
    }

    /// Writes that were given up, and why the last of them was.
    var lostWrites: (count: Int, reason: String?) { context.health.lostWrites }
}

extension EntityDataSource {
    /// Whether all changes by other processes were reported. It waits for the last moment of an own commit at most.
    public var isCurrent: Bool { context.watch.isCurrent }

    public func catchUp() async { await reader.catchUp() }

    public func reportForeignChanges(to handler: @escaping @Sendable (ForeignChange) -> Void) {
        context.reportForeignChanges(to: handler)
    }

    private func view<Result: Sendable>(
        _ what: String, _ body: @Sendable (EntityView) throws(SQLiteError) -> Result
    ) async throws(LocalDataError) -> Result {
        if let result = reader.readAtOnce(body) { return result }
        return try await reader.read(what, body)
    }

    private func enqueue(_ write: EntityStore.Write) {
        let (turn, lost) = context.pending.append(write)
        if lost > 0 {
            context.health.lose(
                lost, "cannot write to \(context.file.path) fast enough: the oldest writes are given up")
        }
        switch turn {
        case .none: break
        case .now: scheduleTurn()
        case .soon:
            reader.loop.run(after: Self.gathering) { [self] in
                if context.pending.endGathering() { scheduleTurn() }
            }
        }
    }

    private func scheduleTurn() {
        writer.scheduleTurn { [self] in
            // What came with the writes of other processes is told soon, and not only when somebody asks.
            if !isCurrent { Task(executorPreference: reader.loop) { [self] in await catchUp() } }
        }
    }

    private func select(
        _ selection: CacheSelection, _ what: String, isFresh: Bool,
        _ making: (EntityStore.WriteCount) -> EntityStore.Write
    ) async throws(LocalDataError) -> Int {
        let count = EntityStore.WriteCount()
        enqueue(making(count))
        await writer.turn()
        if let count = count.value { return count }
        return try await reader.read(what) { (view) throws(SQLiteError) in
            try view.store?.selections.count(selection, fresh: isFresh) ?? 0
        }
    }

    /// Counts a read, and notes the use of the entry that it found.
    private func note<Key: CacheKey>(_ key: Key, _ entry: Key.Entry?) {
        counts.withLock { if entry != nil { $0.hits += 1 } else { $0.misses += 1 } }
        if let entry { upkeep.notes.note(key, entry) }
    }
}

extension EntityDataSource {
    /// Looks among the items that are kept. What was saved since the last search by text is indexed first, in steps
    /// between which other writes have their turn; those that wait are done before.
    ///
    /// - Throws: `LocalDataError`, unavailable where there is no file to search.
    public func search(_ query: SearchQuery) async throws(LocalDataError) -> SearchHits {
        do {
            while try await step(query) {}
        } catch {
            throw .search(error, in: context.file.path.description)
        }
        let hits = try await reader.read("search") { (view) throws(SQLiteError) -> SearchHits? in
            guard let store = view.store else { return nil }
            // A file that can be read and not be written may lack the index.
            if query.needsIndex, try !SearchIndexer.isPrepared(store.connection) { return nil }
            return try ItemSearch(store).hits(query)
        }
        guard let hits else {
            throw LocalDataError("cannot search: \(context.file.path) cannot be used", isUnavailable: true)
        }
        return hits
    }

    /// Does what waits, and indexes some of what is not. Returns whether there is more to index. Where another process
    /// keeps the file locked, what is indexed by then is searched.
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
