import CSQLite
import System

/// Detects changes to the cache file by other processes that were not reported yet.
///
/// The check runs on each hit in memory, so it must be fast: it only reads the header of the write-ahead log's shared
/// index. SQLite has mapped this header into memory.
///
/// Each commit of any process changes the header. A value of the header is called *vetted* when all changes by other
/// processes up to that value have been reported. A commit is visible in the header of this process when the committing
/// call returns, or earlier.
final class ChangeDetector: Sendable {
    /// The time for which the result of a check stays valid if there is no header to compare, or if the file could not
    /// be checked.
    private static let checkInterval = Duration.milliseconds(50)

    private struct State {
        /// The number of the file at this path. It increases when another file takes the file's place.
        var generation = 0
        var identity: FileIdentity?
        /// The number of the newest row of the change log that was handled: reported, or known to need no report. Nil
        /// until the file is opened.
        var seen: Int64?
        /// The address of the header, which SQLite maps once for all connections of this process. When a connection is
        /// closed, this pointer is removed; the next check through another connection sets it again.
        var index: UnsafeRawPointer?
        var vetted: UInt64?
        var lastCheck: ContinuousClock.Instant?
    }

    private let state = Lock(State())
    /// The lock that is held from a commit of this process until the header's new value is vetted. Commits that follow
    /// a value that is not vetted do not take this lock.
    private let commits = Lock(())

    /// Whether all changes to the file by other processes have been reported.
    var isCurrent: Bool {
        if isKnown { return true }
        // Only a few instructions separate a commit of this process from its vetting.
        commits.withLock { _ in }
        return isKnown
    }

    private var isKnown: Bool {
        state.withLock { state in
            if state.seen == nil { return true }
            if let index = state.index, let vetted = state.vetted, larder_wal_state(index) == vetted { return true }
            return state.lastCheck.map { ContinuousClock.now - $0 < Self.checkInterval } ?? false
        }
    }

    /// The number of the file at this path. It increases when another file takes the file's place.
    var generation: Int { state.withLock { $0.generation } }

    /// The number of the newest row of the change log that was handled: reported, or known to need no report.
    var seen: Int64 { state.withLock { $0.seen ?? 0 } }

    /// The current value of the header; nil if there is no header.
    var header: UInt64? { state.withLock { $0.index.map { larder_wal_state($0) } } }

    /// The number of frames in the write-ahead log; 0 if it is unknown.
    var frames: Int { state.withLock { $0.index.map { Int(larder_wal_frames($0)) } ?? 0 } }

    /// Whether the current value of the header is vetted.
    private var isVetted: Bool {
        state.withLock { state in state.index.map { larder_wal_state($0) == state.vetted } ?? false }
    }

    /// Registers a newly opened connection. Changes that were made before the first connection was opened need no
    /// report.
    ///
    /// - Parameter onReplaced: Called if the file has taken the place of another one and already contains changes.
    func opened(_ store: EntityStore, onReplaced: () -> Void) throws(SQLiteError) {
        let identity = store.connection.identity
        if state.withLock({ $0.identity != nil && $0.identity != identity }) { replace() }
        // An integer can be passed into the closure. The pointer made from it is only used under the lock.
        let address = UInt(bitPattern: try store.connection.walIndex())
        // Reading the header first misses nothing, because a later commit changes the header again.
        let header = UnsafeRawPointer(bitPattern: address).map { larder_wal_state($0) }
        let newest = try store.changes.newest()
        if newest > 0, state.withLock({ $0.generation > 0 && $0.seen == nil }) { onReplaced() }
        state.withLock { state in
            state.identity = identity
            if state.index == nil { state.index = UnsafeRawPointer(bitPattern: address) }
            guard state.seen == nil else { return }
            state.seen = newest
            state.vetted = header
            state.lastCheck = header == nil ? .now : nil
        }
    }

    /// Removes the header's address before a connection is closed, because closing may unmap the header.
    func closing() { state.withLock { $0.index = nil } }

    /// Runs a commit of this process. If the header was vetted before the commit, marks its new value as vetted, too.
    ///
    /// No other process can commit between the check and this commit. The connection's version shows whether another
    /// process committed right afterwards, before the header was read.
    func commit(
        _ store: EntityStore, _ commit: () throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        guard isVetted else { return try commit() }
        let generation = generation
        // No other process has committed since the state was vetted. If the known version is older all the same, this
        // commit is not vetted, and the next read checks the log.
        let version = try store.changes.knownVersion()
        let newest = try store.changes.newest()
        try commits.withLock { (_) throws(SQLiteError) in
            try commit()
            let header = header
            if try store.changes.version() == version { vet(header, seen: newest, generation: generation) }
        }
    }

    /// Starts a new generation, because another file takes the place of this one.
    func replace() {
        state.withLock { state in
            state.generation += 1
            state.identity = nil
            state.seen = nil
            state.index = nil
        }
    }

    /// Marks a value of the header as vetted: all changes by other processes up to that value have been reported.
    ///
    /// - Parameters:
    ///   - header: The value of the header; nil if there is no header.
    ///   - seen: The number of the newest row of the change log up to that value.
    ///   - generation: The value of `generation` when the file was checked.
    func vet(_ header: UInt64?, seen: Int64, generation: Int) {
        state.withLock { state in
            guard state.generation == generation else { return }
            state.seen = max(state.seen ?? 0, seen)
            state.vetted = header
            state.lastCheck = header == nil ? .now : nil
        }
    }

    /// Postpones the next check, because the file could not be checked. Without this, each hit in memory would check
    /// the file again.
    func postponeCheck() { state.withLock { $0.lastCheck = .now } }
}

/// Moves the write-ahead log into the file after commits of this process (a checkpoint). SQLite would do this during
/// the commit, which must be short.
final class LogCheckpointer {
    /// The number of frames in the write-ahead log from which on a commit is followed by a checkpoint.
    private let frames: Int
    /// The number of frames in the log above which a checkpoint waits for readers, so that it can empty the log.
    private var waitThreshold: Int

    /// Disables SQLite's automatic checkpoints, and uses their threshold for its own.
    init(_ connection: SQLiteConnection) throws(SQLiteError) {
        frames = Int(try connection.integer("PRAGMA wal_autocheckpoint"))
        waitThreshold = 4 * frames
        try connection.execute("PRAGMA wal_autocheckpoint = 0")
    }

    /// Runs a checkpoint if the write-ahead log is long. Must be called after each commit.
    ///
    /// SQLite can restart the log only if nothing reads it. If there is always a read in progress, a checkpoint must
    /// sometimes wait for all reads to end.
    func shorten(_ connection: SQLiteConnection, _ watch: ChangeDetector) {
        guard watch.frames > frames else { return }
        if watch.frames <= waitThreshold {
            try? connection.checkpoint()
        } else {
            try? connection.emptyLog()
            // If readers kept the log from being emptied, the next commits do not wait for them again.
            waitThreshold = watch.frames + 4 * frames
        }
    }
}
