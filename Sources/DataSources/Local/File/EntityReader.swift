import Model
import System

/// Reads the cache file over its own connection, on an event loop. A read neither waits for a write nor switches
/// threads.
///
/// The reader opens only a file with the current schema. The writer creates, updates and replaces the file.
actor EntityReader {
    private enum Phase {
        case unopened
        case open(EntityStore, generation: Int)
        case closed
    }

    nonisolated let loop: EventLoop
    private let context: CacheFileContext
    private let writer: EntityWriter
    private var phase = Phase.unopened
    private var lock = LockBackoff()
    private var busyTimeout: Int32 { lock.busyTimeout(context.file.busyTimeout) }
    /// The value of `PRAGMA data_version` when the reader last checked for changes by other processes.
    private var version: Int64?
    /// The task that creates a missing cache file. Nil if no read has found the file missing.
    private var creation: Task<Void, Never>?

    init(_ context: CacheFileContext, writer: EntityWriter, loop: EventLoop) {
        self.context = context
        self.writer = writer
        self.loop = loop
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.isolation.asUnownedSerialExecutor() }

    /// Runs a read immediately on the caller's thread and returns the result of the read.
    ///
    /// Returns nil if the file is not open, if the read fails, or if the caller is not on the reader's event loop. In
    /// these cases, call `read` instead.
    nonisolated func readAtOnce<Result: Sendable>(
        _ body: @Sendable (EntityView) throws(SQLiteError) -> Result
    ) -> Result? {
        guard #available(macOS 26, *), loop.isCurrent else { return nil }
        return assumeIsolated { $0.readOpen(body) }
    }

    private func readOpen<Result>(_ body: (EntityView) throws(SQLiteError) -> Result) -> Result? {
        guard let store = current() else { return nil }
        do throws(SQLiteError) {
            let result = try run(store, body)
            guard store.takeDamaged().isEmpty else { return nil }
            lock.forget()
            return result
        } catch {
            // The next attempt does not wait for the lock.
            if error.isBusy { lock.note() }
            return nil
        }
    }

    /// Calls `body` with a view of the cache file and the pending writes. If the file is locked or cannot be used, the
    /// view contains only the pending writes.
    ///
    /// - Throws: `LocalDataError` if SQLite fails for a different reason.
    func read<Result: Sendable>(
        _ what: String, _ body: @Sendable (EntityView) throws(SQLiteError) -> Result
    ) async throws(LocalDataError) -> Result {
        let store = await opened()
        do {
            let result = try run(store, body)
            if let store {
                lock.forget()
                await report(store.takeDamaged())
            }
            return result
        } catch {
            if error.isBusy { lock.note() }
            if error.isCorrupt, let store {
                await replace(store, after: error)
            } else if error == .unshared, let store {
                await abandon(store)
            } else if !error.isBusy {
                throw LocalDataError("cannot \(what): \(context.file.path): \(error)")
            }
        }
        do {
            return try run(nil, body)
        } catch {
            throw LocalDataError("cannot \(what): \(error)")
        }
    }

    /// Reports all changes that other processes have made to the cache file.
    func catchUp() async {
        guard !context.watch.isCurrent, let store = await opened(), !context.watch.isCurrent else {
            // The file cannot be checked now. The next memory hits do not try again at once.
            if !context.watch.isCurrent { context.watch.postponeCheck() }
            return
        }
        do {
            try SQLiteError.retryingTruncations { () throws(SQLiteError) in try reportChanges(store) }
            lock.forget()
        } catch {
            if error.isBusy { lock.note() }
            context.watch.postponeCheck()
            if error.isCorrupt { await replace(store, after: error) }
            if error == .unshared { await abandon(store) }
        }
    }

    /// Waits for a running attempt to create the cache file. Returns immediately if no attempt was started.
    func waitForCreation() async { await creation?.value }

    /// Closes the cache file. Later reads find nothing.
    func close() {
        disconnect()
        phase = .closed
    }

    private func run<Result>(
        _ store: EntityStore?, _ body: (EntityView) throws(SQLiteError) -> Result
    ) throws(SQLiteError) -> Result {
        let view = EntityView(store: store, pending: context.pending)
        return try context.pending.reading { () throws(SQLiteError) in
            try SQLiteError.retryingTruncations { () throws(SQLiteError) in try body(view) }
        }
    }

    /// Counts damaged rows and asks the writer to remove them. Reads treat such rows as missing.
    private func report(_ damaged: [DamagedRow]) async {
        guard !damaged.isEmpty else { return }
        context.health.foundDamaged(damaged.count)
        await writer.remove(damaged)
    }

    /// Reports changes by other processes to the cache file. Then records the checked state of the file. Until the file
    /// changes again, memory hits need no further check.
    // The header is read before the changes. A commit between these two reads changes the header again, so the next
    // check detects the commit.
    private func reportChanges(_ store: EntityStore) throws(SQLiteError) {
        try store.connection.checkIndex()
        let (header, generation) = (context.watch.header, context.watch.generation)
        let version = try store.changes.version()
        // When another connection was closed, the header pointer was removed. The next check sets it again.
        if header == nil, store.connection.identity == FileIdentity(path: context.file.path) {
            try context.opened(store)
        }
        var seen = context.watch.seen
        if version != self.version {
            let (change, newest) = try store.changes.foreign(after: seen, store.resources)
            if let change { context.report(change) }
            self.version = version
            seen = newest
        }
        context.watch.vet(header, seen: seen, generation: generation)
    }
}

extension EntityReader {
    private func opened() async -> EntityStore? {
        if let store = current() { return store }
        for _ in 0..<2 {
            guard !context.health.isUnavailable, !isClosed else { return nil }
            guard let identity = FileIdentity(path: context.file.path) else {
                makeFile()
                return nil
            }
            do {
                if let connection = try context.file.openToRead(busyTimeout: busyTimeout) { return try use(connection) }
                await writer.open()
            } catch {
                if error.isBusy {
                    lock.note()
                    return nil
                }
                if error.isCorrupt { await writer.replace(identity, after: error) } else { await writer.open() }
            }
            // Another call may have opened the file in the meantime.
            if let store = current() { return store }
        }
        return nil
    }

    /// Starts to create the cache file in the background, unless an earlier read has already done so. The current read
    /// does not wait for the file.
    private func makeFile() {
        guard creation == nil else { return }
        creation = Task(executorPreference: EventLoop.shared) { [writer] in await writer.open() }
    }

    private var isClosed: Bool { if case .closed = phase { true } else { false } }

    /// Returns the entry store of the open cache file. Returns nil if no file is open, or if another file has replaced
    /// the open file.
    private func current() -> EntityStore? {
        guard case .open(let store, let generation) = phase else { return nil }
        if generation == context.watch.generation {
            store.connection.busyTimeout = busyTimeout
            return store
        }
        disconnect()
        return nil
    }

    private func use(_ connection: SQLiteConnection) throws(SQLiteError) -> EntityStore {
        let store = context.store(connection)
        do {
            try context.opened(store)
        } catch {
            connection.close()
            throw error
        }
        phase = .open(store, generation: context.watch.generation)
        version = nil
        return store
    }

    /// Closes the connection to the cache file.
    // The header's address is removed first, because closing may unmap the header.
    private func disconnect() {
        guard case .open(let store, _) = phase else { return }
        context.watch.closing()
        store.connection.close()
        phase = .unopened
    }

    private func abandon(_ store: EntityStore) async {
        disconnect()
        await writer.abandon(store.connection.identity)
    }

    private func replace(_ store: EntityStore, after error: SQLiteError) async {
        disconnect()
        await writer.replace(store.connection.identity, after: error)
    }
}

/// A view of the entries in the cache file, with all pending writes applied. If the file is not open, the view contains
/// only the pending writes.
struct EntityView: EntryPlace {
    let store: EntityStore?
    private let pending: PendingWrites
    /// Whether a transaction is open. All reads in a transaction see the same snapshot of the file.
    private var isSnapshot = false

    init(store: EntityStore?, pending: PendingWrites) {
        self.store = store
        self.pending = pending
    }

    func item(_ key: ItemKey) throws(SQLiteError) -> ItemEntity? {
        if case .known(let item) = pending.item(key) { return item }
        return try store?.item(key).flatMap { pending.amended($0) }
    }

    func entry<Key: CacheKey>(_ key: Key) throws(SQLiteError) -> Key.Entry? {
        var view = self
        return try key.entry(in: &view)
    }

    /// Reads entries from one snapshot of the file.
    func entries<Key: CacheKey>(_ keys: [Key]) throws(SQLiteError) -> [Key.Entry?] {
        try inSnapshot { (view) throws(SQLiteError) in
            var found: [Key.Entry?] = []
            found.reserveCapacity(keys.count)
            for key in keys { found.append(try view.entry(key)) }
            return found
        }
    }

    /// Reads a page and its items from one snapshot of the file.
    func page(_ key: PageKey) throws(SQLiteError) -> StoredPage? {
        try inSnapshot { (view) throws(SQLiteError) in
            guard let page = try view.pageWithoutItems(key) else { return nil }
            let items = try PackedItems(of: page) { (key) throws(SQLiteError) in try view.item(key) }
            return items.map { StoredPage(page: page, items: $0) }
        }
    }

    /// Returns the note with the given name (see `CacheNotesContract`).
    func note(_ name: String) throws(SQLiteError) -> String? {
        if case .known(let value) = pending.note(name) { return value }
        return try store?.note(name)
    }

    private func pageWithoutItems(_ key: PageKey) throws(SQLiteError) -> PageEntity? {
        if case .known(let page) = pending.page(key) { return page }
        return try store?.page(key).flatMap { pending.amended($0) }
    }

    private func inSnapshot<Result>(
        _ body: (EntityView) throws(SQLiteError) -> Result
    ) throws(SQLiteError) -> Result {
        guard let store, !isSnapshot else { return try body(self) }
        var view = self
        view.isSnapshot = true
        return try store.connection.reading { () throws(SQLiteError) in try body(view) }
    }
}
