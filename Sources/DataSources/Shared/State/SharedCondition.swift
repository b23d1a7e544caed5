import Redis
import System

/// How a shared level is, by its connection and by what the server refuses over it. It alone tells of that: why the
/// level is not used as it should be, each time that this is another reason, and when there is none any more.
///
/// A server that is not reached is told before what it refused: that it refuses still, when it is reached again.
public final class SharedCondition: Sendable {
    private struct State {
        var health = RedisHealth()
        var refusals = ServerRefusals()
        /// The reason that was told last; nil where all was well.
        var told: String?
        var isTelling = false
        var onLackOfRight: @Sendable () -> Void = {}
    }

    private enum News {
        case fault(DegradedPart)
        case recovery
    }

    private let state = Lock(State())
    private let url: RedisURL
    private let clock: any ClockContract
    private let onFault: @Sendable (DegradedPart) -> Void
    private let onRecovery: @Sendable () -> Void

    /// - Parameters:
    ///   - onFault: called with each new reason, on any thread, and by one at a time.
    ///   - onRecovery: called where there is none any more; never beside `onFault`.
    public init(
        _ url: RedisURL, clock: any ClockContract, onFault: @escaping @Sendable (DegradedPart) -> Void = { _ in },
        onRecovery: @escaping @Sendable () -> Void = {}
    ) {
        self.url = url
        self.clock = clock
        self.onFault = onFault
        self.onRecovery = onRecovery
    }

    /// What the server refuses now.
    var refusals: ServerRefusals { state.withLock { $0.refusals } }

    /// Notes how the connection is.
    public func note(_ health: RedisHealth) {
        state.withLock { $0.health = health }
        tell()
    }

    /// Notes how commands were answered. Returns whether none of them was refused.
    @discardableResult
    func note(_ replies: [RESPValue], of purpose: ServerRefusals.Purpose) -> Bool {
        let now = clock.now()
        let (isDone, hasChanged) = state.withLock { state in
            let before = state.refusals
            let isDone = state.refusals.note(replies, of: purpose, at: now)
            return (isDone, state.refusals != before)
        }
        if hasChanged { tell() }
        noteRights(replies)
        return isDone
    }

    /// Says what is done when a command was refused for want of a right.
    func whenRightsAreMissing(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onLackOfRight = body } }

    /// Notes, of how commands were answered, only whether a right is missing.
    func noteRights(_ replies: [RESPValue]) {
        guard replies.contains(where: \.isLackOfRight) else { return }
        state.withLock { $0.onLackOfRight }()
    }

    /// Notes which rights the user lacks, of all that are needed.
    func note(missing rights: [String]) {
        let now = clock.now()
        state.withLock { $0.refusals.note(missing: rights, at: now) }
        tell()
    }

    /// Whoever comes while another one tells leaves it to that one, so that the last word is that of now.
    private func tell() {
        let isBusy = state.withLock { state in
            defer { state.isTelling = true }
            return state.isTelling
        }
        if isBusy { return }
        while let news = next() {
            switch news {
            case .fault(let part): onFault(part)
            case .recovery: onRecovery()
            }
        }
    }

    /// What is to be told next; nil where all was told, and nobody tells any more.
    private func next() -> News? {
        state.withLock { state in
            let part = part(state)
            guard part?.reason != state.told else {
                state.isTelling = false
                return nil
            }
            state.told = part?.reason
            return part.map { .fault($0) } ?? .recovery
        }
    }

    private func part(_ state: State) -> DegradedPart? {
        if let reason = state.health.reason {
            let told = "\(url.shown) is not used: \(reason)"
            return DegradedPart(part: "shared", reason: told, since: state.health.since ?? clock.now())
        }
        return state.refusals.first.map { DegradedPart(part: "shared", reason: $0.reason, since: $0.since) }
    }
}
