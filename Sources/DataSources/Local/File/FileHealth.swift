import System

/// Tracks the faults of the cache file, and reports each new fault.
final class FileHealth: Sendable {
    private struct State {
        var base = LevelState.ok
        var isFailing = false
        var lastReason: String?
        var lost = (count: 0, reason: String?.none)
        var damaged = 0
    }

    private let clock: any ClockContract
    private let onFault: @Sendable (DegradedPart) -> Void
    private let onRecovery: @Sendable () -> Void
    private let state = Lock(State())

    init(
        clock: any ClockContract, onFault: @escaping @Sendable (DegradedPart) -> Void,
        onRecovery: @escaping @Sendable () -> Void = {}
    ) {
        self.clock = clock
        self.onFault = onFault
        self.onRecovery = onRecovery
    }

    /// The state of the cache file. While writes fail, the state is `failing`.
    var level: LevelState { state.withLock { $0.isFailing ? .failing : $0.base } }

    /// Whether the cache file could not be opened.
    var isUnavailable: Bool { state.withLock { $0.base == .unavailable } }

    /// The number of writes that were dropped because they could not be stored, and the reason for the last loss.
    var lostWrites: (count: Int, reason: String?) { state.withLock { $0.lost } }

    /// The number of damaged rows found while reading the cache file.
    var damagedRows: Int { state.withLock { $0.damaged } }

    /// Counts damaged rows of the cache file. Damaged rows are not reported as faults, because reads treat such rows as
    /// missing.
    func foundDamaged(_ count: Int) { state.withLock { $0.damaged += count } }

    /// Records that the cache file is open. Reports the reason if the file was rebuilt. Reports the recovery if the
    /// file was unavailable before.
    func opened(rebuilt reason: String?) {
        let isBack = state.withLock { state in
            if reason != nil { state.base = .rebuilt }
            guard state.base == .unavailable else { return false }
            state.base = .ok
            state.lastReason = nil
            return !state.isFailing
        }
        if let reason { report(reason) } else if isBack { onRecovery() }
    }

    /// Records that the cache file cannot be opened, and reports the reason.
    func unavailable(_ reason: String) {
        state.withLock { $0.base = .unavailable }
        reportOnce(reason)
    }

    /// Records that writes to the cache file fail and stay pending, and reports the reason.
    func failing(_ reason: String) {
        state.withLock { $0.isFailing = true }
        reportOnce(reason)
    }

    /// Records that writes to the cache file succeed again, and reports the recovery.
    func recovered() {
        let isBack = state.withLock { state in
            defer {
                state.isFailing = false
                state.lastReason = nil
            }
            return state.isFailing && state.base == .ok
        }
        if isBack { onRecovery() }
    }

    /// Records that pending writes were dropped because they could not be stored, and reports the reason.
    func recordLost(_ count: Int, _ reason: String) {
        guard count > 0 else { return }
        state.withLock { $0.lost = ($0.lost.count + count, reason) }
        reportOnce(reason)
    }

    /// Reports the reason for a fault, unless the previous report had the same reason.
    private func reportOnce(_ reason: String) {
        let isNew = state.withLock { state in
            defer { state.lastReason = reason }
            return state.lastReason != reason
        }
        if isNew { report(reason) }
    }

    private func report(_ reason: String) {
        onFault(DegradedPart(part: "persistence", reason: reason, since: clock.now()))
    }
}
