import CSQLite
import Synchronization

/// Whether others have changed the file since what they changed was last told. Asked at each hit in memory, so it looks at
/// no more than the header of the write-ahead log's shared index, which SQLite has mapped into memory.
///
/// A state of the header is *vetted* once all that others did up to it is told. The header changes with each commit of
/// any process; a commit is seen here when the call that made it returns.
final class FileWatch: Sendable {
    /// How long a look holds where there is no such header to compare, or where the file could not be looked at.
    private static let patience = Duration.milliseconds(50)

    private struct State {
        /// Which file is the current one: goes up when another one takes its place.
        var generation = 0
        /// The newest row of the change log that is told or known; nil while nobody has opened the file.
        var seen: Int64?
        /// Valid while the reader's connection is open, which takes it away before it closes.
        var index: UnsafeRawPointer?
        var vetted: UInt64?
        var lastLook: ContinuousClock.Instant?
    }

    private let state = Mutex(State())

    /// Whether nobody else has changed the file since the last look.
    var isCurrent: Bool {
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
    var isVetted: Bool { state.withLock { state in state.index.map { larder_wal_state($0) == state.vetted } ?? false } }

    /// The file was opened: what was changed until now concerns nobody here. Only the first call for a file counts.
    func begin(at newest: Int64) {
        state.withLock { if $0.seen == nil { $0.seen = newest } }
    }

    /// From now on looks at a header, which nobody has vetted yet.
    func attach(_ index: UnsafeRawPointer?) {
        // As a number it may be handed over; from then on it is used under the lock only.
        let address = UInt(bitPattern: index)
        state.withLock { state in
            state.index = UnsafeRawPointer(bitPattern: address)
            state.vetted = nil
            state.lastLook = nil
        }
    }

    /// The header will no longer be there.
    func detach() { attach(nil) }

    /// Another file takes the place of this one.
    func replace() {
        state.withLock { state in
            state.generation += 1
            state.seen = nil
        }
    }

    /// All that others did until the header had this state, and until this row of the log, is told or known.
    ///
    /// - Parameter header: nil where there is none to see.
    func vet(_ header: UInt64?, seen: Int64) {
        state.withLock { state in
            state.seen = max(state.seen ?? 0, seen)
            state.vetted = header
            state.lastLook = header == nil ? .now : nil
        }
    }

    /// The file could not be looked at. That is not tried again at each hit.
    func giveUp() { state.withLock { $0.lastLook = .now } }
}
