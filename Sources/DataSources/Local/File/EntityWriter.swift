import Model
import System

/// Writes the cache file over its own connection, on its own thread. The writer creates and opens the file and updates
/// its schema. If the file is broken, the writer replaces it.
actor EntityWriter {
    private enum Phase {
        case unopened
        case open(EntityStore)
        /// The cache file could not be opened. The writer tries again `wait` milliseconds after the time `since`.
        case unavailable(since: Timestamp, wait: Int64)
        case refused
        case closed
    }

    /// The maximum number of times that a broken cache file is replaced. If the file breaks more often, the disk is
    /// probably faulty, and the file is no longer used.
    private static let maxRebuilds = 3
    /// The longest time between two attempts to open an unusable cache file, in milliseconds.
    private static let maxWait: Int64 = 64_000

    /// The writer's own thread. Slow disk access on this thread does not delay other work.
    nonisolated let loop = EventLoop("larder-file", standIn: .shared)
    private let context: CacheFileContext
    private let upkeep: FileMaintenance
    private let clock: any ClockContract
    /// The key with which the fingerprints of resources are computed; nil if it is not stored beside the cache file.
    private let key: FingerprintKey?
    /// The closure that waits before a failed write is retried.
    private let pause: @Sendable (Int) async -> Void
    private var phase = Phase.unopened
    /// The file that this process must not open again (see `abandon`). Nil if there is no such file.
    private var abandoned: FileIdentity?
    private var rebuilds = 0
    private var failures = 0
    private var failedOpenings = 0
    private var isRetrying = false
    private var lock = LockBackoff()
    /// The cache file. Its lock timeout is 0 if another process recently kept the file locked.
    private var file: DatabaseFile {
        var file = context.file
        file.busyTimeout = lock.busyTimeout(file.busyTimeout)
        return file
    }

    init(
        _ context: CacheFileContext, upkeep: FileMaintenance, clock: any ClockContract, key: FingerprintKey?,
        pause: @escaping @Sendable (Int) async -> Void
    ) {
        self.context = context
        self.upkeep = upkeep
        self.clock = clock
        self.key = key
        self.pause = pause
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.isolation.asUnownedSerialExecutor() }

    /// Stores pending writes in the background.
    ///
    /// - Parameter body: Called on the writer's thread after the writes.
    nonisolated func scheduleWrites(then body: @escaping @Sendable () -> Void) {
        Task(executorPreference: loop) {
            await self.writePending()
            body()
        }
    }

    /// Stores pending writes. Returns true if all pending writes were stored.
    @discardableResult
    func writePending() -> Bool {
        context.pending.beginWriting()
        let isDone = writeAll()
        if !isDone { retryLater() }
        return isDone
    }

    /// Tries to open or create the cache file. If this fails, the cache works without the file, and no error is thrown.
    func open() {
        do {
            _ = try opened()
        } catch {
            if error.isBusy { lock.note() }
            rebuild(ifBrokenBy: error)
        }
    }

    /// Stores the pending writes, and then runs `body`, which may write to the file. Returns nil if there is no usable
    /// file, or if the file was broken and was replaced.
    func perform<Result: Sendable>(
        _ body: @Sendable (EntityStore) throws(SQLiteError) -> Result
    ) throws(SQLiteError) -> Result? {
        writePending()
        do {
            guard let store = try opened() else { return nil }
            let result = try SQLiteError.retryingTruncations { () throws(SQLiteError) in try body(store) }
            try? upkeep.run(store)
            return result
        } catch {
            if error.isBusy { lock.note() }
            if rebuild(ifBrokenBy: error) { return nil }
            throw error
        }
    }

    /// Removes damaged rows from the cache file. If this is not possible now, a later read reports the rows again.
    func remove(_ rows: [DamagedRow]) {
        _ = try? perform { (store) throws(SQLiteError) in
            try store.connection.writing { () throws(SQLiteError) in try store.remove(rows) }
        }
    }

    /// Renames a broken cache file and creates a new one, unless the file was already replaced.
    func replace(_ identity: FileIdentity?, after error: SQLiteError) {
        if case .open(let store) = phase {
            guard store.connection.identity == identity else { return }
            rebuild(store, after: error)
        } else if case .unopened = phase {
            rebuild(identity, after: error)
        }
    }

    /// Stops using the current cache file, because this process no longer shares the index of the write-ahead log with
    /// other processes. Further writes would damage the file. A new file at the same path may still be used.
    func abandon(_ identity: FileIdentity?) {
        if case .open(let store) = phase {
            guard store.connection.identity == identity else { return }
            close(store)
        }
        abandoned = identity
        context.watch.replace()
        phase = .unavailable(since: clock.now(), wait: Self.maxWait)
        context.health.unavailable("cannot use \(context.file.path): \(SQLiteError.unshared)")
    }

    /// Stores as many pending writes as possible within `timeout`, and then closes the file.
    func close(timeout: Duration) async {
        let end = ContinuousClock.now + timeout
        while !writeAll(), ContinuousClock.now < end { try? await EventLoop.shared.sleep(milliseconds: 20) }
        context.dropPending()
        if case .open(let store) = phase {
            try? upkeep.run(store, isLast: true)
            close(store)
        }
        phase = .closed
    }
}

extension EntityWriter {
    private func writeAll() -> Bool {
        while true {
            let writes = context.pending.take()
            guard !writes.isEmpty else { return true }
            do {
                guard let store = try opened() else {
                    // If there is no usable file, pending writes would only use memory.
                    context.pending.removeAll()
                    return true
                }
                try write(writes, to: store)
                failures = 0
                lock.forget()
                context.health.recovered()
                context.pending.finish()
            } catch {
                if rebuild(ifBrokenBy: error) { continue }
                if error.mayPass {
                    prepareRetry(after: error)
                    return false
                } else {
                    context.health.recordLost(writes.count, "cannot write to \(context.file.path): \(error)")
                    context.pending.finish()
                }
            }
        }
    }

    private func write(_ writes: [EntityStore.Write], to store: EntityStore) throws(SQLiteError) {
        try SQLiteError.retryingTruncations { () throws(SQLiteError) in try store.apply(writes, now: clock.now()) }
        if writes.contains(where: \.isRemoval) { try? store.shrink() }
        // If an eviction fails now, it is repeated after a later write.
        try? upkeep.run(store)
    }

    /// Records a temporary failure to write, such as a full disk or a locked file. The caller retries the write later.
    private func prepareRetry(after error: SQLiteError) {
        failures += 1
        if error.isBusy { lock.note() }
        if error.isSystemFailure, case .open(let store) = phase {
            close(store)
            phase = .unopened
        }
        // A short lock by another process is not reported as a fault.
        if !error.isBusy || failures > 5 {
            context.health.failing("cannot write to \(context.file.path): \(error)")
        }
    }

    private func retryLater() {
        context.pending.suspendScheduling()
        guard !isRetrying else { return }
        isRetrying = true
        let (pause, failures) = (pause, failures)
        Task(executorPreference: EventLoop.shared) { [weak self] in
            await pause(failures)
            await self?.retry()
        }
    }

    private func retry() {
        isRetrying = false
        // No caller waits for this attempt, so it may wait for the lock. Without waiting, it would never get the lock
        // while other processes write constantly.
        lock.forget()
        writePending()
    }
}

extension EntityWriter {
    /// Returns the entry store of the cache file, which is opened if necessary. Nil if the file cannot be used.
    private func opened() throws(SQLiteError) -> EntityStore? {
        switch phase {
        case .open(let store):
            if store.connection.identity == FileIdentity(path: context.file.path) {
                store.connection.busyTimeout = file.busyTimeout
                return store
            }
            // The file was deleted, or another file took its place.
            close(store)
            phase = .unopened
            context.watch.replace()
        case .unavailable(let since, let wait):
            let passed = clock.now().milliseconds - since.milliseconds
            // The clock may have been set back.
            guard passed < 0 || passed >= wait else { return nil }
            if let abandoned, abandoned == FileIdentity(path: context.file.path) { return nil }
        case .refused, .closed: return nil
        case .unopened: break
        }
        return try open { () throws(SQLiteError) in try file.open(now: clock.now()) }
    }

    @discardableResult
    private func rebuild(ifBrokenBy error: SQLiteError) -> Bool {
        guard case .open(let store) = phase else { return false }
        if error == .unshared {
            abandon(store.connection.identity)
        } else if error.isCorrupt {
            rebuild(store, after: error)
        }
        return error.isCorrupt || error == .unshared
    }

    /// Lets the change detector observe the writer's commits, so that it does not mistake them for commits by other
    /// processes. Does nothing if the index of the write-ahead log has no header.
    private func watchCommits(of store: EntityStore) {
        guard context.watch.header != nil, let log = try? LogCheckpointer(store.connection) else { return }
        store.connection.onCommit = { [watch = context.watch, unowned store] (commit) throws(SQLiteError) in
            try watch.commit(store, commit)
            log.shorten(store.connection, watch)
        }
    }

    private func close(_ store: EntityStore) {
        context.watch.closing()
        store.connection.close()
    }

    private func rebuild(_ store: EntityStore, after error: SQLiteError) {
        close(store)
        rebuild(store.connection.identity, after: error)
    }

    private func rebuild(_ identity: FileIdentity?, after error: SQLiteError) {
        phase = .unopened
        context.watch.replace()
        guard rebuilds < Self.maxRebuilds else {
            phase = .refused
            return context.health.unavailable(
                "cannot use \(context.file.path): broken again after \(rebuilds) rebuilds (\(error)); check the disk")
        }
        do {
            let store = try open { () throws(SQLiteError) in
                try file.replace(identity, after: error, now: clock.now())
            }
            if store != nil { rebuilds += 1 }
        } catch {
            // The broken file is not moved until the other process releases its lock.
            lock.note()
            context.health.failing("cannot set \(context.file.path) aside: \(error)")
        }
    }

    private func open(
        _ open: () throws(SQLiteError) -> DatabaseFile.Opening
    ) throws(SQLiteError) -> EntityStore? {
        let opening: DatabaseFile.Opening
        do {
            opening = try open()
        } catch {
            // A lock is temporary, so the file does not count as unavailable.
            if error.isBusy { throw error }
            failedOpenings += 1
            // The delay before the second attempt is 2 s. It doubles with each failure, up to 64 s (`maxWait`).
            let wait = Int64(1000) << min(failedOpenings, 6)
            phase = error.isForeign ? .refused : .unavailable(since: clock.now(), wait: wait)
            context.health.unavailable("cannot use \(context.file.path): \(error)")
            return nil
        }
        let store = context.store(opening.connection)
        try? upkeep.begin(store)
        phase = .open(store)
        failedOpenings = 0
        if let key { KeyFile.restore(key, besides: context.file.path) }
        context.health.opened(rebuilt: opening.rebuilt)
        try context.opened(store)
        watchCommits(of: store)
        return store
    }
}
