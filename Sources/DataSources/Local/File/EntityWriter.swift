import Model
import System

/// Owns the connection that writes the cache file, on a thread of its own. It opens the file, and makes it where there
/// is none, brings its schema up to date, and replaces it where it is broken.
actor EntityWriter {
    private enum Phase {
        case unopened
        case open(EntityStore)
        /// Tried again after a while.
        case unavailable(since: Timestamp, wait: Int64)
        case refused
        case closed
    }

    /// How often a broken file is rebuilt before the disk is held to be the culprit.
    private static let maxRebuilds = 3
    /// How long a file that cannot be used is left alone, in milliseconds.
    private static let longestWait: Int64 = 64_000

    /// A thread of its own, so that waiting for a disk holds up nobody else.
    nonisolated let loop = EventLoop("larder-file", standIn: .shared)
    private let context: CacheFileContext
    private let upkeep: FileUpkeep
    private let clock: any ClockContract
    /// The key of the resources' fingerprints; nil if it is not stored beside the file.
    private let key: FingerprintKey?
    /// Waits before a failed write is tried again; takes how often it has failed in a row.
    private let pause: @Sendable (Int) async -> Void
    private var phase = Phase.unopened
    /// The file that is not used any more, whatever becomes of it.
    private var abandoned: FileIdentity?
    private var rebuilds = 0
    private var failures = 0
    private var failedOpenings = 0
    private var isRetrying = false
    private var lock = LockMemory()
    /// The file as it is used now.
    private var file: DatabaseFile {
        var file = context.file
        file.busyTimeout = lock.busyTimeout(file.busyTimeout)
        return file
    }

    init(
        _ context: CacheFileContext, upkeep: FileUpkeep, clock: any ClockContract, key: FingerprintKey?,
        pause: @escaping @Sendable (Int) async -> Void
    ) {
        self.context = context
        self.upkeep = upkeep
        self.clock = clock
        self.key = key
        self.pause = pause
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.isolation.asUnownedSerialExecutor() }

    /// Has the writes that wait done, without waiting for that.
    ///
    /// - Parameter then: called on the writer's thread.
    nonisolated func scheduleTurn(then body: @escaping @Sendable () -> Void) {
        Task(executorPreference: loop) {
            await self.turn()
            body()
        }
    }

    /// Does the writes that wait. Returns whether none is left waiting.
    @discardableResult
    func turn() -> Bool {
        context.pending.beginTurn()
        let isDone = writeAll()
        if !isDone { retryLater() }
        return isDone
    }

    /// Opens the file, if that can be done.
    func open() {
        do {
            _ = try opened()
        } catch {
            if error.isBusy { lock.note() }
            rebuild(ifBrokenBy: error)
        }
    }

    /// Runs `body`, which may write, over the file with all writes done. Nil where there is no file, or a new one.
    func perform<Result: Sendable>(
        _ body: @Sendable (EntityStore) throws(SQLiteError) -> Result
    ) throws(SQLiteError) -> Result? {
        turn()
        do {
            guard let store = try opened() else { return nil }
            let result = try SQLiteError.retryingCuts { () throws(SQLiteError) in try body(store) }
            try? upkeep.turn(store)
            return result
        } catch {
            if error.isBusy { lock.note() }
            if rebuild(ifBrokenBy: error) { return nil }
            throw error
        }
    }

    /// Removes damaged rows, if that can be done now; else who reads them next finds them damaged again.
    func remove(_ rows: [DamagedRow]) {
        _ = try? perform { (store) throws(SQLiteError) in
            try store.connection.writing { () throws(SQLiteError) in try store.remove(rows) }
        }
    }

    /// Sets a broken file aside and begins a new one, unless that has been done.
    func replace(_ identity: FileIdentity?, after error: SQLiteError) {
        if case .open(let store) = phase {
            guard store.connection.identity == identity else { return }
            rebuild(store, after: error)
        } else if case .unopened = phase {
            rebuild(identity, after: error)
        }
    }

    /// Gives a file up for as long as the process runs: it cannot be shared any more, so that using it would break it.
    /// One that comes into its place is used.
    func abandon(_ identity: FileIdentity?) {
        if case .open(let store) = phase {
            guard store.connection.identity == identity else { return }
            close(store)
        }
        abandoned = identity
        context.watch.replace()
        phase = .unavailable(since: clock.now(), wait: Self.longestWait)
        context.health.unavailable("cannot use \(context.file.path): \(SQLiteError.unshared)")
    }

    /// Writes what waits, for at most `patience`, and closes the file.
    func close(patience: Duration) async {
        let end = ContinuousClock.now + patience
        while !writeAll(), ContinuousClock.now < end { try? await EventLoop.shared.sleep(milliseconds: 20) }
        context.loseWaiting()
        if case .open(let store) = phase {
            try? upkeep.turn(store, isLast: true)
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
                    // It runs from memory: what waits would only take room.
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
                    wait(after: error)
                    return false
                } else {
                    context.health.lose(writes.count, "cannot write to \(context.file.path): \(error)")
                    context.pending.finish()
                }
            }
        }
    }

    private func write(_ writes: [EntityStore.Write], to store: EntityStore) throws(SQLiteError) {
        try SQLiteError.retryingCuts { () throws(SQLiteError) in try store.apply(writes, now: clock.now()) }
        if writes.contains(where: \.isRemoval) { try? store.shrink() }
        // What cannot be dropped now is after a later write.
        try? upkeep.turn(store)
    }

    /// A disk may get room again, and a lock be released.
    private func wait(after error: SQLiteError) {
        failures += 1
        if error.isBusy { lock.note() }
        if error.isSystemFailure, case .open(let store) = phase {
            close(store)
            phase = .unopened
        }
        // Another process may write for a moment.
        if !error.isBusy || failures > 5 {
            context.health.failing("cannot write to \(context.file.path): \(error)")
        }
    }

    private func retryLater() {
        context.pending.holdTurns()
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
        // Nobody waits for this one, so it may: without, it would lose to those who write again and again.
        lock.forget()
        turn()
    }
}

extension EntityWriter {
    /// The store; nil where there is none to be had.
    private func opened() throws(SQLiteError) -> EntityStore? {
        switch phase {
        case .open(let store):
            if store.connection.identity == FileIdentity(path: context.file.path) {
                store.connection.busyTimeout = file.busyTimeout
                return store
            }
            // Somebody deleted the file, or put another one in its place.
            close(store)
            phase = .unopened
            context.watch.replace()
        case .unavailable(let since, let wait):
            let passed = clock.now().milliseconds - since.milliseconds
            // A clock may be set back.
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

    /// Without a header to look at, SQLite does what it always does.
    private func watchCommits(of store: EntityStore) {
        guard context.watch.header != nil, let log = try? LogKeeper(store.connection) else { return }
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
            return context.health.unavailable("\(context.file.path) is broken again and again (\(error))")
        }
        do {
            let store = try open { () throws(SQLiteError) in
                try file.replace(identity, after: error, now: clock.now())
            }
            if store != nil { rebuilds += 1 }
        } catch {
            // It stays where it is until the lock is released.
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
            // Who holds the lock will release it.
            if error.isBusy { throw error }
            failedOpenings += 1
            // 2 s, then twice as long each time, up to the longest.
            let wait = min(Int64(1000) << min(Int64(failedOpenings), 6), Self.longestWait)
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
