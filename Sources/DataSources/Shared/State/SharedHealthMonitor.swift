import Redis
import System

/// Monitors the shared level: the connection to the Redis server, and the commands that the server refuses. Reports
/// each new fault and each recovery.
///
/// While the connection is lost, the monitor reports only the lost connection, and no refused commands.
// If the server still refuses commands after a reconnect, the refusal is reported again.
public final class SharedHealthMonitor: Sendable {
    private struct State {
        var health = RedisHealth()
        var refusals = ServerRefusals()
        /// The message of the last reported fault; nil after a recovery.
        var reported: String?
        var isReporting = false
        var onMissingRight: @Sendable () -> Void = {}
    }

    private enum Change {
        case fault(DegradedPart)
        case recovery
    }

    private let state = Lock(State())
    private let url: RedisURL
    private let clock: any ClockContract
    private let onFault: @Sendable (DegradedPart) -> Void
    private let onRecovery: @Sendable () -> Void

    /// Creates a monitor that has found no fault yet.
    ///
    /// - Parameters:
    ///   - onFault: called with each new fault, on any thread. Calls of `onFault` and `onRecovery` never overlap.
    ///   - onRecovery: called when the last reported fault has ended.
    public init(
        _ url: RedisURL, clock: any ClockContract, onFault: @escaping @Sendable (DegradedPart) -> Void = { _ in },
        onRecovery: @escaping @Sendable () -> Void = {}
    ) {
        self.url = url
        self.clock = clock
        self.onFault = onFault
        self.onRecovery = onRecovery
    }

    /// The commands that the Redis server currently refuses.
    var refusals: ServerRefusals { state.withLock { $0.refusals } }

    /// Records the health of the connection to the Redis server.
    public func note(_ health: RedisHealth) {
        state.withLock { $0.health = health }
        report()
    }

    /// Checks the Redis server's replies to commands with the given purpose. If the server refused a command, records
    /// the refusal and returns false. Otherwise returns true and clears an earlier refusal for this purpose.
    @discardableResult
    func note(_ replies: [RESPValue], of purpose: ServerRefusals.Purpose) -> Bool {
        let now = clock.now()
        let (isDone, hasChanged) = state.withLock { state in
            let before = state.refusals
            let isDone = state.refusals.note(replies, of: purpose, at: now)
            return (isDone, state.refusals != before)
        }
        if hasChanged { report() }
        noteRights(replies)
        return isDone
    }

    /// Sets the handler that is called when the Redis server refuses a command because a right is missing.
    func whenRightsAreMissing(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onMissingRight = body } }

    /// Calls the handler set with `whenRightsAreMissing` if a reply shows that the Redis user lacks a right.
    func noteRights(_ replies: [RESPValue]) {
        guard replies.contains(where: \.isLackOfRight) else { return }
        state.withLock { $0.onMissingRight }()
    }

    /// Records the rights that the Redis user lacks. The list is empty if no right is missing.
    func note(missing rights: [String]) {
        let now = clock.now()
        state.withLock { $0.refusals.note(missing: rights, at: now) }
        report()
    }

    /// Reports all changes of the shared level's health. Does nothing if another thread is reporting, because that
    /// thread also reports the new changes.
    // The last report thus always describes the current health.
    private func report() {
        let isBusy = state.withLock { state in
            defer { state.isReporting = true }
            return state.isReporting
        }
        if isBusy { return }
        while let change = nextChange() {
            switch change {
            case .fault(let part): onFault(part)
            case .recovery: onRecovery()
            }
        }
    }

    /// Returns the next health change to report; nil if there is none.
    private func nextChange() -> Change? {
        state.withLock { state in
            let part = part(state)
            guard part?.reason != state.reported else {
                state.isReporting = false
                return nil
            }
            state.reported = part?.reason
            return part.map { .fault($0) } ?? .recovery
        }
    }

    private func part(_ state: State) -> DegradedPart? {
        if let reason = state.health.reason {
            let message = "\(url.shown) is not used: \(reason)"
            return DegradedPart(part: "shared", reason: message, since: state.health.since ?? clock.now())
        }
        return state.refusals.first.map { DegradedPart(part: "shared", reason: $0.reason, since: $0.since) }
    }
}
