import Redis
import System

/// The leases that this process holds. A lease is the right to fetch one entry. Only the process with the lease fetches
/// the entry; other processes wait.
///
/// A lease expires after a second. The process renews its leases during the fetch, and ends them afterwards.
// If the process is killed, the others wait at most a second.
final class SharedLeases: Sendable {
    /// The lifetime of a lease, in milliseconds.
    static let life = 1000
    /// The interval between two renewals of the leases, in milliseconds.
    private static let renewal = 300

    private struct State {
        /// The held leases by Redis key. `token` is random and identifies the lease. The lease cannot expire before
        /// `end`, in milliseconds of the timer's clock.
        var held: [String: (token: String, end: Int)] = [:]
        var isRenewing = false
    }

    private let server: any RedisServerContract
    private let outbox: SharedOutbox
    private let condition: SharedHealthMonitor
    private let timer: any TimerContract
    private let state = Lock(State())

    init(
        _ server: any RedisServerContract, _ outbox: SharedOutbox, _ condition: SharedHealthMonitor,
        timer: any TimerContract
    ) {
        self.server = server
        self.outbox = outbox
        self.condition = condition
        self.timer = timer
    }

    /// Returns one Redis command for each key. The command takes the lease under this key.
    func commands(_ keys: [String], token: String) -> [RedisCommand] {
        let arguments = [Array(token.utf8), Array(String(Self.life).utf8)]
        return keys.map { .eval(SharedScript.takeLease, keys: [$0], arguments) }
    }

    /// The earliest time at which a lease expires if it is requested now, in milliseconds of the timer's clock. Read
    /// this time before you send the request.
    var endOfNext: Int { timer.milliseconds + Self.life }

    /// Records leases that the Redis server has granted to this process. The process renews these leases until it calls
    /// `end`.
    func hold(_ keys: [String], token: String, until end: Int) {
        let startsRenewing = state.withLock { state in
            for key in keys { state.held[key] = (token, end) }
            defer { state.isRenewing = state.isRenewing || !keys.isEmpty }
            return !state.isRenewing && !keys.isEmpty
        }
        if startsRenewing { renewSoon() }
    }

    /// Ends leases of this process, so that other processes can fetch the entries.
    func end(_ keys: [String], token: String) {
        state.withLock { state in
            for key in keys where state.held[key]?.token == token { state.held[key] = nil }
        }
        // These commands are sent after the stored values, because a process that waits for the lease must find these
        // values.
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
        let renewed = Array(held)
        let end = endOfNext
        server.post(
            renewed.map { .eval(SharedScript.renewLease, keys: [$0.key], [Array($0.value.token.utf8), life]) }
        ) { [weak self] result in
            guard let self, case .success(let replies) = result else { return }
            condition.noteRights(replies)
            extend(renewed.map(\.key), replies, until: end)
        }
        renewSoon()
    }

    /// Records the new end of each lease that the Redis server has renewed. Skips a lease that expired before the
    /// server's reply, because another process may have held this lease in the meantime.
    private func extend(_ keys: [String], _ replies: [RESPValue], until end: Int) {
        let now = timer.milliseconds
        state.withLock { state in
            for (key, reply) in zip(keys, replies) where reply == .integer(1) {
                if let held = state.held[key], held.end >= now { state.held[key]?.end = end }
            }
        }
    }

    /// Returns whether this process has held the leases without interruption since it took them.
    func areHeld(_ keys: [String], token: String) -> Bool {
        let now = timer.milliseconds
        return state.withLock { state in
            keys.allSatisfy { key in state.held[key].map { $0.token == token && $0.end >= now } ?? false }
        }
    }
}
