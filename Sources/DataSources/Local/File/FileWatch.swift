import CSQLite
import System

/// Whether others have changed the file since what they changed was last told. Asked at each hit in memory, so it looks
/// at no more than the header of the write-ahead log's shared index, which SQLite has mapped into memory.
///
/// A state of the header is *vetted* once all that others did up to it is told. The header changes with each commit of
/// any process; a commit is seen here when the call that made it returns.
final class FileWatch: Sendable {
    /// How long a look holds where there is no such header to compare, or where the file could not be looked at.
    private static let patience = Duration.milliseconds(50)

    private struct State {
        /// Which file is the current one: goes up when another one takes its place.
        var generation = 0
        var identity: FileIdentity?
        /// The newest row of the change log that is told or known; nil while nobody has opened the file.
        var seen: Int64?
        /// SQLite maps it once for all connections. Who closes one takes it away before, and the other brings it back.
        var index: UnsafeRawPointer?
        var vetted: UInt64?
        var lastLook: ContinuousClock.Instant?
    }

    private let state = Lock(State())
    /// Held from just before a commit of our own until it is vetted, where all was vetted before it.
    private let commits = Lock(())

    /// Whether nobody else has changed the file since the last look.
    var isCurrent: Bool {
        if isKnown { return true }
        // Between a commit of our own and its vetting there are a few instructions.
        commits.withLock { _ in }
        return isKnown
    }

    private var isKnown: Bool {
        state.withLock { state in
            if state.seen == nil { return true }
            if let index = state.index, let vetted = state.vetted, larder_wal_state(index) == vetted { return true }
            return state.lastLook.map { ContinuousClock.now - $0 < Self.patience } ?? false
        }
    }

    /// Which file is the current one.
    var generation: Int { state.withLock { $0.generation } }

    /// The newest row of the change log that is told or known.
    var seen: Int64 { state.withLock { $0.seen ?? 0 } }

    /// The header's state now; nil where there is none to see.
    var header: UInt64? { state.withLock { $0.index.map { larder_wal_state($0) } } }

    /// How many frames the write-ahead log has, as far as it is known.
    var frames: Int { state.withLock { $0.index.map { Int(larder_wal_frames($0)) } ?? 0 } }

    /// Whether the header's state now is vetted.
    private var isVetted: Bool {
        state.withLock { state in state.index.map { larder_wal_state($0) == state.vetted } ?? false }
    }

    /// A connection was opened. What was changed before the first one was opened concerns nobody here.
    ///
    /// - Parameter onReplaced: called where the file took the place of another one, and others have written to it.
    func opened(_ store: EntityStore, onReplaced: () -> Void) throws(SQLiteError) {
        let identity = store.connection.identity
        if state.withLock({ $0.identity != nil && $0.identity != identity }) { replace() }
        // As a number it may be handed over; from then on it is used under the lock only.
        let address = UInt(bitPattern: try store.connection.walIndex())
        // In this order nothing is missed: what is committed after the header was read changes the header again.
        let header = UnsafeRawPointer(bitPattern: address).map { larder_wal_state($0) }
        let newest = try store.changes.newest()
        if newest > 0, state.withLock({ $0.generation > 0 && $0.seen == nil }) { onReplaced() }
        state.withLock { state in
            state.identity = identity
            if state.index == nil { state.index = UnsafeRawPointer(bitPattern: address) }
            guard state.seen == nil else { return }
            state.seen = newest
            state.vetted = header
            state.lastLook = header == nil ? .now : nil
        }
    }

    /// A connection is about to be closed: the header may no longer be there afterwards.
    func closing() { state.withLock { $0.index = nil } }

    /// Runs a commit of our own, by which all stays vetted that was. Nobody else can commit before it; whether somebody
    /// has just after it, before the header is read, the connection tells.
    func commit(
        _ store: EntityStore, _ commit: () throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        guard isVetted else { return try commit() }
        let generation = generation
        // No other process has committed since the state was vetted. If the version is older all the same, this commit
        // is not vetted, and the next read looks.
        let version = try store.changes.knownVersion()
        let newest = try store.changes.newest()
        try commits.withLock { (_) throws(SQLiteError) in
            try commit()
            let header = header
            if try store.changes.version() == version { vet(header, seen: newest, generation: generation) }
        }
    }

    /// Another file takes the place of this one.
    func replace() {
        state.withLock { state in
            state.generation += 1
            state.identity = nil
            state.seen = nil
            state.index = nil
        }
    }

    /// All that others did until the header had this state, and until this row of the log, is told or known.
    ///
    /// - Parameters:
    ///   - header: nil where there is none to see.
    ///   - generation: which file was looked at.
    func vet(_ header: UInt64?, seen: Int64, generation: Int) {
        state.withLock { state in
            guard state.generation == generation else { return }
            state.seen = max(state.seen ?? 0, seen)
            state.vetted = header
            state.lastLook = header == nil ? .now : nil
        }
    }

    /// The file could not be looked at. That is not tried again at each hit.
    func giveUp() { state.withLock { $0.lastLook = .now } }
}

/// Moves the write-ahead log into the file now and then, after commits of our own. SQLite would do so within the
/// commit, which must be short.
final class LogKeeper {
    /// How many frames the log gets before it is moved into the file.
    private let frames: Int
    /// How many it gets before readers are waited for, so that it can be emptied.
    private var patience: Int

    /// Takes over from SQLite, which said how many frames the log gets.
    init(_ connection: SQLiteConnection) throws(SQLiteError) {
        frames = Int(try connection.integer("PRAGMA wal_autocheckpoint"))
        patience = 4 * frames
        try connection.execute("PRAGMA wal_autocheckpoint = 0")
    }

    /// Called after each commit. The log begins anew only when nobody reads; where there is always somebody who does,
    /// they have to be waited for now and then.
    func shorten(_ connection: SQLiteConnection, _ watch: FileWatch) {
        guard watch.frames > frames else { return }
        if watch.frames <= patience {
            try? connection.moveLog()
        } else {
            try? connection.emptyLog()
            // Where they did not get out of the way, not at each commit again.
            patience = watch.frames + 4 * frames
        }
    }
}
