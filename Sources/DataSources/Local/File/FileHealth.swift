import System

/// What is wrong with the cache file, and who is told.
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

    /// How the file is; `failing` while writes wait, whatever it was before.
    var level: LevelState { state.withLock { $0.isFailing ? .failing : $0.base } }

    /// Whether the file could not be opened.
    var isUnavailable: Bool { state.withLock { $0.base == .unavailable } }

    /// Writes that were given up, and why the last of them was.
    var lostWrites: (count: Int, reason: String?) { state.withLock { $0.lost } }

    /// Rows that were read and were not what was written.
    var damagedRows: Int { state.withLock { $0.damaged } }

    /// Rows were read that are not what was written. They are misses, so nobody need be told.
    func foundDamaged(_ count: Int) { state.withLock { $0.damaged += count } }

    /// The file is open.
    func opened(rebuilt reason: String?) {
        let isBack = state.withLock { state in
            if reason != nil { state.base = .rebuilt }
            guard state.base == .unavailable else { return false }
            state.base = .ok
            state.lastReason = nil
            return !state.isFailing
        }
        if let reason { tell(reason) } else if isBack { onRecovery() }
    }

    /// The file cannot be opened.
    func unavailable(_ reason: String) {
        state.withLock { $0.base = .unavailable }
        say(reason)
    }

    /// Writes could not be done and wait.
    func failing(_ reason: String) {
        state.withLock { $0.isFailing = true }
        say(reason)
    }

    /// Writes were done.
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

    /// Writes were accepted and will not be done.
    func lose(_ count: Int, _ reason: String) {
        guard count > 0 else { return }
        state.withLock { $0.lost = ($0.lost.count + count, reason) }
        say(reason)
    }

    /// Once for each reason in a row.
    private func say(_ reason: String) {
        let isNew = state.withLock { state in
            defer { state.lastReason = reason }
            return state.lastReason != reason
        }
        if isNew { tell(reason) }
    }

    private func tell(_ reason: String) {
        onFault(DegradedPart(part: "persistence", reason: reason, since: clock.now()))
    }
}
