import HTTP
import System

/// The connection to a Redis server, which is made anew whenever it is lost, and what is awaited over it.
// Safe: what changes is touched on the loop alone, but for what has a lock of its own.
final class RedisLink: @unchecked Sendable {
    typealias Outcome = Result<[RESPValue], RedisError>
    typealias Completion = @Sendable (Outcome) -> Void

    enum Phase {
        case new, connecting, greeting, ready, resting, ended
    }

    private struct Waiter {
        let commands: [RedisCommand]
        let then: Completion
    }

    /// How often it is read from in one turn: others are waiting too.
    private static let readsOfATurn = 64

    let condition: RedisCondition
    private let onConnection: @Sendable () -> Void

    private let engine: HTTPEngine
    let greeting: RedisGreeting
    let limits: RedisLimits
    private let timer: any TimerContract

    private(set) var phase = Phase.new
    private var isJoined = false
    private(set) var socket: CurlSocket?
    private var decoder = RESPDecoder()
    var awaited = AwaitedReplies()
    private var breaker = Breaker()
    /// Whether a caller has waited too long behind many bytes that are on their way to the server.
    var isCrowded = false
    /// Who waits for the first connection.
    private var waiting: [Waiter] = []
    private var isFirst = true
    var clock: ReplyClock
    /// Sends for other threads while the loop waits.
    let line = DirectLine()
    private(set) var isEnding = false
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
        clock = ReplyClock(limits, at: 0)
        self.timer = timer
        self.condition = condition
    }

    /// Begins to connect, after a rest if it is to have one: nobody waits for what comes then.
    func start(after rest: RedisBackoff? = nil) {
        guard case .new = phase else { return }
        guard let rest else { return connect() }
        (phase, isFirst) = (.resting, false)
        condition.failed(rest.reason, isLeftAlone: true)
        self.rest(rest.left)
    }

    /// Sends commands.
    ///
    /// - Parameter waits: whether somebody does nothing else meanwhile: then the first connection is waited for, and a
    ///   line that is slow is not.
    func ask(_ commands: [RedisCommand], waits: Bool, _ then: @escaping Completion) {
        start()
        switch phase {
        case .ready where !isEnding:
            if waits, isCrowded, isMuchUnderWay { return then(.failure(.late)) }
            send(commands, isWaited: waits, then)
        case .connecting where isFirst && waits, .greeting where isFirst && waits:
            waiting.append(Waiter(commands: commands, then: then))
        default: then(.failure(isEnding || phase == .ended ? .closed : .notConnected))
        }
    }

    /// Ends when all that was sent is answered, or in so many milliseconds.
    func close(within limit: Int, then: @escaping @Sendable () -> Void) {
        guard phase != .ended else { return then() }
        closers.append(then)
        isEnding = true
        condition.isReady.store(false, ordering: .releasing)
        endIfAnswered()
        if phase != .ended { engine.loop.run(after: limit) { [weak self] in self?.end() } }
    }

    /// Closes the connection; all that is awaited fails.
    ///
    /// - Parameter ofEngine: whether the engine has ended, which has forgotten it then.
    func end(ofEngine: Bool = false) {
        if ofEngine { isJoined = false }
        guard phase != .ended else { return }
        phase = .ended
        if isJoined { engine.leave(self) }
        let (batches, waiting) = disconnect()
        let closers = closers
        self.closers = []
        for then in batches { then(.failure(.closed)) }
        for waiter in waiting { waiter.then(.failure(.closed)) }
        for closer in closers { closer() }
    }

    private func endIfAnswered() {
        guard isEnding, phase != .ended else { return }
        if phase != .ready || (awaited.isEmpty && (socket?.backlog ?? 0) == 0) { end() }
    }
}

/// How a connection comes and goes.
extension RedisLink {
    private func connect() {
        phase = .connecting
        clock = ReplyClock(limits, at: Monotonic.milliseconds)
        let library: CurlLibrary
        do throws(HTTPError) {
            library = try isJoined ? CurlLibrary.open() : engine.join(self)
            isJoined = true
        } catch {
            if case .network(let text) = error.reason { return lose(text, opensBreaker: true) }
            return end()
        }
        socket = CurlSocket(to: greeting.url.place, library: library, environment: engine.environment)
        if socket == nil { lose(Descriptors.shortage ?? "out of memory") }
    }

    func greet() {
        phase = .greeting
        send(greeting.commands) { [weak self] outcome in
            if case .success(let replies) = outcome { self?.welcome(replies) }
        }
    }

    private func welcome(_ replies: [RESPValue]) {
        do throws(RedisGreeting.Refusal) {
            let facts = try greeting.facts(replies)
            phase = .ready
            condition.isReady.store(true, ordering: .releasing)
            condition.reached(facts)
        } catch {
            return lose(error.reason, opensBreaker: true)
        }
        onConnection()
        let waiting = waiting
        self.waiting = []
        for waiter in waiting { ask(waiter.commands, waits: true, waiter.then) }
    }

    /// Closes the connection, and opens another one in the background, at once or after a pause.
    ///
    /// - Parameter opensBreaker: whether the pause comes with the first failure already.
    func lose(_ reason: String, opensBreaker: Bool = false) {
        guard phase != .ended else { return }
        let shown = phase == .greeting ? greeting.refusal(awaited.firstReplies)?.reason ?? reason : reason
        let pause = breaker.fail(isRefusal: opensBreaker || shown != reason)
        phase = .resting
        let (batches, waiting) = disconnect()
        condition.failed(shown, isLeftAlone: pause > 0)
        if isEnding {
            end()
        } else if pause == 0 {
            connect()
        } else {
            rest(pause)
        }
        for then in batches { then(.failure(.lost(shown))) }
        for waiter in waiting { waiter.then(.failure(.notConnected)) }
    }

    private func rest(_ pause: Int) {
        timer.run(after: pause) { [weak self, loop = engine.loop] in
            loop.run { [weak self] in self?.endRest() }
        }
    }

    private func endRest() {
        if phase == .resting { connect() }
    }

    /// Forgets the connection. Returns who waits for replies, and who for the first connection.
    private func disconnect() -> ([Completion], [Waiter]) {
        defer { (awaited, waiting) = (AwaitedReplies(), []) }
        closeLine()
        line.settle()
        _ = line.takeBreak()
        condition.isReady.store(false, ordering: .releasing)
        isFirst = false
        socket = nil
        decoder = RESPDecoder()
        isCrowded = false
        return (awaited.completions, waiting)
    }
}

/// What goes over it.
extension RedisLink {
    private func send(_ commands: [RedisCommand], isWaited: Bool = false, _ then: @escaping Completion) {
        guard !commands.isEmpty else { return then(.success([])) }
        let size = commands.reduce(0) { $0 + $1.size }
        guard let socket, socket.backlog + size <= limits.backlog else { return then(.failure(.noRoom)) }
        let now = Monotonic.milliseconds
        if awaited.isEmpty { clock.restart(at: now, arrived: socket.sent) }
        awaited.append(commands.count, size: size, at: now, isWaited: isWaited, then)
        let isBlocked = socket.backlog > 0
        line.settle()
        for command in commands { command.encode(into: &socket.outgoing) }
        if !isBlocked { flush(socket) }
    }

    /// Returns whether the socket took some of what it had not taken before.
    @discardableResult
    func flush(_ socket: CurlSocket) -> Bool {
        switch socket.flush() {
        case .all: return true
        case .blocked(let tookSome): return tookSome
        case .failed(let reason):
            lose(shown(reason))
            return false
        }
    }

    /// The error of libcurl for the connection, without text from the server's certificate.
    func shown(_ reason: String) -> String {
        guard case .host(let host, _, _) = greeting.url.place else { return reason }
        return ConnectionReason.text(reason, host: host)
    }

    /// Reads what has come, and completes the batches whose replies are complete. A completion may send more commands,
    /// by which the connection may be lost.
    func read(_ socket: CurlSocket) {
        for _ in 0..<Self.readsOfATurn {
            switch socket.receive() {
            case .nothing: return
            case .ended(let reason): return lose(shown(reason))
            case .bytes(let bytes, let mayHaveMore):
                decoder.append(bytes)
                takeReplies(socket)
                guard mayHaveMore, self.socket === socket else { return }
            }
        }
        clock.signal()
    }

    private func takeReplies(_ socket: CurlSocket) {
        do throws(RESPFault) {
            while self.socket === socket, let reply = try decoder.next() { take(reply) }
            if self.socket === socket { clock.note(received: decoder.received, at: Monotonic.milliseconds) }
        } catch {
            // A server that sends so much unasked would do so again at once.
            lose(
                phase == .greeting
                    ? "what answers there is no Redis server"
                    : "what came is no reply of a Redis server: \(error.message)",
                opensBreaker: awaited.isEmpty)
        }
    }

    private func take(_ reply: RESPValue) {
        if case .error(let error) = reply, ["MOVED", "ASK", "CROSSSLOT"].contains(error.code) {
            return lose(RedisGreeting.cluster, opensBreaker: true)
        }
        guard !awaited.isEmpty else { return lose("a reply came that nothing was asked for", opensBreaker: true) }
        let now = Monotonic.milliseconds
        clock.restart(at: now)
        if let then = awaited.take(reply, memory: decoder.lastMemory, at: now) {
            // A part of what was asked together tells nothing of the rest.
            if phase == .ready { breaker.succeed() }
            then()
        }
        endIfAnswered()
    }
}
