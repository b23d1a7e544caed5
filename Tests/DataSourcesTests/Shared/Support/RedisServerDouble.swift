import System

@testable import DataSources
@testable import Redis

/// Stands in for the connection of one machine to a server, which can be lost and made again, and holds back what
/// nobody waits for, if it is told to.
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
        /// What was posted and is held back; nil where nothing is.
        var held: [Posted]?
    }

    private let state = Lock(State())
    private let data: RedisData

    /// A server that is reached as soon as it is needed.
    init(_ data: RedisData) { self.data = data }

    /// All that was sent to the server, in that order, also what it refused.
    var commands: [RedisCommand] { state.withLock { $0.commands } }

    /// What was sent, in one word each.
    var verbs: [String] { commands.map(\.verb) }

    /// How often something was sent.
    func count(_ verb: String) -> Int { verbs.count { $0 == verb } }

    /// Loses the connection; there is none until `find`.
    func lose() { state.withLock { ($0.isReachable, $0.isConnected) = (false, false) } }

    /// The server is reached again, and connected to at once.
    func find() {
        state.withLock { $0.isReachable = true }
        connect()
    }

    /// Answers commands so from now on; nil where the data does.
    func answer(_ answer: @escaping @Sendable (RedisCommand) -> RESPValue?) { state.withLock { $0.answer = answer } }

    /// Refuses all commands that write, with an error.
    func refuseWrites(_ code: String) {
        answer { $0.words[0] == "EVAL" ? .error(code: code, message: "\(code) so it is") : nil }
    }

    /// Holds back what is posted from now on.
    func hold() { state.withLock { $0.held = [] } }

    /// How much is held back.
    var heldCount: Int { state.withLock { $0.held?.count ?? 0 } }

    /// Does the first of what was held back.
    func releaseOne() {
        let first = state.withLock { state in state.held?.isEmpty == false ? state.held?.removeFirst() : nil }
        first?()
    }

    /// Does what was held back, and holds back no longer.
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

    /// After which rests it was to connect.
    var rests: [RedisBackoff?] { state.withLock { $0.rests } }

    /// Says who is told how it is.
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
