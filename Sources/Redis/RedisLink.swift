import HTTP
import System

/// The link to a Redis server. It opens the connection, decides when to reconnect after a loss, and does so.
// Safe: mutable state is used on the loop alone, or has a lock of its own.
final class RedisLink: @unchecked Sendable {
    typealias Outcome = Result<[RESPValue], RedisError>
    typealias Completion = @Sendable (Outcome) -> Void

    private enum Phase {
        case new
        case open(RedisConnection)
        case resting
        case ended
    }

    private struct Waiter {
        let commands: [RedisCommand]
        let then: Completion
    }

    let condition: RedisCondition
    /// Sends for other threads while the loop waits.
    let line = DirectLine()
    private let onConnection: @Sendable () -> Void

    private let engine: HTTPEngine
    private let greeting: RedisGreeting
    private let limits: RedisLimits
    private let timer: any TimerContract

    private var phase = Phase.new
    private var isJoined = false
    private var breaker = Breaker()
    /// The commands that wait for the first connection.
    private var waiting: [Waiter] = []
    private var isFirst = true
    private var isEnding = false
    private var closers: [@Sendable () -> Void] = []

    /// - Parameter onConnection: called on the loop after each greeting.
    init(
        _ url: RedisURL, engine: HTTPEngine, limits: RedisLimits, timer: any TimerContract, condition: RedisCondition,
        onConnection: @escaping @Sendable () -> Void
    ) {
        self.onConnection = onConnection
        greeting = RedisGreeting(url: url)
        self.engine = engine
        self.limits = limits
        self.timer = timer
        self.condition = condition
    }

    /// Starts to connect; after a rest, if there is one. No command waits for a connection that comes after a rest.
    func start(after rest: RedisBackoff? = nil) {
        guard case .new = phase else { return }
        guard let rest else { return connect() }
        (phase, isFirst) = (.resting, false)
        condition.failed(rest.reason, isLeftAlone: true)
        self.rest(rest.left)
    }

    /// Sends commands.
    ///
    /// - Parameter waits: whether a caller does nothing else meanwhile. It waits for the first connection, and not for
    ///   a line that is slow.
    func ask(_ commands: [RedisCommand], waits: Bool, _ then: @escaping Completion) {
        start()
        if let connection, connection.isReady {
            if !isEnding { return connection.ask(commands, waits: waits, then) }
        } else if connection != nil, isFirst, waits {
            return waiting.append(Waiter(commands: commands, then: then))
        }
        then(.failure(isEnding || isEnded ? .closed : .notConnected))
    }

    /// Loses the connection if a command was sent only in part on the direct line.
    func loseBrokenLine() { connection?.loseBrokenLine() }

    /// Ends when all that was sent is answered, or after `limit` milliseconds.
    func close(within limit: Int, then: @escaping @Sendable () -> Void) {
        guard !isEnded else { return then() }
        closers.append(then)
        isEnding = true
        condition.isReady.store(false, ordering: .releasing)
        endIfAnswered()
        if !isEnded { engine.loop.run(after: limit) { [weak self] in self?.end() } }
    }

    /// Closes the connection; all that is awaited fails.
    ///
    /// - Parameter ofEngine: whether the engine has ended, which has forgotten the link then.
    func end(ofEngine: Bool = false) {
        if ofEngine { isJoined = false }
        guard !isEnded else { return }
        let (batches, waiting) = disconnect(to: .ended)
        if isJoined { engine.leave(self) }
        let closers = closers
        self.closers = []
        for then in batches { then(.failure(.closed)) }
        for waiter in waiting { waiter.then(.failure(.closed)) }
        for closer in closers { closer() }
    }

    private var connection: RedisConnection? { if case .open(let connection) = phase { connection } else { nil } }

    private var isEnded: Bool { if case .ended = phase { true } else { false } }

    private func endIfAnswered() {
        guard isEnding, !isEnded else { return }
        if let connection, connection.isReady, !connection.isIdle { return }
        end()
    }
}

/// How a connection comes and goes.
extension RedisLink {
    private func connect() {
        let library: CurlLibrary
        do throws(HTTPError) {
            library = try isJoined ? CurlLibrary.open() : engine.join(self)
            isJoined = true
        } catch {
            if case .network(let text) = error.reason { return lose(text, opensBreaker: true) }
            return end()
        }
        guard
            let socket = CurlSocket(to: greeting.url.place, library: library, environment: engine.environment)
        else { return lose(Descriptors.shortage ?? "out of memory", opensBreaker: false) }
        // Unowned: only the link calls its connection, which reports nothing otherwise.
        phase = .open(
            RedisConnection(
                socket, greeting: greeting, limits: limits, line: line,
                greeted: { [weak self] in if case .success(let replies) = $0 { self?.connection?.welcome(replies) } },
                report: { [unowned self] in take($0) }))
    }

    private func take(_ event: RedisConnection.Event) {
        switch event {
        case .ready(let facts): welcome(facts)
        case .answered: breaker.succeed()
        case .replied: endIfAnswered()
        case .lost(let reason, let opensBreaker): lose(reason, opensBreaker: opensBreaker)
        }
    }

    private func welcome(_ facts: RedisGreeting.Facts) {
        condition.isReady.store(true, ordering: .releasing)
        condition.reached(facts)
        onConnection()
        let waiting = waiting
        self.waiting = []
        for waiter in waiting { ask(waiter.commands, waits: true, waiter.then) }
    }

    /// Closes the connection, and opens another one in the background, at once or after a pause.
    ///
    /// - Parameter opensBreaker: whether the pause comes with the first failure already.
    private func lose(_ reason: String, opensBreaker: Bool) {
        guard !isEnded else { return }
        let pause = breaker.fail(isRefusal: opensBreaker)
        let (batches, waiting) = disconnect(to: .resting)
        condition.failed(reason, isLeftAlone: pause > 0)
        if isEnding {
            end()
        } else if pause == 0 {
            connect()
        } else {
            rest(pause)
        }
        for then in batches { then(.failure(.lost(reason))) }
        for waiter in waiting { waiter.then(.failure(.notConnected)) }
    }

    private func rest(_ pause: Int) {
        timer.run(after: pause) { [weak self, loop = engine.loop] in
            loop.run { [weak self] in self?.endRest() }
        }
    }

    private func endRest() {
        if case .resting = phase { connect() }
    }

    /// Closes the connection, if there is one. Returns the completions that wait for replies, and what waits for the
    /// first connection.
    private func disconnect(to next: Phase) -> ([Completion], [Waiter]) {
        let batches = connection?.close() ?? []
        phase = next
        condition.isReady.store(false, ordering: .releasing)
        isFirst = false
        defer { waiting = [] }
        return (batches, waiting)
    }
}

/// Its turns on the loop are those of its connection.
extension RedisLink: EngineGuestContract {
    var interest: (socket: Int32, isWriting: Bool)? { connection?.interest }

    var patience: Int? { connection?.patience }

    func willWait() {
        if !isEnding { connection?.openLine() }
    }

    func didWait() { connection?.closeLine() }

    func signal() { connection?.signal() }

    func turn() { connection?.turn() }

    func engineEnded() { end(ofEngine: true) }
}
