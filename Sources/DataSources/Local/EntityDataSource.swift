import Synchronization

/// The second level of the cache: items and pages in an SQLite file that many processes share.
///
/// The actor runs on a thread of its own and owns its connection, which it opens at the first use. Writes are queued by
/// their callers and done together, in their order, in one transaction. Where the file cannot be used, the data source
/// behaves as an empty one and says why once.
public actor EntityDataSource: LocalDataSourceContract {
    private enum Phase {
        case unopened
        case open(EntityStore)
        case unavailable
        case closed
    }

    /// How often a broken file is rebuilt before the disk is held to be the culprit.
    private static let maxRebuilds = 3

    private let executor = SerialThreadExecutor()
    private let file: DatabaseFile
    private let limit: Int
    private let clock: any ClockContract
    private let onFault: @Sendable (DegradedPart) -> Void
    private let queue = Mutex(WriteQueue())

    private var phase = Phase.unopened
    private var state = "ok"
    private var hits = 0
    private var misses = 0
    private var rebuilds = 0
    private var lastReason: String?
    /// Writes that were not done, and why the last of them was not.
    private(set) var lostWrites = (count: 0, reason: String?.none)

    /// A data source over a file that need not exist yet; its folder is made too. Nothing is opened here.
    ///
    /// - Parameters:
    ///   - path: Where the file is.
    ///   - limit: How many bytes it may take.
    ///   - clock: Tells when an entry was used, and when a fault was found.
    ///   - onFault: Called with each fault as it is found, on the actor's thread; it should return soon.
    public init(
        path: String, limit: Int, clock: any ClockContract, onFault: @escaping @Sendable (DegradedPart) -> Void
    ) {
        file = DatabaseFile(
            path: path, migrations: EntitySchema.migrations, synchronous: "NORMAL", cacheSize: 2048)
        self.limit = limit
        self.clock = clock
        self.onFault = onFault
    }

    /// The actor's own thread.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// An item, whatever its age; nil where it is not kept.
    public func item(_ key: ItemKey) throws(LocalDataError) -> ItemEntity? {
        let item = try perform("read an item", otherwise: nil) { (store) throws(SQLiteError) in try store.item(key) }
        count(isHit: item != nil)
        return item
    }

    /// Items in the order of their keys; nil where one is not kept.
    public func items(_ keys: [ItemKey]) throws(LocalDataError) -> [ItemEntity?] {
        let none = [ItemEntity?](repeating: nil, count: keys.count)
        let items = try perform("read items", otherwise: none) { (store) throws(SQLiteError) in try store.items(keys) }
        for item in items { count(isHit: item != nil) }
        return items
    }

    /// A page with its items, whatever its age; nil where it is not kept, or one of its items is not.
    public func page(_ key: PageKey) throws(LocalDataError) -> StoredPage? {
        let page = try perform("read a page", otherwise: nil) { (store) throws(SQLiteError) in try store.page(key) }
        count(isHit: page != nil)
        return page
    }

    /// Forgets what a selection names. Returns how many items and pages that were.
    public func remove(_ selection: CacheSelection) throws(LocalDataError) -> Int {
        try perform("remove entries", otherwise: 0) { (store) throws(SQLiteError) in try store.remove(selection) }
    }

    /// Marks stale what a selection names. Returns how many items and pages were marked that were not.
    public func invalidate(_ selection: CacheSelection) throws(LocalDataError) -> Int {
        try perform("mark entries stale", otherwise: 0) { (store) throws(SQLiteError) in
            try store.invalidate(selection)
        }
    }

    /// How much is kept, and how often it helped. `state` is `ok`, `rebuilt` or `unavailable`.
    public func statistics() -> LocalStatistics {
        let size = try? perform("count the entries", otherwise: (0, 0)) { (store) throws(SQLiteError) in
            (try store.count(), try store.size())
        }
        var statistics = LocalStatistics()
        (statistics.entries, statistics.bytes) = size ?? (0, 0)
        statistics.limit = limit
        statistics.hits = hits
        statistics.misses = misses
        statistics.path = file.path
        statistics.state = state
        return statistics
    }

    /// Waits until every write that was queued before is in the file.
    public func flush() { writePending() }

    /// Writes what is queued and closes the file. Later reads find nothing, later writes are dropped.
    public func close() {
        writePending()
        if case .open(let store) = phase { store.connection.close() }
        phase = .closed
    }
}

extension EntityDataSource {
    /// Queues the entries; they are in the file after the next read, `flush` or turn of the actor.
    public nonisolated func save(_ change: LocalChange) { enqueue(.save(change)) }

    /// Queues the removal of an item.
    public nonisolated func removeItem(_ key: ItemKey) { enqueue(.removeItem(key)) }

    /// Queues the removal of a page.
    public nonisolated func removePage(_ key: PageKey) { enqueue(.removePage(key)) }

    private nonisolated func enqueue(_ write: EntityStore.Write) {
        guard queue.withLock({ $0.append(write) }) else { return }
        Task { await self.writeScheduled() }
    }

    private func writeScheduled() {
        queue.withLock { $0.isScheduled = false }
        writePending()
    }

    /// Does the writes that wait now, in one transaction.
    private func writePending() {
        let writes = queue.withLock { $0.takeAll() }
        guard !writes.isEmpty, let store = opened() else { return }
        do {
            try store.apply(writes, now: clock.now())
            lastReason = nil
        } catch {
            if error.isCorrupt, let store = rebuild(store, after: error) {
                do { return try store.apply(writes, now: clock.now()) } catch { lose(writes, error) }
            } else {
                lose(writes, error)
            }
        }
    }

    /// A write was accepted and is not done: that is counted and said, once for each reason in a row.
    private func lose(_ writes: [EntityStore.Write], _ error: SQLiteError) {
        let reason = "cannot write to \(file.path): \(error)"
        lostWrites = (lostWrites.count + writes.count, reason)
        if reason != lastReason, case .open = phase { report(reason) }
        lastReason = reason
    }
}

extension EntityDataSource {
    /// Does what is pending, then `body`; `otherwise` is what an empty data source answers.
    private func perform<Result>(
        _ what: String, otherwise: Result, _ body: (EntityStore) throws(SQLiteError) -> Result
    ) throws(LocalDataError) -> Result {
        writePending()
        guard let store = opened() else { return otherwise }
        do {
            return try body(store)
        } catch {
            if error.isCorrupt {
                rebuild(store, after: error)
                return otherwise
            }
            throw LocalDataError("cannot \(what): \(file.path): \(error)")
        }
    }

    private func count(isHit: Bool) {
        if isHit { hits += 1 } else { misses += 1 }
    }

    private func opened() -> EntityStore? {
        switch phase {
        case .open(let store): return store
        case .unavailable, .closed: return nil
        case .unopened: return open { () throws(SQLiteError) in try file.open(now: clock.now()) }
        }
    }

    @discardableResult
    private func rebuild(_ store: EntityStore, after error: SQLiteError) -> EntityStore? {
        rebuilds += 1
        guard rebuilds <= Self.maxRebuilds else {
            store.connection.close()
            give(up: "\(file.path) is broken again and again (\(error))")
            return nil
        }
        return open { () throws(SQLiteError) in
            try file.replace(store.connection, after: error, now: clock.now())
        }
    }

    private func open(_ opening: () throws(SQLiteError) -> DatabaseFile.Opening) -> EntityStore? {
        do {
            let opening = try opening()
            let store = EntityStore(opening.connection)
            phase = .open(store)
            if let reason = opening.rebuilt {
                state = "rebuilt"
                report(reason)
            }
            return store
        } catch {
            give(up: "cannot use \(file.path): \(error)")
            return nil
        }
    }

    private func give(up reason: String) {
        phase = .unavailable
        state = "unavailable"
        report(reason)
    }

    private func report(_ reason: String) {
        onFault(DegradedPart(part: "persistence", reason: reason, since: clock.now()))
    }
}

/// The writes that wait, in the order of their calls.
private struct WriteQueue {
    /// Whether a turn of the actor is under way that takes what waits.
    var isScheduled = false
    private var writes: [EntityStore.Write] = []

    /// Returns whether the caller has to schedule a turn of the actor.
    mutating func append(_ write: EntityStore.Write) -> Bool {
        writes.append(write)
        defer { isScheduled = true }
        return !isScheduled
    }

    mutating func takeAll() -> [EntityStore.Write] {
        defer { writes = [] }
        return writes
    }
}

extension EntityDataSource: PersistentDataSourceContract {
    public nonisolated var isCurrent: Bool { true }
    public nonisolated func catchUp() async {}
    public func search(_ query: SearchQuery) async throws(LocalDataError) -> SearchHits {
        SearchHits(items: [], count: 0)
    }
}
