import HTTP
import System

/// Keeps one connection to a Redis server open, and reconnects after a loss. From the second failure in a row on,
/// `RedisLink` pauses before each connection attempt.
// Safe: all mutable state either has its own lock, or is used on the event loop only.
final class RedisLink: @unchecked Sendable {
    typealias Outcome = Result<[RESPValue], RedisError>
    typealias Completion = @Sendable (Outcome) -> Void

    private enum Phase {
        case new
        case open(RedisConnection)
        case backingOff
        case ended
    }

    private struct Waiter {
        let commands: [RedisCommand]
        let then: Completion
    }

    let condition: RedisHealthMonitor
    /// The `DirectLine` through which other threads send commands while the event loop waits for events.
    let line = DirectLine()
    private let onConnection: @Sendable () -> Void

    private let engine: HTTPEngine
    private let greeting: RedisGreeting
    private let limits: RedisLimits
    private let timer: any TimerContract

    private var phase = Phase.new
    private var isJoined = false
    private var breaker = CircuitBreaker()
    /// The commands that wait until the first connection is open.
    private var waiting: [Waiter] = []
    private var isFirst = true
    private var isEnding = false
    private var closers: [@Sendable () -> Void] = []

    /// Creates a link that is not connected to the Redis server yet.
    ///
    /// - Parameter onConnection: called on the event loop each time the server has accepted the first commands on a
    ///   connection.
    init(
        _ url: RedisURL, engine: HTTPEngine, limits: RedisLimits, timer: any TimerContract,
        condition: RedisHealthMonitor,
        onConnection: @escaping @Sendable () -> Void
    ) {
        self.onConnection = onConnection
        greeting = RedisGreeting(url: url)
        self.engine = engine
        self.limits = limits
        self.timer = timer
        self.condition = condition
    }

    /// Starts to connect to the server: immediately, or after the pause `backoff`. During the pause, commands fail
    /// immediately.
    func start(after backoff: RedisBackoff? = nil) {
        guard case .new = phase else { return }
        guard let backoff else { return connect() }
        (phase, isFirst) = (.backingOff, false)
        condition.failed(backoff.reason, isBackingOff: true)
        reconnect(after: backoff.left)
    }

    /// Sends commands to the server. Without an open connection, the commands fail immediately.
    ///
    /// - Parameter waits: whether a caller waits for the replies. If true, there are two exceptions:
    ///   * If the first connection is not open yet, the commands are sent as soon as it is open.
    ///   * If an earlier call has timed out and the connection is still busy, the commands fail immediately.
    func send(_ commands: [RedisCommand], waits: Bool, _ then: @escaping Completion) {
        start()
        if let connection, connection.isReady {
            if !isEnding { return connection.send(commands, waits: waits, then) }
        } else if connection != nil, isFirst, waits {
            return waiting.append(Waiter(commands: commands, then: then))
        }
        then(.failure(isEnding || isEnded ? .closed : .notConnected))
    }

    /// Replaces the connection if another thread has sent only a part of a batch of commands through `line`.
    func loseBrokenLine() { connection?.loseBrokenLine() }

    /// Closes the connection for good as soon as the server has answered all sent commands, or after `limit`
    /// milliseconds.
    func close(within limit: Milliseconds, then: @escaping @Sendable () -> Void) {
        guard !isEnded else { return then() }
        closers.append(then)
        isEnding = true
        condition.isReady.store(false, ordering: .releasing)
        endIfAnswered()
        if !isEnded { engine.loop.run(after: limit) { [weak self] in self?.end() } }
    }

    /// Closes the connection for good. All unanswered commands fail.
    ///
    /// - Parameter ofEngine: whether the HTTP engine has shut down. If false, the link also leaves the engine.
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

/// Opens, closes and reopens the connection.
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
        // Unowned is safe: the connection reports events only during calls from the link.
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
        for waiter in waiting { send(waiter.commands, waits: true, waiter.then) }
    }

    /// Closes the connection and opens a new one, immediately or after a pause.
    ///
    /// - Parameter opensBreaker: whether to pause even after the first failure.
    private func lose(_ reason: String, opensBreaker: Bool) {
        guard !isEnded else { return }
        let pause = breaker.fail(opensAtOnce: opensBreaker)
        let (batches, waiting) = disconnect(to: .backingOff)
        condition.failed(reason, isBackingOff: pause > 0)
        if isEnding {
            end()
        } else if pause == 0 {
            connect()
        } else {
            reconnect(after: pause)
        }
        for then in batches { then(.failure(.lost(reason))) }
        for waiter in waiting { waiter.then(.failure(.notConnected)) }
    }

    private func reconnect(after pause: Int) {
        timer.run(after: pause) { [weak self, loop = engine.loop] in
            loop.run { [weak self] in self?.endBackoff() }
        }
    }

    private func endBackoff() {
        if case .backingOff = phase { connect() }
    }

    /// Closes the connection if there is one. Returns the callbacks of unanswered batches, and the commands that wait
    /// for the first connection.
    private func disconnect(to next: Phase) -> ([Completion], [Waiter]) {
        let batches = connection?.close() ?? []
        phase = next
        condition.isReady.store(false, ordering: .releasing)
        isFirst = false
        defer { waiting = [] }
        return (batches, waiting)
    }
}

/// The functions that the event loop calls. Each call is forwarded to the current Redis connection.
extension RedisLink: EngineGuestContract {
    var interest: (socket: Int32, isWriting: Bool)? { connection?.interest }

    var maxWait: Milliseconds? { connection?.maxWait }

    func willWait() {
        if !isEnding { connection?.openLine() }
    }

    func didWait() { connection?.closeLine() }

    func signal() { connection?.signal() }

    func turn() { connection?.turn() }

    func engineEnded() { end(ofEngine: true) }
}
