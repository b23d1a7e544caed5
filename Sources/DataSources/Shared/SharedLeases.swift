import System

/// The leases of this process: each lets it alone ask a remote for one thing, of all processes that share the level.
///
/// A lease ends by itself after a second, so that nobody waits longer for a process that was killed. While its fetch
/// goes on it is kept for longer; when that has ended it is ended by its owner.
final class SharedLeases: Sendable {
    /// For how many milliseconds a lease holds.
    static let life = 1000
    private static let renewal = 300

    private struct State {
        /// The tokens of those that are held, by their keys, and until when they are sure to hold.
        var held: [String: (token: String, end: Int)] = [:]
        var isRenewing = false
    }

    private let space: SharedSpace
    private let timer: any TimerContract
    private let state = Lock(State())

    init(_ space: SharedSpace, timer: any TimerContract) {
        self.space = space
        self.timer = timer
    }

    /// The commands that take a lease for each key.
    func commands(_ keys: [String], token: String) -> [RedisCommand] {
        let arguments = [Array(token.utf8), Array(String(Self.life).utf8)]
        return keys.map { .eval(SharedScript.takeLease, keys: [$0], arguments) }
    }

    /// Until when leases are sure to hold for which one asks now. To be looked at before that is sent: the server
    /// counts from when it comes.
    var endOfNext: Int { timer.milliseconds + Self.life }

    /// Notes those that were taken and until when they are sure to hold, and keeps them until they are ended.
    func hold(_ keys: [String], token: String, until end: Int) {
        let begins = state.withLock { state in
            for key in keys { state.held[key] = (token, end) }
            defer { state.isRenewing = state.isRenewing || !keys.isEmpty }
            return !state.isRenewing && !keys.isEmpty
        }
        if begins { renewSoon() }
    }

    /// Ends leases.
    func end(_ keys: [String], token: String) {
        state.withLock { state in
            for key in keys where state.held[key]?.token == token { state.held[key] = nil }
        }
        // After what was stored: who looks when it is ended must find that.
        space.outbox.post(keys.map { .eval(SharedScript.endLease, keys: [$0], [Array(token.utf8)]) }) {
            [space] result in
            if case .success(let replies) = result { space.condition.noteRights(replies) }
        }
    }

    private func renewSoon() {
        timer.run(after: Self.renewal) { [weak self] in self?.renew() }
    }

    private func renew() {
        let held = state.withLock { state in
            state.isRenewing = !state.held.isEmpty
            return state.held
        }
        guard !held.isEmpty else { return }
        let life = Array(String(Self.life).utf8)
        let asked = Array(held)
        let end = endOfNext
        space.server.post(
            asked.map { .eval(SharedScript.renewLease, keys: [$0.key], [Array($0.value.token.utf8), life]) }
        ) { [weak self] result in
            guard let self, case .success(let replies) = result else { return }
            space.condition.noteRights(replies)
            note(asked.map(\.key), replies, until: end)
        }
        renewSoon()
    }

    /// One that was lost stays lost: another process may have had it meanwhile.
    private func note(_ keys: [String], _ replies: [RESPValue], until end: Int) {
        let now = timer.milliseconds
        state.withLock { state in
            for (key, reply) in zip(keys, replies) where reply == .integer(1) {
                if let held = state.held[key], held.end >= now { state.held[key]?.end = end }
            }
        }
    }

    /// Whether leases were never lost since they were taken.
    func areHeld(_ keys: [String], token: String) -> Bool {
        let now = timer.milliseconds
        return state.withLock { state in
            keys.allSatisfy { key in state.held[key].map { $0.token == token && $0.end >= now } ?? false }
        }
    }
}
