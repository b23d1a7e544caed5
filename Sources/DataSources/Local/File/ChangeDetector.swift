import CSQLite
import System

/// Detects unreported changes that other processes made to the cache file.
///
/// The detector reads only the header of the write-ahead log's index (WAL-index), which every commit changes. A header
/// value is *vetted* if all changes by other processes up to that value have been reported.
// The check must be fast, because each memory hit runs it.
// A commit appears in the header at the latest when the committing call returns.
final class ChangeDetector: Sendable {
    /// The minimum time between two checks for changes. It applies if the WAL-index has no header, and after a failed
    /// check.
    private static let checkInterval = Duration.milliseconds(50)

    private struct State {
        /// The number of times that a different file appeared at the path of the cache file.
        var generation = 0
        var identity: FileIdentity?
        /// The number of the last processed row of the change log; nil until the file is opened.
        var seen: Int64?
        /// The address of the WAL-index header in memory. Nil while no file is open, and from the close of a connection
        /// until the next check.
        // SQLite maps the header once for all connections of this process, and closing a connection may unmap it.
        var index: UnsafeRawPointer?
        var vetted: UInt64?
        var lastCheck: ContinuousClock.Instant?
    }

    private let state = Lock(State())
    /// The lock that is held during a commit of this process, until the new value of the WAL-index header is recorded.
    /// `isCurrent` waits for this lock.
    private let commits = Lock(())

    /// Whether all changes to the file by other processes have been reported.
    var isCurrent: Bool {
        if isKnown { return true }
        // A commit of this process vets its header value after only a few instructions, so this wait is short.
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

    /// The number of times that a different file appeared at the path of the cache file.
    var generation: Int { state.withLock { $0.generation } }

    /// The number of the last processed row of the change log; 0 until the file is opened.
    var seen: Int64 { state.withLock { $0.seen ?? 0 } }

    /// The current value of the WAL-index header; nil if there is no header.
    var header: UInt64? { state.withLock { $0.index.map { larder_wal_state($0) } } }

    /// The number of frames in the write-ahead log; 0 if the number is unknown.
    var frames: Int { state.withLock { $0.index.map { Int(larder_wal_frames($0)) } ?? 0 } }

    /// Whether all changes up to the current value of the WAL-index header have been reported.
    private var isVetted: Bool {
        state.withLock { state in state.index.map { larder_wal_state($0) == state.vetted } ?? false }
    }

    /// Starts to detect changes to the file of a newly opened connection. Changes that were made before the first
    /// connection was opened are not reported.
    ///
    /// - Parameter onReplaced: called if a different file has replaced the cache file, and the change log of the new
    ///   file is not empty.
    func opened(_ store: EntityStore, onReplaced: () -> Void) throws(SQLiteError) {
        let identity = store.connection.identity
        if state.withLock({ $0.identity != nil && $0.identity != identity }) { replace() }
        // The address is an integer, because the closure cannot capture a pointer. The pointer made from it is only
        // used under the lock.
        let address = UInt(bitPattern: try store.connection.walIndex())
        // The header is read before the log. A commit between these two reads is still detected, because it changes the
        // header again.
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

    /// Forgets the address of the WAL-index header before a connection is closed. Closing the connection may unmap the
    /// header.
    func closing() { state.withLock { $0.index = nil } }

    /// Commits a transaction of this process. If all earlier changes by other processes were reported, records
    /// that the new value of the WAL-index header needs no check.
    // No other process can commit between the check of the header and this commit. Another process may commit right
    // afterwards, before the header is read again. That commit changes the connection's data version, so the new value
    // is then not marked as vetted.
    func commit(
        _ store: EntityStore, _ commit: () throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        guard isVetted else { return try commit() }
        let generation = generation
        // No other process has committed since the header was vetted. If the version differs anyway, this commit is not
        // vetted, and the next read checks the log.
        let version = try store.changes.knownVersion()
        let newest = try store.changes.newest()
        try commits.withLock { (_) throws(SQLiteError) in
            try commit()
            let header = header
            if try store.changes.version() == version { vet(header, seen: newest, generation: generation) }
        }
    }

    /// Resets the detector after a different file appeared at the path of the cache file.
    func replace() {
        state.withLock { state in
            state.generation += 1
            state.identity = nil
            state.seen = nil
            state.index = nil
        }
    }

    /// Marks a value of the WAL-index header as vetted. Does nothing if a different file has replaced the cache file
    /// since the check.
    ///
    /// - Parameters:
    ///   - header: the vetted value; nil if there is no header.
    ///   - seen: the number of the newest row that the check found in the change log.
    ///   - generation: the detector's `generation` at the time of the check.
    func vet(_ header: UInt64?, seen: Int64, generation: Int) {
        state.withLock { state in
            guard state.generation == generation else { return }
            state.seen = max(state.seen ?? 0, seen)
            state.vetted = header
            state.lastCheck = header == nil ? .now : nil
        }
    }

    /// Delays the next check for changes, after a check has failed. Without the delay, every memory hit would repeat
    /// the failed check.
    func postponeCheck() { state.withLock { $0.lastCheck = .now } }
}

/// Runs checkpoints after commits of this process: copies the write-ahead log into the cache file.
// By default SQLite would do this during the commit, which must be short.
final class LogCheckpointer {
    /// The number of frames in the write-ahead log above which a checkpoint follows each commit.
    private let frames: Int
    /// The number of frames in the write-ahead log above which a checkpoint waits for readers. Only a checkpoint that
    /// waits can empty the log.
    private var waitThreshold: Int

    /// Disables SQLite's automatic checkpoints. This object runs checkpoints instead, with the same threshold.
    init(_ connection: SQLiteConnection) throws(SQLiteError) {
        frames = Int(try connection.integer("PRAGMA wal_autocheckpoint"))
        waitThreshold = 4 * frames
        try connection.execute("PRAGMA wal_autocheckpoint = 0")
    }

    /// Runs a checkpoint if the write-ahead log is long. Must be called after each commit.
    // SQLite can restart the log only while no connection reads it. A checkpoint must therefore sometimes wait until
    // all reads have ended.
    func shorten(_ connection: SQLiteConnection, _ watch: ChangeDetector) {
        guard watch.frames > frames else { return }
        if watch.frames <= waitThreshold {
            try? connection.checkpoint()
        } else {
            try? connection.emptyLog()
            // If readers prevented the log from being emptied, the next commits do not wait for them again.
            waitThreshold = watch.frames + 4 * frames
        }
    }
}
