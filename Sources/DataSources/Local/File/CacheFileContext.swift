import Model
import System

/// The objects that the reader and the writer of the cache file use together, such as the pending writes.
struct CacheFileContext: Sendable {
    let file: DatabaseFile
    let pending: PendingWrites
    let watch = ChangeDetector()
    let health: FileHealth
    /// The id that marks this process's rows in the cache file's change log.
    private let writerID = Int64.random(in: 1 ... .max)
    /// The handler for changes by other processes.
    private let foreignChanges = Lock<@Sendable (ForeignChange) -> Void>({ _ in })

    init(file: DatabaseFile, pending: PendingWrites, health: FileHealth) {
        self.file = file
        self.pending = pending
        self.health = health
    }

    /// Sets the handler for changes by other processes.
    func reportForeignChanges(to handler: @escaping @Sendable (ForeignChange) -> Void) {
        foreignChanges.withLock { $0 = handler }
    }

    /// Starts to detect changes that other processes make to the cache file. Must be called after a connection was
    /// opened.
    func opened(_ store: EntityStore) throws(SQLiteError) {
        try watch.opened(store) { report(.everything) }
    }

    /// Notifies the handler of a change by another process.
    func report(_ change: ForeignChange) { foreignChanges.withLock { $0 }(change) }

    /// Rejects further writes to the cache file, and reports pending writes as lost.
    func dropPending() {
        let lost = pending.close()
        health.recordLost(
            lost, "cannot finish \(lost) writes to \(file.path): the process exited first; these changes are lost")
    }

    func store(_ connection: SQLiteConnection) -> EntityStore {
        EntityStore(connection, writer: writerID)
    }
}

/// Limits the waits for a cache file that another process keeps locked. For one second after a failed wait, calls do
/// not wait for the lock. Otherwise, many calls would each wait for the full timeout.
struct LockBackoff {
    private static let span = Duration.seconds(1)

    private var end: ContinuousClock.Instant?

    /// Records that another process keeps the cache file locked.
    mutating func note(at now: ContinuousClock.Instant = .now) { end = now + Self.span }

    /// Allows the next call to wait for the full timeout again.
    mutating func forget() { end = nil }

    /// Returns how long the next call may wait for a lock, in milliseconds: 0 shortly after a failed wait, otherwise
    /// `usual`.
    func busyTimeout(_ usual: Int32, at now: ContinuousClock.Instant = .now) -> Int32 {
        guard let end, now < end else { return usual }
        return 0
    }
}
