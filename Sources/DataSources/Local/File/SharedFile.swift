import Model
import System

/// What the reader and the writer of the cache file share.
struct SharedFile: Sendable {
    let file: DatabaseFile
    let pending: PendingWrites
    let watch = FileWatch()
    let health: FileHealth
    let upkeep: FileUpkeep
    let clock: any ClockContract
    /// Tells the rows that this process adds to the change log from those of others.
    let writerID = Int64.random(in: 1 ... .max)
    /// Who is told what other processes changed.
    let foreignChanges = Lock<@Sendable (ForeignChange) -> Void>({ _ in })
    /// What the fingerprints of resources are made with; nil where that is not kept beside the file.
    let key: FingerprintKey?

    /// A connection was opened.
    func opened(_ store: EntityStore) throws(SQLiteError) {
        try watch.opened(store) { tell(.everything) }
    }

    /// Other processes changed something.
    func tell(_ change: ForeignChange) { foreignChanges.withLock { $0 }(change) }

    /// Takes no more writes, and tells of those that were not done.
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
