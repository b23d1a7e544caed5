import Model
import System

/// Owns the connection that reads the cache file, on a loop: no read waits for a write, nor changes threads on its way.
///
/// It opens a file that is there and up to date. All that changes the file, or its place, is left to the writer.
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
    private var lock = LockMemory()
    private var busyTimeout: Int32 { lock.busyTimeout(context.file.busyTimeout) }
    /// `PRAGMA data_version` at the last look.
    private var version: Int64?
    /// The writer's making of a file, once it was asked for that.
    private var making: Task<Void, Never>?

    init(_ context: CacheFileContext, writer: EntityWriter, loop: EventLoop) {
        self.context = context
        self.writer = writer
        self.loop = loop
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.isolation.asUnownedSerialExecutor() }

    /// What `read` comes to, where this is the loop's thread, the file is open, and nothing is wrong with it: then
    /// nobody has to wait. Else nil.
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
            // The next attempt need not wait as long again.
            if error.isBusy { lock.note() }
            return nil
        }
    }

    /// Runs `body` over the file and what waits; where the file is locked, or cannot be used, over what waits alone.
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

    /// Tells what others have changed.
    func catchUp() async {
        guard !context.watch.isCurrent, let store = await opened(), !context.watch.isCurrent else {
            // Nothing to look at, which is not tried again at once.
            if !context.watch.isCurrent { context.watch.giveUp() }
            return
        }
        do {
            try SQLiteError.retryingCuts { () throws(SQLiteError) in try look(store) }
            lock.forget()
        } catch {
            if error.isBusy { lock.note() }
            context.watch.giveUp()
            if error.isCorrupt { await replace(store, after: error) }
            if error == .unshared { await abandon(store) }
        }
    }

    /// Returns when it is known whether there can be a file, where somebody has asked for one.
    func settle() async { await making?.value }

    /// Closes the file. Later reads find nothing.
    func close() {
        leave()
        phase = .closed
    }

    private func run<Result>(
        _ store: EntityStore?, _ body: (EntityView) throws(SQLiteError) -> Result
    ) throws(SQLiteError) -> Result {
        let view = EntityView(store: store, pending: context.pending)
        return try context.pending.reading { () throws(SQLiteError) in
            try SQLiteError.retryingCuts { () throws(SQLiteError) in try body(view) }
        }
    }

    /// What is damaged was a miss, and goes now: the next read need not look at it again.
    private func report(_ damaged: [DamagedRow]) async {
        guard !damaged.isEmpty else { return }
        context.health.foundDamaged(damaged.count)
        await writer.remove(damaged)
    }

    /// In this order nothing is missed: what is committed after the header was read changes the header again.
    private func look(_ store: EntityStore) throws(SQLiteError) {
        try store.connection.expectNoCut()
        let (header, generation) = (context.watch.header, context.watch.generation)
        let version = try store.changes.version()
        // It may have been taken away; the next look sees it again.
        if header == nil, store.connection.identity == FileIdentity(path: context.file.path) {
            try context.opened(store)
        }
        var seen = context.watch.seen
        if version != self.version {
            let (change, newest) = try store.changes.foreign(after: seen, store.resources)
            if let change { context.tell(change) }
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
            // Another call may have opened it meanwhile.
            if let store = current() { return store }
        }
        return nil
    }

    /// What is not there will be fetched and written soon: by then the file is ready.
    private func makeFile() {
        guard making == nil else { return }
        making = Task(executorPreference: EventLoop.shared) { [writer] in await writer.open() }
    }

    private var isClosed: Bool { if case .closed = phase { true } else { false } }

    /// The store, unless another file has taken the place of its file.
    private func current() -> EntityStore? {
        guard case .open(let store, let generation) = phase else { return nil }
        if generation == context.watch.generation {
            store.connection.busyTimeout = busyTimeout
            return store
        }
        leave()
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

    /// The header goes before what it lies in.
    private func leave() {
        guard case .open(let store, _) = phase else { return }
        context.watch.closing()
        store.connection.close()
        phase = .unopened
    }

    private func abandon(_ store: EntityStore) async {
        leave()
        await writer.abandon(store.connection.identity)
    }

    private func replace(_ store: EntityStore, after error: SQLiteError) async {
        leave()
        await writer.replace(store.connection.identity, after: error)
    }
}

/// The file together with the writes that wait: what a read sees. Without a store, only what waits.
struct EntityView: EntryPlace {
    let store: EntityStore?
    private let pending: PendingWrites
    /// Whether all reads see the file as it stood at one moment.
    private var isAtOneMoment = false

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

    /// Entries as they stood together at one moment.
    func entries<Key: CacheKey>(_ keys: [Key]) throws(SQLiteError) -> [Key.Entry?] {
        try atOneMoment { (view) throws(SQLiteError) in
            var found: [Key.Entry?] = []
            found.reserveCapacity(keys.count)
            for key in keys { found.append(try view.entry(key)) }
            return found
        }
    }

    /// A page and its items as they stood together at one moment.
    func page(_ key: PageKey) throws(SQLiteError) -> StoredPage? {
        try atOneMoment { (view) throws(SQLiteError) in
            guard let page = try view.pageAlone(key) else { return nil }
            let items = try PackedItems(of: page) { (key) throws(SQLiteError) in try view.item(key) }
            return items.map { StoredPage(page: page, items: $0) }
        }
    }

    /// The text that is kept under a name, see `CacheNotesContract`.
    func note(_ name: String) throws(SQLiteError) -> String? {
        if case .known(let value) = pending.note(name) { return value }
        return try store?.note(name)
    }

    private func pageAlone(_ key: PageKey) throws(SQLiteError) -> PageEntity? {
        if case .known(let page) = pending.page(key) { return page }
        return try store?.page(key).flatMap { pending.amended($0) }
    }

    private func atOneMoment<Result>(
        _ body: (EntityView) throws(SQLiteError) -> Result
    ) throws(SQLiteError) -> Result {
        guard let store, !isAtOneMoment else { return try body(self) }
        var view = self
        view.isAtOneMoment = true
        return try store.connection.reading { () throws(SQLiteError) in try body(view) }
    }
}
