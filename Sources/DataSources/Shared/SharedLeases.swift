import Redis
import System

/// The leases of this process. A lease lets one process of all that share the level fetch an entry.
///
/// A lease expires after a second, so that other processes do not wait longer for one that was killed. Its owner renews
/// it while the fetch is under way, and ends it afterwards.
final class SharedLeases: Sendable {
    /// The lifetime of a lease in milliseconds.
    static let life = 1000
    private static let renewal = 300

    private struct State {
        /// The token of each lease by its key, and the moment until which it certainly holds.
        var held: [String: (token: String, end: Int)] = [:]
        var isRenewing = false
    }

    private let server: any RedisServerContract
    private let outbox: SharedOutbox
    private let condition: SharedCondition
    private let timer: any TimerContract
    private let state = Lock(State())

    init(
        _ server: any RedisServerContract, _ outbox: SharedOutbox, _ condition: SharedCondition,
        timer: any TimerContract
    ) {
        self.server = server
        self.outbox = outbox
        self.condition = condition
        self.timer = timer
    }

    /// Commands that take a lease for each key.
    func commands(_ keys: [String], token: String) -> [RedisCommand] {
        let arguments = [Array(token.utf8), Array(String(Self.life).utf8)]
        return keys.map { .eval(SharedScript.takeLease, keys: [$0], arguments) }
    }

    /// The moment until which leases that are requested now certainly hold. Read it before sending the request: the
    /// server counts from the arrival.
    var endOfNext: Int { timer.milliseconds + Self.life }

    /// Adds leases that were taken, and renews them until they are ended.
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
        // Queued after the stored values: a process that waits for the lease must find them.
        outbox.post(keys.map { .eval(SharedScript.endLease, keys: [$0], [Array(token.utf8)]) }) {
            [condition] result in
            if case .success(let replies) = result { condition.noteRights(replies) }
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
        server.post(
            asked.map { .eval(SharedScript.renewLease, keys: [$0.key], [Array($0.value.token.utf8), life]) }
        ) { [weak self] result in
            guard let self, case .success(let replies) = result else { return }
            condition.noteRights(replies)
            note(asked.map(\.key), replies, until: end)
        }
        renewSoon()
    }

    /// Extends leases that were renewed. A lease that was lost stays lost: another process may have held it meanwhile.
    private func note(_ keys: [String], _ replies: [RESPValue], until end: Int) {
        let now = timer.milliseconds
        state.withLock { state in
            for (key, reply) in zip(keys, replies) where reply == .integer(1) {
                if let held = state.held[key], held.end >= now { state.held[key]?.end = end }
            }
        }
    }

    /// Whether leases were held without interruption since they were taken.
    func areHeld(_ keys: [String], token: String) -> Bool {
        let now = timer.milliseconds
        return state.withLock { state in
            keys.allSatisfy { key in state.held[key].map { $0.token == token && $0.end >= now } ?? false }
        }
    }
}
