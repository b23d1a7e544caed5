import Model
import System

/// What the reader and the writer of the cache file have in common.
struct CacheFileContext: Sendable {
    let file: DatabaseFile
    let pending: PendingWrites
    let watch = FileWatch()
    let health: FileHealth
    /// Distinguishes the rows that this process adds to the change log from those of other processes.
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

    /// Starts to watch the file of a connection that was opened.
    func opened(_ store: EntityStore) throws(SQLiteError) {
        try watch.opened(store) { tell(.everything) }
    }

    /// Reports a change by other processes.
    func tell(_ change: ForeignChange) { foreignChanges.withLock { $0 }(change) }

    /// Takes no more writes, and reports those that were not done.
    func loseWaiting() {
        let lost = pending.close()
        health.lose(lost, "\(lost) writes to \(file.path) were not done before the end")
    }

    func store(_ connection: SQLiteConnection) -> EntityStore {
        EntityStore(connection, writer: writerID)
    }
}

/// Remembers for a second that another process keeps the file locked. Calls in that second do not wait for the lock:
/// calls that come together would wait one after the other.
struct LockMemory {
    private static let span = Duration.seconds(1)

    private var end: ContinuousClock.Instant?

    /// The file was found locked.
    mutating func note(at now: ContinuousClock.Instant = .now) { end = now + Self.span }

    /// The file was used, or the next call may wait.
    mutating func forget() { end = nil }

    /// How many milliseconds the next call waits for a lock: `usual`, or 0 within a second of a lock.
    func busyTimeout(_ usual: Int32, at now: ContinuousClock.Instant = .now) -> Int32 {
        guard let end, now < end else { return usual }
        return 0
    }
}
