import System

@testable import DataSources
@testable import Redis

/// A double of one machine's connection to a server. Tests can lose and restore the connection, and delay posted
/// commands.
final class RedisServerDouble: RedisServerContract {
    typealias Posted = @Sendable () -> Void

    private struct State {
        var health = RedisHealth()
        var onHealth: @Sendable (RedisHealth) -> Void = { _ in }
        var isReachable = true
        var isConnected = false
        var commands: [RedisCommand] = []
        var rests: [RedisBackoff?] = []
        var answer: @Sendable (RedisCommand) -> RESPValue? = { _ in nil }
        /// The delayed commands; nil if commands are not delayed.
        var held: [Posted]?
    }

    private let state = Lock(State())
    private let data: RedisData

    /// Creates a connection that succeeds at the first use.
    init(_ data: RedisData) { self.data = data }

    /// All commands that were sent to the server, in order, including refused ones.
    var commands: [RedisCommand] { state.withLock { $0.commands } }

    /// The names of all sent commands and scripts.
    var verbs: [String] { commands.map(\.verb) }

    /// Returns how often a command or script was sent.
    func count(_ verb: String) -> Int { verbs.count { $0 == verb } }

    /// Loses the connection until `find` is called.
    func lose() { state.withLock { ($0.isReachable, $0.isConnected) = (false, false) } }

    /// Makes the server reachable and connects to it.
    func find() {
        state.withLock { $0.isReachable = true }
        connect()
    }

    /// Sets a handler that answers commands. If the handler returns nil, `RedisData` answers.
    func answer(_ answer: @escaping @Sendable (RedisCommand) -> RESPValue?) { state.withLock { $0.answer = answer } }

    /// Refuses all writing commands with an error.
    func refuseWrites(_ code: String) {
        answer { $0.words[0] == "EVAL" ? .error(code: code, message: "\(code) so it is") : nil }
    }

    /// Delays posted commands from now on.
    func hold() { state.withLock { $0.held = [] } }

    /// The number of delayed commands.
    var heldCount: Int { state.withLock { $0.held?.count ?? 0 } }

    /// Executes the first delayed command.
    func releaseOne() {
        let first = state.withLock { state in state.held?.isEmpty == false ? state.held?.removeFirst() : nil }
        first?()
    }

    /// Executes all delayed commands and stops delaying.
    func release() {
        let held = state.withLock { state in
            defer { state.held = nil }
            return state.held ?? []
        }
        for posted in held { posted() }
    }

    // MARK: Contract

    var isReady: Bool { state.withLock { $0.isConnected } }

    var health: RedisHealth {
        get { state.withLock { $0.health } }
        set {
            let onHealth = state.withLock { state in
                state.health = newValue
                return state.onHealth
            }
            onHealth(newValue)
        }
    }

    /// The backoffs of all calls of `start`.
    var rests: [RedisBackoff?] { state.withLock { $0.rests } }

    /// Sets the handler for changes of `health`.
    func whenHealthChanges(_ body: @escaping @Sendable (RedisHealth) -> Void) { state.withLock { $0.onHealth = body } }

    func send(_ commands: [RedisCommand]) async throws(RedisError) -> [RESPValue] { try replies(commands).get() }

    func send(_ commands: [RedisCommand], then: @escaping @Sendable (Result<[RESPValue], RedisError>) -> Void) {
        then(replies(commands))
    }

    func post(_ commands: [RedisCommand], then: @escaping @Sendable (Result<[RESPValue], RedisError>) -> Void) {
        let isHeld = state.withLock { state in
            state.held?.append { [self] in then(replies(commands)) }
            return state.held != nil
        }
        if !isHeld { then(replies(commands)) }
    }

    func start(after rest: RedisBackoff?) {
        state.withLock { $0.rests.append(rest) }
        if rest == nil { connect() }
    }

    func close(within limit: Int) async {
        release()
        lose()
    }

    private func connect() {
        state.withLock { state in
            guard state.isReachable, !state.isConnected else { return }
            (state.isConnected, state.health.wasReached) = (true, true)
        }
    }

    private func replies(_ commands: [RedisCommand]) -> Result<[RESPValue], RedisError> {
        connect()
        let (isConnected, answer) = state.withLock { state in
            if state.isConnected { state.commands += commands }
            return (state.isConnected, state.answer)
        }
        guard isConnected else { return .failure(.notConnected) }
        return .success(commands.map { answer($0) ?? data.run($0) })
    }
}
